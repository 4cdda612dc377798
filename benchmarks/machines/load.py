"""People who play through the proxy, watch streams and run tournaments, and what they were told."""

import hashlib
import http.client
import itertools
import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from benchmarks.clients import Client, Table


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
class SeenTable(Table):
    """A table whose moves and events the ledger has. Bots wait for Redis; people do not."""

    ledger: Ledger = field(kw_only=True)
    seen: dict[str, int] = field(default_factory=dict)

    def took(self, game: str, key: str, body: dict[str, Any]) -> None:
        """Enter the move."""
        self.ledger.acknowledged(game, key, body)

    def looked(self, game: str) -> None:
        """Enter what the second player is shown of the game by now."""
        path = f"games/{game}/events?after={self.seen.get(game, 0)}"
        found = self.client.surely("GET", path, token=self.tokens[1])
        if found and found["results"]:
            self.ledger.saw(game, found["results"])
            self.seen[game] = found["results"][-1]["version"]


@dataclass
class Watcher:
    """A stream of one's own games, opened again whenever it ends."""

    client: Client
    token: str
    events: int = 0
    opened: int = 0
    heard_at: float = 0.0

    def run(self) -> None:
        """Watch until the run is over."""
        while not self.client.stopping.is_set():
            connection = http.client.HTTPConnection(self.client.address, 80, timeout=20)
            try:
                self._watch(connection)
            except (OSError, http.client.HTTPException):
                self.client.stopping.wait(0.5)
            finally:
                connection.close()

    def _watch(self, connection: http.client.HTTPConnection) -> None:
        headers = {"Host": "localhost", "Authorization": f"Bearer {self.token}"}
        connection.request("GET", "/api/v1/me/live", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            self.client.stopping.wait(0.5)
            return
        self.opened += 1
        while not self.client.stopping.is_set() and (line := response.readline()):
            if line.startswith(b"event:"):
                self.events += 1
                self.heard_at = time.monotonic()


@dataclass
class Organiser:
    """Tournaments of bots, one after another: they run by themselves, on the workers."""

    client: Client
    token: str
    finished: int = 0
    ids: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Have them played until the run is over."""
        while not self.client.stopping.is_set():
            self._have_one()

    def _have_one(self) -> None:
        asked = {"title": "Machines", "game": "castle", "kind": "rounds", "rated": True}
        asked |= {"settings": {"rounds": 2, "tables": {"size": 4}}}
        made = self.client.surely("POST", "tournaments", asked, token=self.token)
        if made is None:
            self.client.stopping.wait(5)
            return
        path = f"tournaments/{made['id']}"
        self.ids.append(made["id"])
        self.client.surely("POST", f"{path}/open", {}, token=self.token)
        for _ in range(8):
            self.client.surely("POST", f"{path}/entries", {"bot": "steady"}, token=self.token)
        self.client.surely("POST", f"{path}/start", {}, token=self.token)
        while not self.client.stopping.wait(1):
            found = self.client.surely("GET", path, token=self.token)
            if found is None or found["status"] not in ("registration", "running", "setup", "draft", "open"):
                self.finished += 1
                return
