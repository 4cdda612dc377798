"""People of the benchmarks: requests that are sent until they are answered, and tables where games are played."""

import http.client
import json
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

# What a client meets while something is away, and tries again; 0 is a connection that broke.
TRANSIENT = (0, 408, 429, 500, 502, 503, 504)

# Every event of a command: the game and key of the request, if it was one, and its stream, version, time and command.
EVENTS = """
SELECT split_part(receipt.address, '/', 5), receipt.key, event.stream_id, event.version, event.recorded_at,
       event.command_id::text
FROM log_event event LEFT JOIN jobs_receipt receipt ON receipt.id = event.command_id AND receipt.status = 201
WHERE event.command_id IS NOT NULL ORDER BY event.stream_id, event.version
"""


def say(text: str) -> None:
    """Print a line with the time."""
    print(f"{datetime.now(UTC):%H:%M:%S}  {text}", flush=True)


def lost_and_doubled(moves: Iterable[tuple[str, str, int]], rows: Iterable[Sequence[Any]]) -> tuple[int, int]:
    """How many acknowledged moves (game, key, version) `EVENTS` lacks, and how many commands have two appends."""
    found: dict[tuple[str, str], set[tuple[str, int]]] = {}
    appended: dict[str, list[tuple[str, datetime, int]]] = {}
    for game, key, stream, version, at, command in rows:
        found.setdefault((game, key), set()).add((stream, version))
        appended.setdefault(command, []).append((stream, at, version))
    lost = [game for game, key, version in moves if (f"game-{game}", version) not in found.get((game, key), ())]
    doubled = [
        command
        for command, events in appended.items()
        # One append: one stream, one moment, versions without a gap.
        if len({event[:2] for event in events}) > 1 or events[-1][2] - events[0][2] != len(events) - 1
    ]
    return len(lost), len(doubled)


@dataclass
class Client:
    """The service at an address, and what its responses were. `broken` are connections by the error they ended with."""

    address: str
    port: int
    timeout: float = 20
    stopping: threading.Event = field(default_factory=threading.Event)
    statuses: Counter[int] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    # Responses that no client should ever see, with the id that the log has.
    bad: list[str] = field(default_factory=list)
    # Whether each thread keeps a connection, as browsers do; one of its own for each request fails sooner.
    keeps: bool = False
    _kept: threading.local = field(default_factory=threading.local)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        key: str = "",
        timeout: float | None = None,
    ) -> tuple[int, Any]:
        """One request; status 0 when the connection broke or nothing came. A path without a slash is of the API."""
        headers = {"Host": "localhost", "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        path = path if path[0] == "/" else f"/api/v1/{path}"
        connection = http.client.HTTPConnection(self.address, self.port, timeout=timeout or self.timeout)
        if self.keeps:
            connection = self._kept.__dict__.setdefault("connection", connection)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            raw = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.broken[type(error).__name__] += 1
            connection.close()
            return 0, None
        if not self.keeps:
            connection.close()
        self.statuses[response.status] += 1
        if response.status >= 500 and response.status not in (502, 503, 504):
            self.bad.append(f"{method} {path}: {response.status} {response.getheader('X-Request-ID')}")
        is_json = "json" in (response.getheader("Content-Type") or "")
        return response.status, json.loads(raw) if raw and is_json else None

    def surely(self, method: str, path: str, body: Any = None, *, token: str | None = None, key: str = "") -> Any:
        """The body of a response, asked for until there is one; None when it was refused or the run is over."""
        while not self.stopping.is_set():
            status, found = self.call(method, path, body, token=token, key=key)
            if status not in TRANSIENT:
                return found if status < 400 else None
            self.stopping.wait(0.2)
        return None

    def sign_up(self, name: str) -> str:
        """A token of a new account."""
        account = {"username": name, "password": f"{name} keeps a secret"}
        self.surely("POST", "players", account)
        return str(self.surely("POST", "auth/login", account)["token"])


@dataclass
class Table:
    """Two players and some bots, one game after another. `took` hears of each move that was acknowledged."""

    client: Client
    tokens: list[str]
    game: str = "threes"
    bots: int = 1

    def run(self) -> None:
        """Play until the run is over."""
        while not self.client.stopping.is_set():
            self._play_a_game()

    def took(self, game: str, key: str, body: dict[str, Any]) -> None:
        """A move was taken: its game's id, its key and the response."""

    def looked(self, game: str) -> None:
        """Both have had their turn to look at the game."""

    def open_game(self) -> str:
        """The id of a new game that has begun; empty if it was refused."""
        first, second = self.tokens
        asked = {"game": self.game, "seats": 2 + self.bots, "bots": self.bots}
        room = self.client.surely("POST", "games", asked, token=first)
        if room is None:
            return ""
        self.client.surely("POST", f"games/{room['id']}/join", {}, token=second)
        self.client.surely("POST", f"games/{room['id']}/start", {}, token=first)
        return str(room["id"])

    def move(self, game: str, token: str) -> dict[str, Any] | None:
        """The response to a move; None if this player has none."""
        path, key = f"games/{game}/moves", uuid4().hex
        legal = self.client.surely("GET", path, token=token)
        if not legal or not legal["moves"]:
            return None
        found: dict[str, Any] | None = self.client.surely("POST", path, legal["moves"][0]["send"], token=token, key=key)
        if found is not None:
            self.took(game, key, found)
        return found

    def _play_a_game(self) -> None:
        game = self.open_game()
        if not game:
            self.client.stopping.wait(1)
        while game and not self.client.stopping.is_set():
            moved = [self.move(game, token) for token in self.tokens]
            self.looked(game)
            if not any(moved):
                now = self.client.surely("GET", f"games/{game}", token=self.tokens[0])
                if now is None or now["status"] not in ("setup", "playing"):
                    return
                self.client.stopping.wait(0.1)
