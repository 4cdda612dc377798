"""Redis under Sentinel: everything that uses it finds the primary, and the one that takes over."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from time import monotonic, sleep

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.core.cache.backends.redis import RedisCache
from kombu.exceptions import OperationalError

from config import addresses
from config.running.embedded.redis import _binary
from core import redis_client
from core.wakeups import Channel, Listener

PATIENCE = 60


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answering(port: int) -> redis.Redis:
    there, until = redis.Redis(port=port, socket_timeout=2), monotonic() + PATIENCE
    while monotonic() < until:
        try:
            there.ping()
        except redis.RedisError:
            sleep(0.05)
        else:
            return there
    raise AssertionError(f"no Redis at {port}")


def becomes(what) -> None:
    until = monotonic() + PATIENCE
    while not what():
        assert monotonic() < until, "it did not come about"
        sleep(0.05)


class Watched:
    """Two servers and a sentinel."""

    def __init__(self, folder: Path) -> None:
        binary, self.ports, self.sentinel = str(_binary(settings.PLACE)), (free_port(), free_port()), free_port()
        first, second = self.ports
        plain = [binary, "--save", "", "--bind", "127.0.0.1", "--dir", str(folder)]
        conf = folder / "sentinel.conf"
        conf.write_text(
            f"port {self.sentinel}\nbind 127.0.0.1\ndir {folder}\nsentinel monitor trey 127.0.0.1 {first} 1\n"
            "sentinel down-after-milliseconds trey 500\nsentinel failover-timeout trey 3000\n"
        )
        commands = [
            [*plain, "--port", str(first)],
            [*plain, "--port", str(second), "--replicaof", "127.0.0.1", str(first)],
            [binary, str(conf), "--sentinel"],
        ]
        self.processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
        for port in self.ports:
            answering(port)
        self.url = f"sentinel://127.0.0.1:1,127.0.0.1:{self.sentinel}/0?master_name=trey"
        asked = answering(self.sentinel)
        becomes(lambda: len(asked.sentinel_slaves("trey")) == 1)
        becomes(lambda: answering(second).info("replication")["master_link_status"] == "up")

    def lose_the_primary(self) -> None:
        self.processes[0].kill()
        self.processes[0].wait()
        becomes(lambda: answering(self.ports[1]).info("replication")["role"] == "master")

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def watched(tmp_path) -> Iterator[Watched]:
    there = Watched(tmp_path)
    yield there
    there.stop()


def test_whoever_uses_redis_finds_the_primary_that_takes_over(watched, settings):
    settings.REDIS_URL = addresses.redis(watched.url)
    redis_client.client.cache_clear()
    client = redis_client.client(settings.REDIS_URL)
    becomes(lambda: works(lambda: client.set("before", 1)))
    cache = RedisCache([settings.REDIS_URL], {"OPTIONS": settings.CACHES["default"]["OPTIONS"]})
    becomes(lambda: works(lambda: cache.set("page", "kept")))
    # Not as the current one: the tasks of all later tests would go there.
    tasks = Celery("tasks", broker=addresses.broker(watched.url), set_as_current=False)
    tasks.conf.broker_transport_options = {
        "global_keyprefix": "x:",
        "socket_timeout": 5,
        **redis_client.broker_options(watched.url),
    }
    becomes(lambda: works(lambda: tasks.send_task("first", retry=False)))
    channel, stop = Channel("news", lost="nothing"), Event()
    listener = Listener(channel, stop)
    becomes(lambda: heard(channel, listener))

    watched.lose_the_primary()

    try:
        # It still leads nowhere until the sentinel has told all.
        becomes(lambda: works(lambda: client.set("after", 2)))
        becomes(lambda: works(lambda: cache.set("page", "kept again")))
        becomes(lambda: works(lambda: tasks.send_task("second", retry=False)))
        there = redis.Redis(port=watched.ports[1])
        assert there.get("after") == b"2"
        assert cache.get("page") == "kept again"
        assert there.llen("x:celery") >= 1
        # The first call may only notice that the connection is gone.
        becomes(lambda: heard(channel, listener))
        becomes(lambda: works(lambda: asyncio.run(asked(watched.url))))
    finally:
        listener.close()
        redis_client.client.cache_clear()


def works(call) -> bool:
    try:
        call()
    except (redis.RedisError, OSError, OperationalError):
        return False
    return True


def heard(channel: Channel, listener: Listener) -> bool:
    channel._breaker._silent_until = listener._silent_until = 0  # not the five seconds for which Redis is left alone
    listener.hear(0.1)
    channel.publish("two")
    return "two" in listener.hear(0.5)


async def asked(url: str) -> None:
    async with redis_client.connected(url) as client:
        assert await client.get("after") == b"2"
