"""A server of live streams beside the test, with a database and a Redis of its own connections, and its clients."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from threading import Event, Thread
from typing import Any

import pytest

from core import wakeups
from core.live import database, feed, server
from core.live.database import Database
from core.live.streams import Streams
from core.notifications.services import told_players
from games.live import Live
from tests.games.api.client import Person, concrete
from tests.games.api.conftest import person
from tournaments import selectors


class Stream:
    """A client's connection: the head of the response, and the events one by one."""

    def __init__(self, port: int, path: str, token: str | None = None, **headers: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        lines = [f"GET /api/v1/{path} HTTP/1.1", "Host: localhost"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if token is not None:
            lines.append(f"Authorization: Bearer {token}")
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._file = self.socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers: dict[str, str] = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(": ")
            self.headers[name.lower()] = value

    def body(self) -> Any:
        """The JSON of a whole response."""
        return json.loads(self._file.read())

    def lines(self) -> list[str]:
        """The lines of the next block; nothing at the end of the stream."""
        return list(iter(self.line, ""))

    def line(self) -> str:
        """The next line; nothing if it is blank, or at the end of the stream."""
        return self._file.readline().decode().rstrip("\n")

    def next(self, *, talk: bool = False) -> dict[str, Any] | None:
        """The next event as {"event", "id", "data"}, without the comments before it; None at the end of the stream.

        What is said is passed over but for `talk`.
        """
        while lines := self.lines():
            fields = dict(line.split(": ", 1) for line in lines if not line.startswith((":", "retry: ")))
            if "data" in fields and (talk or fields["event"] != "talk"):
                return {"id": None, **fields, "data": json.loads(fields["data"])}
        return None

    def close(self) -> None:
        self.socket.close()
        self._file.close()


class Server:
    """The server, in a thread with an event loop of its own."""

    def __init__(self, buffer: int, reads: Callable[[Database], Database]) -> None:
        self.buffer, self._reads = buffer, reads
        self.port = 0
        self.streams = Streams()
        self._ready, self._thread = Event(), Thread(target=lambda: asyncio.run(self._run()))
        self._opened: list[Stream] = []

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(60), "the server of live streams did not start"

    def stop(self) -> None:
        for stream in self._opened:
            stream.close()
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(60)
        assert not self._thread.is_alive(), asyncio.all_tasks(self._loop)

    def cut(self) -> None:
        """End all streams, as a restart does."""
        self._loop.call_soon_threadsafe(self.streams.close)

    def opens(self, path: str, token: str | None = None, **headers: str) -> Stream:
        """A connection, closed at the end of the test."""
        stream = Stream(self.port, path, token, **headers)
        self._opened.append(stream)
        return stream

    def do(self, work: Callable[[], None]) -> None:
        """Have something done in the server's loop."""
        self._loop.call_soon_threadsafe(work)

    async def _run(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        async with database.opened() as opened:
            reader = self._reads(opened)
            live = Live(reader, self.streams, newest_result=selectors.newest_result, results=selectors.public_results)
            news = feed.Feed(reader, self.streams, live.news, told=live.told, channel=told_players.name)
            await news.begin()
            connections: list[server.Connection] = []

            async def respond(request: server.Request, connection: server.Connection) -> None:
                connections.append(connection)
                await live.respond(request, connection)

            listening = await server.serve(respond, "127.0.0.1", 0, buffer=self.buffer)
            self.port = listening.sockets[0].getsockname()[1]
            work = [
                asyncio.create_task(each)
                for each in (news.follow(), live.recheck(), live.presence(), live.results(), self.streams.beat())
            ]
            self._ready.set()
            await self._stopping.wait()
            listening.close()
            self.streams.close()
            # One that is still let in is no stream yet.
            for connection in connections:
                connection.abort()
            # `asyncio.wait_for`, which clients of Redis and PostgreSQL use, can lose a cancellation (Python 3.11).
            while waiting := [task for task in work if not task.done()]:
                for task in waiting:
                    task.cancel()
                await asyncio.wait(waiting, timeout=2)
            ended = await asyncio.gather(*work, return_exceptions=True)
            assert all(isinstance(each, asyncio.CancelledError) for each in ended), ended


@pytest.fixture
def serving(transactional_db: None) -> Iterator[Callable[..., Server]]:
    """Starts servers: `serving(buffer=65536)`; `reads` may put something between a server and its database."""
    servers = []

    def start(buffer: int = 256 * 1024, reads: Callable[[Database], Database] = lambda opened: opened) -> Server:
        servers.append(Server(buffer, reads))
        servers[-1].start()
        return servers[-1]

    yield start
    for each in servers:
        each.stop()


@pytest.fixture
def live(serving: Callable[..., Server]) -> Server:
    return serving()


@pytest.fixture
def without_redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redis is away, and left alone no longer than that: later tests send signals again."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(wakeups, "REST", 0.0)


@pytest.fixture
def alice(transactional_db: None) -> Person:
    return person("alice")


@pytest.fixture
def bob(transactional_db: None) -> Person:
    return person("bob")


@pytest.fixture
def charlie(transactional_db: None) -> Person:
    return person("charlie")


@pytest.fixture
def game(alice: Person, bob: Person) -> dict[str, Any]:
    """Alice's and Bob's game of Threes, just dealt."""
    room = alice.opens()
    bob.post(f"games/{room['id']}/join")
    return dict(alice.post(f"games/{room['id']}/start").body)


def plays(who: Person, game: dict[str, Any]) -> dict[str, Any]:
    """The first legal move of one player; the answer's body."""
    legal = who.get(f"games/{game['id']}/moves").body["moves"]
    answer = who.post(f"games/{game['id']}/moves", concrete(legal[0]))
    assert answer.status == 201, answer.body
    return dict(answer.body)
