"""The task sent after a commit, so that the server's own moves follow at once. If it is lost, a sweep does the work."""

from __future__ import annotations

import logging
from time import monotonic
from uuid import UUID

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import RedisError

from games.projections import SeatSnapshot, Snapshot
from games.rules import GAMES
from games.services.shares import FIRST

FORCED_MOVES = "forced_moves"
# How long (seconds) to leave a broker alone that does not respond, so that not every request waits for it.
REST = 5.0

logger = logging.getLogger(__name__)


def wants_forced_moves(snapshot: Snapshot, seat: SeatSnapshot) -> bool:
    """Whether the seat's player lets the server make forced moves (a preference)."""
    player = snapshot.account_of(seat)
    return seat.bot is None and player is not None and player.preferences.get(FORCED_MOVES) is True


def waits_for_server(snapshot: Snapshot) -> bool:
    """Whether the server may have to move in a game that was just changed."""
    if not snapshot.is_running:
        return False
    if any(seat.duty is not None and wants_forced_moves(snapshot, seat) for seat in snapshot.players):
        return True
    bots = {index for index, seat in enumerate(snapshot.players) if seat.bot is not None}
    rules = GAMES[snapshot.game]
    if not bots.isdisjoint(rules.may_settle(snapshot.state)):
        return True
    if not bots or settings.TREY_BOT_PACE:
        return False  # at a pace there is nothing to do yet
    return any(snapshot.players[index].duty for index in bots) or not bots.isdisjoint(
        rules.may_interrupt(snapshot.state)
    )


class Waker:
    """Sends the tasks of this process."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self, game_id: UUID, priority: int = FIRST) -> None:
        """Have a worker look at the game now. A broker that is down is not an error: the sweep follows.

        With any other priority, the game has been queued once before (`games.services.shares`).
        """
        if monotonic() < self._silent_until:
            return
        arguments = [str(game_id), priority != FIRST]
        try:
            current_app.send_task("games.tasks.play_bots", arguments, retry=False, priority=priority)
        except (OperationalError, RedisError) as error:
            self._silent_until = monotonic() + REST
            logger.warning("no task for the bots of game %s, the sweep finds them: %s", game_id, error)


wake = Waker()
