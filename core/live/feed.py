"""The feed of news: which streams of the log have moved on, and which players have been told something.

Both follow a signal of Redis. While there are streams the log is also asked once a second, by one statement for all of
them; the notifications when no signal can have come.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.conf import settings
from redis.asyncio.client import PubSub
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from core.live.database import AWAY, Database
from core.live.streams import Streams
from core.log.appending import signals
from core.redis_client import connected
from core.wakeups import REST

# How many seconds pass between two looks at the log: with streams open, and with none.
POLL, IDLE = 1.0, 15.0
# A signal can be lost while Redis responds, too.
SWEEP = 10.0
# After this long without a signal Redis is asked whether it is there, and given up if it does not respond.
QUIET, RESPONSE = 0.75, 0.75
# A burst of signals counts as one, and begins so long after the one before at the earliest.
GATHER, APART = 0.005, 0.05
# A task that has not ended this long after its cancellation is cancelled again.
LOST = 0.1

_HEADS = "SELECT head FROM log_counter ORDER BY bucket"
# Within a bucket the order of positions is that of commits, without gaps: nothing can appear before a head later on.
_NEWS = """
SELECT counter.bucket, counter.head, event.stream_id
FROM unnest(%s::bigint[]) WITH ORDINALITY AS seen (position, number)
JOIN log_counter counter ON counter.bucket = seen.number - 1 AND counter.head > seen.position
JOIN log_event event
  ON event.bucket = counter.bucket AND event.position > seen.position AND event.position <= counter.head
GROUP BY counter.bucket, counter.head, event.stream_id
"""

logger = logging.getLogger(__name__)

News = Callable[[set[str]], Awaitable[None]]
Told = Callable[[set[UUID] | None], Awaitable[None]]


class Feed:
    """Tells `news` the streams that have moved on, `told` the players with a new notification (None: any player)."""

    def __init__(self, database: Database, streams: Streams, news: News, *, told: Told, channel: str) -> None:
        self._database, self._streams, self._news, self._told, self._channel = database, streams, news, told, channel
        self._seen: list[int] = []
        self._signalled = asyncio.Event()
        self._reachable = True
        self._players: set[UUID] = set()
        self._listens = False
        self._swept_at = 0.0

    async def begin(self) -> None:
        """Remember where the log ends now: all that follows is news. Waits for a database that does not respond."""
        while True:
            try:
                self._seen = [head for (head,) in await self._database.fetch(_HEADS)]
            except AWAY as error:
                self._note_away(error)
                await asyncio.sleep(POLL)
            else:
                self._reachable = True
                return

    async def follow(self) -> None:
        listening = asyncio.create_task(self._listen())
        try:
            while True:
                # Before Python 3.12, `asyncio.wait_for` would lose a cancellation that comes with a signal.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL if self._streams.some.is_set() else IDLE):
                        await self._signalled.wait()
                    await asyncio.sleep(GATHER)
                self._signalled.clear()
                await self._look()
                await self._tell()
        finally:
            # The client of Redis uses `asyncio.wait_for`, so a cancellation may have to be repeated.
            while not listening.done():
                listening.cancel()
                await asyncio.wait([listening], timeout=LOST)

    async def _look(self) -> None:
        try:
            rows = await self._database.fetch(_NEWS, [self._seen])
        except AWAY as error:
            self._note_away(error)
            return
        self._reachable = True
        for bucket, head, _ in rows:
            self._seen[bucket] = head
        if rows:
            await self._news({stream for _, _, stream in rows})

    async def _tell(self) -> None:
        now = asyncio.get_running_loop().time()
        players, self._players = self._players, set()
        missing = not self._listens or now > self._swept_at + SWEEP
        if missing:
            self._swept_at = now
        if not (missing or players):
            return
        try:
            await self._told(None if missing else players)
        except AWAY as error:
            # The next sweep finds them.
            self._swept_at = 0.0
            self._note_away(error)

    def _note_away(self, error: Exception) -> None:
        if self._reachable:
            logger.warning("the database does not respond, live streams wait for it: %s", error)
        self._reachable = False

    def _note(self, message: dict[str, Any]) -> None:
        if message["type"] == "pong":
            return
        if message["type"] == "subscribe":
            # Signals that were sent before are missing.
            self._listens, self._swept_at = True, 0.0
        elif message["channel"].decode() == self._channel:
            self._players.add(UUID(message["data"].decode()))
        self._signalled.set()

    async def _listen(self) -> None:
        """Note the signals of Redis while there are streams. Without Redis the poll finds everything."""
        while True:
            await self._streams.some.wait()
            self._signalled.set()
            try:
                async with connected(settings.REDIS_URL) as client, client.pubsub() as pubsub:
                    await pubsub.subscribe(signals.name, self._channel)
                    while self._streams.some.is_set():
                        message: dict[str, Any] | None = await _next_message(pubsub)
                        while message is not None:
                            self._note(message)
                            message = await pubsub.get_message(timeout=0)
                        await asyncio.sleep(APART)
                continue
            except (RedisError, OSError) as error:
                logger.warning("no wake-up signals from Redis, live streams poll meanwhile: %s", error)
            finally:
                self._listens = False
            # News that was not signalled is looked for at once.
            self._signalled.set()
            await asyncio.sleep(REST)


async def _next_message(pubsub: PubSub) -> dict[str, Any]:
    """The next message, or a `pong` if there is none. Raises RedisError if Redis does not respond."""
    message: dict[str, Any] | None = await pubsub.get_message(timeout=QUIET)
    if message is None:
        await pubsub.ping()
        message = await pubsub.get_message(timeout=RESPONSE)
    if message is None:
        raise RedisConnectionError("Redis does not respond")
    return message
