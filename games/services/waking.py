"""The task sent after a commit, so that the server's own moves follow at once. If it is lost, a sweep makes them."""

from uuid import UUID

from django.conf import settings

from core.wakeups import Task
from games.projections import SeatSnapshot, Snapshot
from games.rules import GAMES

FORCED_MOVES = "forced_moves"
# Priorities of Celery's tasks, from 0, the first, to 9, the last. The sweeps, which must not wait for a thousand bots,
# have 0.
FIRST, LATER = 3, 6

_bots = Task("games.tasks.play_bots", lost="no task for the bots of a game; the sweep finds them")


def wants_forced_moves(snapshot: Snapshot, seat: SeatSnapshot) -> bool:
    """Return whether the seat's player lets the server make forced moves (a preference)."""
    player = snapshot.account_of(seat)
    return seat.bot is None and player is not None and player.preferences.get(FORCED_MOVES) is True


def waits_for_server(snapshot: Snapshot) -> bool:
    """Return whether the server may have to move in a game that was just changed."""
    if not snapshot.is_running:
        return False
    if any(seat.duty is not None and wants_forced_moves(snapshot, seat) for seat in snapshot.players):
        return True
    bots = {index for index, seat in enumerate(snapshot.players) if seat.bot is not None}
    rules = GAMES[snapshot.game]
    if not bots.isdisjoint(rules.may_settle(snapshot.state)):
        return True
    if not bots or settings.TREY_BOT_PACE:
        return False  # bots that play at a pace have nothing to do yet
    return any(snapshot.players[index].duty for index in bots) or not bots.isdisjoint(
        rules.may_interrupt(snapshot.state)
    )


def wake(game_id: UUID, priority: int = FIRST) -> None:
    """Have a worker look at the game now. A broker that is down is not an error: the sweep does the work.

    With any other priority, the game has been queued once before.
    """
    _bots.send(str(game_id), priority != FIRST, priority=priority)
