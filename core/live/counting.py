"""The number of open streams, passed through Redis to the process that shows metrics. Without Redis it is unknown."""

import asyncio
import logging
import os
import socket
import time
from collections.abc import Sized

import redis
from django.conf import settings

from core.redis_client import client

SECONDS = 5.0
# A process that has not reported for this long is gone.
FRESH = 20.0

logger = logging.getLogger(__name__)


async def report(streams: Sized) -> None:
    """Report every few seconds how many streams this process has, until cancelled."""
    while True:
        try:
            await asyncio.to_thread(_say, len(streams))
        except redis.RedisError as error:
            logger.debug("nobody is told how many streams are open: %s", error)
        await asyncio.sleep(SECONDS)


def counted() -> tuple[int, int]:
    """The number of live processes, and of all their streams. Raises redis.RedisError."""
    since = time.time() - FRESH
    said = [bytes(value).decode().split(":") for value in client(settings.REDIS_URL).hvals(_name())]  # type: ignore[arg-type]
    fresh = [int(count) for at, count in said if float(at) > since]
    return len(fresh), sum(fresh)


def _say(count: int) -> None:
    with client(settings.REDIS_URL).pipeline(transaction=False) as many:
        many.hset(_name(), f"{socket.gethostname()}:{os.getpid()}", f"{time.time():.0f}:{count}")
        many.expire(_name(), int(2 * FRESH))
        many.execute()


def _name() -> str:
    return f"{settings.REDIS_PREFIX}live:streams"
