"""Turns that a plan may play (PL2, PL7): told once it is clear that the plan does not play them, listed if it did.

A plan is carried out within two seconds. A turn that it is about to play is not told at once: a chore looks a little
later, and again as long as the plan has not moved.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from core import log
from core.jobs import services as work
from core.notifications import writing
from games.models import Plan, stream_of
from games.notifications import groups
from games.notifications.kinds import TURN
from games.notifications.table import Table, Turn, folded
from games.projections import load
from games.projections.vocabulary import PLANNED
from games.services.plan_moves import outlook

CHORE = "games.planned_turn"
PATIENCE = timedelta(seconds=4)
AS_PLANNED = "played as planned"


def news(begun: Sequence[tuple[Table, Turn]], now: datetime) -> list[writing.News | None]:
    """Return what is told of turns that have just begun; None if a plan is about to play. Three queries in all."""
    if not begun:
        return []
    oldest: dict[str, int] = {}
    for table, _ in begun:
        oldest[stream_of(table.game_id)] = min(table.version, oldest.get(stream_of(table.game_id), table.version))
    since = log.read_all(oldest)
    plans = set(Plan.objects.filter(game_id__in={table.game_id for table, _ in begun}).values_list("game_id", "seat"))
    return [
        _news(table, turn, since[stream_of(table.game_id)], now, has_plan=(table.game_id, turn.seat) in plans)
        for table, turn in begun
    ]


def _news(
    table: Table, turn: Turn, since: Sequence[log.Event], now: datetime, *, has_plan: bool
) -> writing.News | None:
    name = turn.name(table.game_id)
    over = _over(table, turn, [event for event in since if event.version > table.version])
    data: dict[str, str] = {"turn": name}
    if over is None:
        sees = _outlook(table.game_id, turn.seat, now) if has_plan else "none"
        if sees == "plays":
            where = {"game": str(table.game_id), "upto": table.version, "seat": turn.seat}
            work.put(CHORE, name, where, due_at=now + PATIENCE)
            return None
        groups.say_turn(table, turn)
        if sees == "silent":
            data["plan"] = "no line fits"
    if turn.owner is None:
        return None
    return writing.News(turn.owner, TURN, name, table.game_id, turn.version, data, over)


@work.chore(CHORE)
def look_again(piece: work.Piece, now: datetime) -> datetime | None:
    """Tell the turn if its plan does not play it; list it if the plan has; wait while it is about to."""
    game_id = UUID(piece.data["game"])
    table = folded(log.read(stream_of(game_id), upto=piece.data["upto"]))
    turn = table.turns.get(piece.data["seat"]) if table is not None else None
    if table is None or turn is None:
        return None
    since = log.read(stream_of(game_id), after=table.version)
    if _over(table, turn, since) is None and _outlook(game_id, turn.seat, now) == "plays":
        return now + PATIENCE
    writing.tell_all([one for one in news([(table, turn)], now) if one is not None], now)
    return None


def _outlook(game_id: UUID, seat: int, now: datetime) -> str:
    """Return what the seat's plan is about to do."""
    game = load(game_id)
    return outlook(game, seat, now=now) if game is not None else "none"


def _over(table: Table, turn: Turn, since: Sequence[log.Event]) -> str | None:
    """Return, from the events since, why the turn is over, or None while it runs."""
    after = folded(since, table)
    still = after.turns.get(turn.seat) if after is not None else None
    if still is not None and still.version == turn.version:
        return None
    planned = any(event.seat == turn.seat and event.data.get(PLANNED) is True for event in since)
    return AS_PLANNED if planned else writing.PLAYED
