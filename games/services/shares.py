"""The workers' time that each owner's bots have had lately, for serving bots fairly.

The owner of a game's bots is the player who opened it. A tournament's table is its own owner: it belongs to those who
play there. The time is counted in the cache, in milliseconds for each window of `WINDOW` seconds. Losing the counts
only costs fairness for some seconds.
"""

import logging
import time
from collections.abc import Collection
from uuid import UUID

from django.core.cache import cache
from redis.exceptions import RedisError

from games.models import Game

# Seconds.
WINDOW = 10
# Priorities of Celery's tasks, from 0, the first, to 9, the last. The sweeps, which must not wait for a thousand bots,
# have 0.
FIRST, LATER = 3, 6
# Seconds of workers' time, in this window and the one before, after which an owner's games queue up.
LIGHT = 1.0

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
    return LATER if used([owner])[owner] >= LIGHT else FIRST


def used(owners: Collection[str]) -> dict[str, float]:
    """The seconds of the workers' time that each owner's bots have had in this window and the one before."""
    now = _window()
    keys = {owner: (_key(owner, now), _key(owner, now - 1)) for owner in owners}
    try:
        found = cache.get_many([key for pair in keys.values() for key in pair])
    except (RedisError, OSError):
        found = {}
    return {owner: sum(found.get(key, 0) for key in pair) / 1000 for owner, pair in keys.items()}


def _window() -> int:
    return int(time.time() // WINDOW)


def _key(owner: str, window: int) -> str:
    return f"bots:{owner}:{window}"
