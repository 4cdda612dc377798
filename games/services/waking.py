"""The task that is sent after a commit, so that the server's own moves follow at once. Losing it loses nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from time import monotonic
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import RedisError

from games.models import Game, Seat
from games.projections import Picture
from games.rules import GAMES

FORCED_MOVES = "forced_moves"
# A broker that does not answer is left alone for so many seconds: a request must not wait for it each time.
REST = 5.0
# Behind the sweeps, which must not wait for a thousand bots (0 is first, 9 last).
LATER = 6

logger = logging.getLogger(__name__)


def wants_forced_moves(seat: Seat) -> bool:
    """Whether the seat's player lets the server make forced moves (a preference)."""
    if seat.bot is not None or seat.player_id is None or seat.player is None:
        return False
    return seat.player.preferences.get(FORCED_MOVES) is True


def waits_for_server(game: Game, picture: Picture, actor: Mapping[str, Any]) -> bool:
    """Whether the server may have to move in a game that was just changed."""
    if picture.state is None or picture.status not in ("setup", "playing"):
        return False
    if actor["kind"] in ("bot", "forced"):
        return False  # who made that move goes on with the game
    if any(seat.to_act and wants_forced_moves(seat) for seat in game.seat_rows()):
        return True
    seated = {index for index, seat in enumerate(picture.players) if seat.bot is not None}
    if not seated or settings.TREY_BOT_PACE:
        return False  # at a pace there is nothing to do yet
    return any(picture.players[index].duty for index in seated) or not seated.isdisjoint(
        GAMES[picture.game].may_interrupt(picture.state)
    )


class Waker:
    """Sends the tasks of this process."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self, game_id: UUID) -> None:
        """Have a worker look at the game now. Never raises for a broker that is away: the sweep comes by."""
        if monotonic() < self._silent_until:
            return
        try:
            current_app.send_task("games.tasks.play_bots", [str(game_id)], retry=False, priority=LATER)
        except (OperationalError, RedisError) as error:
            self._silent_until = monotonic() + REST
            logger.warning("no task for the bots of game %s, the sweep finds them: %s", game_id, error)


wake = Waker()
