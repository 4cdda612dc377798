"""The open streams of a process: how many each player has, signs of life, and their number for metrics (by Redis)."""

import asyncio
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Mapping, Sized
from uuid import UUID

import redis
from django.conf import settings

from core.http.media import encode
from core.http.problems import Problem
from core.live.server import Connection
from core.redis_client import client

# Streams of one player at a time.
MOST_A_PLAYER = 16
# Seconds: how soon a client comes back after its connection broke.
RETRY = 2
_HEAD = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    # nginx passes each event on at once.
    "X-Accel-Buffering": "no",
}
# No blank line follows a comment or the first `retry`: common readers take a block of them alone for an empty event.
_BEAT = b":\n"
# A process reports its number of streams after so many seconds; one that has not done so for this long is gone.
REPORT, FRESH = 5.0, 20.0

logger = logging.getLogger(__name__)


def server_sent(event: str, data: object, *, number: int | None = None) -> bytes:
    """An event in the format of the HTML standard (9.2, server-sent events)."""
    # The id from which a client resumes.
    resume = b"" if number is None else b"id: %d\n" % number
    # JSON has no line breaks.
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), resume, encode(data))


class Streams:
    def __init__(self) -> None:
        self._open: set[Connection] = set()
        self._of: Counter[UUID] = Counter()
        # Set while there are any.
        self.some = asyncio.Event()

    def __len__(self) -> int:
        return len(self._open)

    def open(self, connection: Connection, player: UUID, headers: Mapping[str, str]) -> None:
        """Make the connection a stream of the player. Raises Problem: too_many_streams."""
        if self._of[player] >= MOST_A_PLAYER:
            raise Problem(
                "too_many_streams",
                f"You have {MOST_A_PLAYER} live streams open, which is the limit for one player.",
                status=429,
                headers={"Retry-After": "15"},
            )
        connection.open_stream({**_HEAD, **headers})
        connection.send(b"retry: %d\n" % (RETRY * 1000))
        self._open.add(connection)
        self.some.set()
        self._of[player] += 1
        connection.on_close = lambda: self._forget(connection, player)

    async def beat(self) -> None:
        """Send a comment on each stream that was silent for `TREY_LIVE_HEARTBEAT` seconds, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self.some.wait()
            await asyncio.sleep(min(1.0, settings.TREY_LIVE_HEARTBEAT / 4))
            since = loop.time() - settings.TREY_LIVE_HEARTBEAT
            for connection in [each for each in self._open if each.sent_at < since]:
                connection.send(_BEAT)

    def close(self) -> None:
        for connection in list(self._open):
            connection.close()

    def _forget(self, connection: Connection, player: UUID) -> None:
        self._open.discard(connection)
        if not self._open:
            self.some.clear()
        self._of[player] -= 1
        if not self._of[player]:
            del self._of[player]


async def report(streams: Sized) -> None:
    while True:
        try:
            await asyncio.to_thread(_say, len(streams))
        except redis.RedisError as error:
            logger.debug("nobody is told how many streams are open: %s", error)
        await asyncio.sleep(REPORT)


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
