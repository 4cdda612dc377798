"""A real server with its live streams behind proxies, and the three clients: Python's two and TypeScript's."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import playwright
import pytest

from tests.clients.proxy import Proxy
from tests.games.live.conftest import Server, live, serving

__all__ = ["live", "serving"]

HERE = Path(__file__).parent
# Playwright's wheel brings a Node, so that TypeScript is tested wherever the tests run.
NODE = Path(playwright.__file__).parent / "driver" / "node"
CLIENTS = {
    "typescript": [str(NODE), str(HERE / "scenarios.ts")],
    "python": [sys.executable, str(HERE / "scenarios.py"), "python"],
    "asyncio": [sys.executable, str(HERE / "scenarios.py"), "asyncio"],
}


SECONDS = 240  # for which a client may say nothing


class Running:
    """A client that runs one scenario after another: what it says line by line."""

    def __init__(self, *command: str) -> None:
        self.rests = True
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._said: Queue[str] = Queue()
        self._wrong: list[str] = []
        self._readers = [Thread(target=self._hear), Thread(target=self._hear_wrong)]
        for reader in self._readers:
            reader.start()

    def _hear(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put("")

    def _hear_wrong(self) -> None:
        assert self.process.stderr
        self._wrong.append(self.process.stderr.read())

    def begin(self, scenario: str, args: dict[str, Any]) -> None:
        self.rests = False
        self.tell([scenario, args])

    def next(self) -> Any:
        """The next that it says; None at the end of the scenario, which must be a good one."""
        try:
            line = self._said.get(timeout=SECONDS)
        except Empty:
            raise AssertionError("The client says nothing.") from None
        if not line:
            self._readers[1].join()
            raise AssertionError(self._wrong)
        self.rests = line == "\n"
        return None if self.rests else json.loads(line)

    def tell(self, value: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def all(self) -> list[Any]:
        """What it still says, until the scenario ends."""
        return list(iter(self.next, None))

    def end(self) -> None:
        """It is told no more scenarios, and must end by itself."""
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(SECONDS)
        self.close()
        assert code == 0, self._wrong

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()


@dataclass
class Rig:
    """The client of the test, and what is between it and the server."""

    client: str
    api: Proxy
    streams: Proxy
    live: Server
    clients: list[Running]

    def begins(self, scenario: str, token: str | None = None, **args: Any) -> Running:
        args = {"url": self.api.url, "token": token, "spans": {"pause": 0.05}} | args
        if (client := next((one for one in self.clients if one.rests), None)) is None:
            client = Running(*CLIENTS[self.client])
            self.clients.append(client)
        client.begin(scenario, args)
        return client

    def calls(self, token: str | None, *calls: Any, **spans: float) -> list[Any]:
        """What each call of these answers: a name, places, keys."""
        padded = [[name, *rest, *([], {})[len(rest) :]] for name, *rest in calls]
        return self.begins("calls", token, calls=padded, spans={"pause": 0.05} | spans).all()

    def requests(self, where: str) -> list[tuple[str, int]]:
        """Those that came to such a path: method and status, 0 where the proxy did not ask the server."""
        return [(method, status) for method, path, status in self.api.seen if where in path]


@pytest.fixture(scope="session")
def clients() -> Iterator[dict[str, list[Running]]]:
    """Those that rest go on with the scenarios of the next test: starting one is dearer than most scenarios."""
    running: dict[str, list[Running]] = {name: [] for name in CLIENTS}
    yield running
    for client in chain.from_iterable(running.values()):
        client.end()


@pytest.fixture(params=list(CLIENTS))
def rig(
    request: pytest.FixtureRequest, live_server: Any, live: Server, settings: Any, clients: dict[str, list[Running]]
) -> Iterator[Rig]:
    port = urlsplit(live_server.url).port
    assert port
    made = Rig(request.param, Proxy(port), Proxy(live.port), live, clients[request.param])
    settings.TREY_LIVE_URL = made.streams.url
    settings.TREY_SITE_URL = made.api.url
    yield made
    for client in [one for one in made.clients if not one.rests]:
        client.close()
        made.clients.remove(client)
    made.api.close()
    made.streams.close()
