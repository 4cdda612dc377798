"""The workers' time that each owner's bots have had lately, for serving bots fairly.

The owner of a game's bots is who opened the game. A tournament's table is its own owner: it belongs to those who play
there. The time is counted in the cache, in milliseconds for each window of `WINDOW` seconds. Losing the counts costs
fairness for some seconds, nothing else.
"""

from __future__ import annotations

import logging
import time
from uuid import UUID

from django.core.cache import cache
from redis.exceptions import RedisError

from games.models import Game

# Seconds.
WINDOW = 10
# Priorities of Celery's tasks: 0 is first, 9 last. The sweeps, which must not wait for a thousand bots, have 0.
FIRST = 3
# Seconds of a worker's time, in this window and the one before, after which an owner's games come after others'.
PRIORITIES = ((5.0, 9), (1.0, 6))

logger = logging.getLogger(__name__)


def owner_of(game_id: UUID) -> str:
    """The owner whose share the bots of a game use."""
    opener = Game.objects.filter(pk=game_id).values_list("opener_id", flat=True).first()
    return str(opener or game_id)


def charge(owner: str, seconds: float) -> None:
    """Count time that was spent on an owner's bots."""
    key, spent = _key(owner, _window()), max(1, round(1000 * seconds))
    try:
        cache.add(key, 0, timeout=3 * WINDOW)
        cache.incr(key, spent)
    except (RedisError, OSError, ValueError):
        # ValueError: the key was lost between the two calls.
        logger.debug("time spent on bots was not counted")


def priority(owner: str) -> int:
    """The priority of the owner's next task, by the time used lately."""
    now = _window()
    try:
        spent = sum(cache.get_many([_key(owner, now), _key(owner, now - 1)]).values()) / 1000
    except (RedisError, OSError):
        return FIRST
    return next((level for least, level in PRIORITIES if spent >= least), FIRST)


def _window() -> int:
    return int(time.time() // WINDOW)


def _key(owner: str, window: int) -> str:
    return f"bots:{owner}:{window}"
