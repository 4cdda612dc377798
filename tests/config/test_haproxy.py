"""HAProxy with deploy/machines/haproxy-stores.cfg: everything that uses a store finds the primary that takes over."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import psycopg
import pytest
import redis
from celery import Celery
from django.conf import settings
from django.core.cache.backends.redis import RedisCache
from django.db import OperationalError as DatabaseAway
from django.db import connection, connections
from kombu.exceptions import OperationalError

from benchmarks.machines.cluster import DEPLOY
from config import addresses
from config.running.embedded.redis import _binary
from core import redis_client
from core.wakeups import Channel, Listener

HAPROXY = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin")
PATIENCE = 60
pytestmark = [pytest.mark.slow, pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed")]


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def becomes(what) -> None:
    until = monotonic() + PATIENCE
    while not what():
        assert monotonic() < until, "it did not come about"
        sleep(0.05)


def works(call) -> bool:
    try:
        call()
    except (redis.RedisError, OSError, OperationalError):
        return False
    return True


class Stores:
    """HAProxy, three servers of Redis, and what Patroni says of three of PostgreSQL, which are one and the same."""

    def __init__(self, folder: Path) -> None:
        self.binary, self.folder = str(_binary(settings.PLACE)), folder
        self.ports, self.front, self.postgresql = [free_port() for _ in range(3)], free_port(), free_port()
        self.servers = [self.started(port, *self.following(0)) if n else self.started(port)
                        for n, port in enumerate(self.ports)]  # fmt: skip
        self.leads, self.patronis = 0, [self.patroni(number) for number in range(3)]
        parameters = connection.get_connection_params()
        server = f"unix@{parameters['host']}/.s.PGSQL.{parameters.get('port') or 5432}"
        text = (DEPLOY / "haproxy-stores.cfg").read_text()
        text = text.replace("127.0.0.1:6379", f"127.0.0.1:{self.front}")
        text = text.replace("127.0.0.1:5000", f"127.0.0.1:{self.postgresql}")
        for number, (port, patroni) in enumerate(zip(self.ports, self.patronis, strict=True), 1):
            text = text.replace(f"10.77.0.1{number}:6379", f"127.0.0.1:{port}")
            text = text.replace(
                f"10.77.0.1{number}:5432 check port 8008",
                f"{server} check addr 127.0.0.1 port {patroni.server_port}",
            )
        (folder / "haproxy.cfg").write_text(text)
        self.haproxy = subprocess.Popen([HAPROXY, "-db", "-f", folder / "haproxy.cfg"])
        self.url = f"redis://:secret@127.0.0.1:{self.front}/0"

    def started(self, port: int, *arguments: str) -> subprocess.Popen[bytes]:
        here = ["--bind", "127.0.0.1", "--dir", str(self.folder), "--port", str(port)]
        # By default a primary waits for more replicas before it sends one the data.
        command = [self.binary, str(DEPLOY / "redis.conf"), *here, "--repl-diskless-sync-delay", "0", *arguments]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        becomes(lambda: works(lambda: self.at(port).ping()))
        return server

    def following(self, number: int) -> tuple[str, ...]:
        return "--replicaof", "127.0.0.1", str(self.ports[number])

    def at(self, port: int) -> redis.Redis:
        return redis.Redis(port=port, password="secret", socket_timeout=2)

    def patroni(self, number: int) -> ThreadingHTTPServer:
        class Says(BaseHTTPRequestHandler):
            def do_GET(here) -> None:  # noqa: N805
                here.send_response(200 if self.leads == number else 503)
                here.end_headers()

            def log_message(here, *_: object) -> None:  # noqa: N805
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Says)
        Thread(target=server.serve_forever, daemon=True).start()
        return server

    def lose_the_primary(self) -> None:
        """The second server takes over, and the third follows it. The first one returns as a primary, of nobody."""
        self.servers[0].kill()
        self.servers[0].wait()
        self.at(self.ports[1]).replicaof("NO", "ONE")
        self.at(self.ports[2]).replicaof("127.0.0.1", self.ports[1])
        becomes(lambda: self.at(self.ports[1]).info("replication")["connected_slaves"] == 1)
        self.servers[0] = self.started(self.ports[0])

    def stop(self) -> None:
        for process in (self.haproxy, *self.servers):
            process.kill()
            process.wait()
        for patroni in self.patronis:
            patroni.shutdown()
            patroni.server_close()


@pytest.fixture
def stores(tmp_path, db) -> Iterator[Stores]:
    there = Stores(tmp_path)
    yield there
    there.stop()


def heard(channel: Channel, listener: Listener) -> bool:
    channel._breaker._silent_until = listener._silent_until = 0  # not the five seconds for which Redis is left alone
    listener.hear(0.1)
    channel.publish("two")
    return "two" in listener.hear(0.5)


async def asked(url: str) -> None:
    async with redis_client.connected(url) as client:
        assert await client.get("after") == b"2"


def test_whoever_uses_redis_finds_the_primary_that_takes_over_and_not_the_old_one(stores, settings):
    settings.REDIS_URL = addresses.redis(stores.url)
    redis_client.client.cache_clear()
    client = redis_client.client(settings.REDIS_URL)
    becomes(lambda: works(lambda: client.set("before", 1)))
    cache = RedisCache([settings.REDIS_URL], {"OPTIONS": settings.CACHES["default"]["OPTIONS"]})
    becomes(lambda: works(lambda: cache.set("page", "kept")))
    # Not as the current one: the tasks of all later tests would go there.
    tasks = Celery("tasks", broker=addresses.broker(stores.url), set_as_current=False)
    tasks.conf.broker_transport_options = {
        "global_keyprefix": "x:",
        "socket_timeout": 5,
        **redis_client.keepalive(stores.url),
    }
    becomes(lambda: works(lambda: tasks.send_task("first", retry=False)))
    channel, stop = Channel("news", lost="nothing"), Event()
    listener = Listener(channel, stop)
    becomes(lambda: heard(channel, listener))

    stores.lose_the_primary()

    try:
        becomes(lambda: works(lambda: client.set("after", 2)))
        becomes(lambda: works(lambda: cache.set("page", "kept again")))
        becomes(lambda: works(lambda: tasks.send_task("second", retry=False)))
        there = stores.at(stores.ports[1])
        assert there.get("after") == b"2"
        assert cache.get("page") == "kept again"
        assert there.llen("x:celery") >= 1
        becomes(lambda: heard(channel, listener))
        becomes(lambda: works(lambda: asyncio.run(asked(stores.url))))
        assert stores.at(stores.ports[0]).get("after") is None
    finally:
        listener.close()
        redis_client.client.cache_clear()


@pytest.fixture
def pooled(stores):
    """The connection of this thread, out of a pool as the web's, through HAProxy."""
    wrapper, before = connections["default"].copy(), connections["default"]
    wrapper.settings_dict["OPTIONS"]["pool"] = {"min_size": 2, "max_size": 4, "timeout": 5, "reconnect_timeout": 2}
    wrapper.settings_dict |= {"CONN_MAX_AGE": 0, "HOST": "127.0.0.1", "PORT": str(stores.postgresql)}
    becomes(lambda: reached(stores))
    connections["default"] = wrapper
    wrapper._connection_pools = {}  # one of its own
    yield wrapper
    wrapper.close()
    wrapper.close_pool()
    connections["default"] = before


def reached(stores: Stores) -> bool:
    parameters = connection.get_connection_params()
    try:
        psycopg.connect(
            host="127.0.0.1", port=stores.postgresql, user=parameters["user"], password=parameters.get("password"),
            dbname=parameters["dbname"],
        ).close()  # fmt: skip
    except psycopg.OperationalError:
        return False
    return True


def pid(wrapper) -> int:
    """The server process of a connection, which is given back; 0 if the connection has ended."""
    try:
        with wrapper.cursor() as cursor:
            return int(cursor.execute("SELECT pg_backend_pid()").fetchone()[0])
    except DatabaseAway:
        return 0
    finally:
        wrapper.close()


def test_connections_end_when_another_postgresql_is_the_primary_and_the_pool_has_new_ones(stores, pooled):
    before = pid(pooled)
    assert before
    stores.leads = 1
    becomes(lambda: pid(pooled) not in (0, before))
