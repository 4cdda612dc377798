"""Turns that a plan may play (PL2, PL7): told when it is known that the plan does not, listed when it did.

A plan is carried out within two seconds. A turn that it is about to play is not told at once: a chore looks a little
later, and again as long as the plan has not moved.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from games.models import Plan, stream_of
from games.platform import log
from games.platform.telling import services as telling
from games.platform.work import services as work
from games.projections import load
from games.projections.vocabulary import PLANNED
from games.services.plan_moves import outlook
from games.telling import groups
from games.telling.kinds import TURN
from games.telling.table import Table, Turn, folded

CHORE = "games.planned_turn"
PATIENCE = timedelta(seconds=4)
AS_PLANNED = "played as planned"


def tell(table: Table, turn: Turn, now: datetime) -> None:
    """Tell a turn that has just begun, unless its plan is about to play it, or it is over already."""
    name = turn.name(table.game_id)
    over = _over(table, turn)
    data: dict[str, str] = {"turn": name}
    if over is None:
        sees = _outlook(table.game_id, turn.seat, now)
        if sees == "plays":
            where = {"game": str(table.game_id), "upto": table.version, "seat": turn.seat}
            work.put(CHORE, name, where, due_at=now + PATIENCE)
            return
        groups.say_turn(table, turn)
        if sees == "silent":
            data["plan"] = "no line fits"
    if turn.owner is not None:
        telling.tell(
            [turn.owner], TURN, name, subject_id=table.game_id, version=turn.version, data=data, lost=over, now=now
        )


@work.chore(CHORE)
def look_again(piece: work.Piece, now: datetime) -> datetime | None:
    """Tell the turn if its plan has not played it; list it if it has; wait while it is about to."""
    game_id = UUID(piece.data["game"])
    table = folded(log.read(stream_of(game_id), upto=piece.data["upto"]))
    turn = table.turns.get(piece.data["seat"]) if table is not None else None
    if table is None or turn is None:
        return None
    if _over(table, turn) is None and _outlook(game_id, turn.seat, now) == "plays":
        return now + PATIENCE
    tell(table, turn, now)
    return None


def _outlook(game_id: UUID, seat: int, now: datetime) -> str:
    """What the seat's plan is about to do; most seats have none, which is one query."""
    if not Plan.objects.filter(game_id=game_id, seat=seat).exists():
        return "none"
    game = load(game_id)
    return outlook(game, seat, now=now) if game is not None else "none"


def _over(table: Table, turn: Turn) -> str | None:
    """Why the turn is over by the log as it is now; None while it runs."""
    since = log.read(stream_of(table.game_id), after=table.version)
    after = folded(since, table)
    still = after.turns.get(turn.seat) if after is not None else None
    if still is not None and still.version == turn.version:
        return None
    planned = any(event.seat == turn.seat and event.data.get(PLANNED) is True for event in since)
    return AS_PLANNED if planned else telling.PLAYED
