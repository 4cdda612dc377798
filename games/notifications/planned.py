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
from games.models import Plan
from games.notifications import groups
from games.notifications.kinds import TURN
from games.notifications.turns import Turn
from games.projections import load
from games.projections.vocabulary import PLANNED
from games.services.plans import outlook

CHORE = "games.planned_turn"
PATIENCE = timedelta(seconds=4)
AS_PLANNED = "played as planned"


def news(begun: Sequence[Turn], now: datetime) -> list[writing.News | None]:
    """Return what is told of turns that have begun; None if a plan is about to play. Two queries in all."""
    if not begun:
        return []
    plans = set(Plan.objects.filter(game_id__in={turn.game.id for turn in begun}).values_list("game_id", "seat"))
    over = sorted((turn for turn in begun if not turn.still_runs), key=lambda turn: turn.version, reverse=True)
    since = log.read_all({turn.game.stream: turn.version for turn in over})  # of each game from the first of them on
    return [
        _news(turn, since.get(turn.game.stream, ()), now, has_plan=(turn.game.id, turn.seat) in plans) for turn in begun
    ]


def _news(turn: Turn, since: Sequence[log.Event], now: datetime, *, has_plan: bool) -> writing.News | None:
    data, over = {"turn": turn.name}, None
    if not turn.still_runs:
        played = [event for event in since if event.version > turn.version and event.seat == turn.seat]
        over = AS_PLANNED if any(event.data.get(PLANNED) is True for event in played) else writing.PLAYED
    else:
        sees = outlook(turn.game, turn.seat, now=now) if has_plan else "none"
        if sees == "plays":
            where = {"game": str(turn.game.id), "turn": turn.version, "seat": turn.seat}
            work.put(CHORE, turn.name, where, due_at=now + PATIENCE)
            return None
        groups.say_turn(turn)
        if sees == "silent":
            data["plan"] = "no line fits"
    if turn.owner is None:
        return None
    return writing.News(turn.owner, TURN, turn.name, turn.game.id, turn.version, data, over)


@work.chore(CHORE)
def look_again(piece: work.Piece, now: datetime) -> datetime | None:
    """Tell the turn if its plan does not play it; list it if the plan has; wait while it is about to."""
    game = load(UUID(piece.data["game"]))
    if game is None:
        return None
    turn = Turn(game, piece.data["seat"], piece.data["turn"])
    if turn.still_runs and outlook(game, turn.seat, now=now) == "plays":
        return now + PATIENCE
    writing.tell_all([one for one in news([turn], now) if one is not None], now)
    return None
