"""Signals of Redis for live streams: a connection that is lost is noticed, and nothing spins meanwhile."""

import asyncio
import errno

import pytest
from django.conf import settings
from redis.exceptions import RedisError

from core.live import database
from core.live.feed import Feed, _next_message
from core.live.streams import Streams
from core.redis_client import connected


def test_a_connection_that_the_kernel_has_given_up_is_an_error_not_silence():
    async def heard() -> None:
        async with connected(settings.REDIS_URL) as client, client.pubsub() as pubsub:
            await pubsub.subscribe(f"{settings.REDIS_PREFIX}news")
            assert (await _next_message(pubsub))["type"] == "subscribe"
            await client.publish(f"{settings.REDIS_PREFIX}news", "one")
            assert (await _next_message(pubsub))["data"] == b"one"
            # As after seconds without a response of a host that was cut off.
            pubsub.connection._reader.set_exception(TimeoutError(errno.ETIMEDOUT, "Connection timed out"))
            with pytest.raises(RedisError):
                await _next_message(pubsub)

    asyncio.run(asyncio.wait_for(heard(), 20))


def test_silence_is_no_error():
    async def heard() -> None:
        async with connected(settings.REDIS_URL) as client, client.pubsub() as pubsub:
            await pubsub.subscribe(f"{settings.REDIS_PREFIX}news")
            assert (await _next_message(pubsub))["type"] == "subscribe"
            assert (await _next_message(pubsub))["type"] == "pong"

    asyncio.run(heard())


def test_a_feed_that_is_cancelled_while_it_connects_or_a_signal_comes_ends(db):
    async def ends() -> None:
        async with database.opened() as opened:
            for steps in range(60):
                streams = Streams()
                streams.some.set()
                feed = Feed(opened, streams, nothing, told=nothing, channel="told")
                await feed.begin()
                following = asyncio.create_task(feed.follow())
                for step in range(steps):
                    await asyncio.sleep(0)
                    if step % 4 == 3:
                        feed._signalled.set()
                following.cancel()
                done, _ = await asyncio.wait([following], timeout=60)
                assert done and following.cancelled(), steps
                assert not [task for task in asyncio.all_tasks() if "_listen" in repr(task.get_coro())], steps

    asyncio.run(ends())


async def nothing(_: object) -> None:
    """Nobody listens."""
