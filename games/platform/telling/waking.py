"""The signal that wakes a player's live streams after a commit. A lost one costs them a poll."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from time import monotonic
from uuid import UUID

import redis
from django.conf import settings

from games.platform.redis_client import client

REST = 5.0

logger = logging.getLogger(__name__)


def channel() -> str:
    """The Redis channel; each message is the id of a player who has a new notification."""
    return f"{settings.REDIS_PREFIX}telling"


class Waker:
    """Sends the signals of this process."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self, players: Iterable[UUID]) -> None:
        """Wake the streams of these players. Without Redis nothing happens."""
        if monotonic() < self._silent_until:
            return
        try:
            with client(settings.REDIS_URL).pipeline(transaction=False) as many:
                for player in players:
                    many.publish(channel(), str(player))
                many.execute()
        except redis.RedisError as error:
            self._silent_until = monotonic() + REST
            logger.warning("no wake-up signal for live streams, they poll meanwhile: %s", error)


wake = Waker()
