"""People who play through the proxy, watch streams and run tournaments, and what they were told."""

from __future__ import annotations

import hashlib
import http.client
import itertools
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

TRANSIENT = (0, 408, 429, 502, 503, 504)


@dataclass
class Front:
    """The service as clients see it."""

    address: str
    stopping: threading.Event = field(default_factory=threading.Event)
    statuses: Counter[int] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)

    def call(
        self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "", timeout: float = 8
    ) -> tuple[int, Any]:
        """One request; status 0 when the connection broke or nothing came."""
        headers = {"Host": "localhost", "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        connection = http.client.HTTPConnection(self.address, 80, timeout=timeout)
        try:
            connection.request(method, f"/api/v1/{path}", None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            raw = response.read()
            found = json.loads(raw) if raw and "json" in response.getheader("Content-Type", "") else None
        except (OSError, http.client.HTTPException, ValueError):
            self.statuses[0] += 1
            return 0, None
        finally:
            connection.close()
        self.statuses[response.status] += 1
        if response.status == 500 or (response.status in TRANSIENT and response.status == 501):
            self.bad.append(f"{method} {path}: {response.status} {response.getheader('X-Request-ID')}")
        return response.status, found

    def surely(self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "") -> Any:
        """The body of a response, asked for until there is one; None when it was refused or the run is over."""
        while not self.stopping.is_set():
            status, found = self.call(method, path, body, token=token, key=key)
            if status not in (*TRANSIENT, 500):
                return found if status < 400 else None
            self.stopping.wait(0.2)
        return None

    def sign_up(self, name: str) -> str:
        """A token of a new account."""
        account = {"username": name, "password": f"{name} keeps a secret"}
        self.surely("POST", "players", account)
        return str(self.surely("POST", "auth/login", account)["token"])


@dataclass
class Ledger:
    """What was acknowledged and seen, to be compared with the log in the end."""

    # (game, key of the request, version)
    moves: list[tuple[str, str, int]] = field(default_factory=list)
    # When each was acknowledged.
    at: list[float] = field(default_factory=list)
    # (game, version): what the event was, as anybody saw it.
    seen: dict[tuple[str, int], str] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledged(self, game: str, key: str, body: dict[str, Any]) -> None:
        """A move was taken."""
        with self._lock:
            self.moves.append((game, key, body["version"]))
            self.at.append(time.monotonic())
        self.saw(game, body["events"])

    def saw(self, game: str, events: list[dict[str, Any]]) -> None:
        """Somebody was shown these events. Of each its type, seat and time are the same for all."""
        for event in events:
            text = json.dumps([event["type"], event["seat"], event["recorded_at"]])
            digest = hashlib.sha256(text.encode()).hexdigest()
            before = self.seen.setdefault((game, event["version"]), digest)
            if before != digest:
                self.changed.append(f"{game} {event['version']}")

    def longest_gap(self, since: float, until: float) -> float:
        """The longest time in which no move was taken."""
        with self._lock:
            moments = [since, *(at for at in self.at if since < at < until), until]
        return max(later - earlier for earlier, later in itertools.pairwise(moments))


@dataclass
class Table:
    """Two players and so many bots, one game after another. Bots wait for Redis; people do not."""

    front: Front
    ledger: Ledger
    tokens: list[str]
    kind: str = "threes"
    bots: int = 0

    def run(self) -> None:
        """Play until the run is over."""
        while not self.front.stopping.is_set():
            self._play_a_game()

    def _play_a_game(self) -> None:
        first, second = self.tokens
        asked = {"game": self.kind, "seats": 2 + self.bots, "bots": self.bots}
        room = self.front.surely("POST", "games", asked, token=first)
        if room is None:
            self.front.stopping.wait(1)
            return
        path = f"games/{room['id']}"
        self.front.surely("POST", f"{path}/join", {}, token=second)
        self.front.surely("POST", f"{path}/start", {}, token=first)
        seen = 0
        while not self.front.stopping.is_set():
            moved = [self._move(path, token) for token in self.tokens]
            found = self.front.surely("GET", f"{path}/events?after={seen}", token=second)
            if found and found["results"]:
                self.ledger.saw(room["id"], found["results"])
                seen = found["results"][-1]["version"]
            if not any(moved):
                game = self.front.surely("GET", path, token=first)
                if game is None or game["status"] not in ("setup", "playing"):
                    return
                self.front.stopping.wait(0.1)

    def _move(self, path: str, token: str) -> bool:
        legal = self.front.surely("GET", f"{path}/moves", token=token)
        if not legal or not legal["moves"]:
            return False
        key = uuid4().hex
        found = self.front.surely("POST", f"{path}/moves", legal["moves"][0]["send"], token=token, key=key)
        if found is None:
            return False
        self.ledger.acknowledged(path.removeprefix("games/"), key, found)
        return True


@dataclass
class Watcher:
    """A stream of one's own games, opened again whenever it ends."""

    front: Front
    token: str
    events: int = 0
    opened: int = 0
    heard_at: float = 0.0

    def run(self) -> None:
        """Watch until the run is over."""
        while not self.front.stopping.is_set():
            connection = http.client.HTTPConnection(self.front.address, 80, timeout=20)
            try:
                self._watch(connection)
            except (OSError, http.client.HTTPException):
                self.front.stopping.wait(0.5)
            finally:
                connection.close()

    def _watch(self, connection: http.client.HTTPConnection) -> None:
        headers = {"Host": "localhost", "Authorization": f"Bearer {self.token}"}
        connection.request("GET", "/api/v1/me/live", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            self.front.stopping.wait(0.5)
            return
        self.opened += 1
        while not self.front.stopping.is_set() and (line := response.readline()):
            if line.startswith(b"event:"):
                self.events += 1
                self.heard_at = time.monotonic()


@dataclass
class Organiser:
    """Tournaments of bots, one after another: they run by themselves, on the workers."""

    front: Front
    token: str
    finished: int = 0
    ids: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Have them played until the run is over."""
        while not self.front.stopping.is_set():
            self._have_one()

    def _have_one(self) -> None:
        asked = {"title": "Machines", "game": "castle", "kind": "rounds", "rated": True}
        asked |= {"settings": {"rounds": 2, "tables": {"size": 4}}}
        made = self.front.surely("POST", "tournaments", asked, token=self.token)
        if made is None:
            self.front.stopping.wait(5)
            return
        path = f"tournaments/{made['id']}"
        self.ids.append(made["id"])
        self.front.surely("POST", f"{path}/open", {}, token=self.token)
        for _ in range(8):
            self.front.surely("POST", f"{path}/entries", {"bot": "steady"}, token=self.token)
        self.front.surely("POST", f"{path}/start", {}, token=self.token)
        while not self.front.stopping.wait(1):
            found = self.front.surely("GET", path, token=self.token)
            if found is None or found["status"] not in ("registration", "running", "setup", "draft", "open"):
                self.finished += 1
                return
