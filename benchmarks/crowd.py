"""What happens to the API when more and more clients call it at once.

    python benchmarks/crowd.py [--clients 8 64 256 1024] [--seconds 20] [--port 8043]

Starts the web as `make run` does, under its supervisor, in a state directory of its own that is removed at the end.
Each client has a connection of its own and plays all seats of games of its own: it reads the game, the moves of the
seat whose turn it is, and sends the first of them, each request at once after the last response. A client that is
refused waits as long as `Retry-After` says. Exit status 1 if a response was anything but a success, or a 503 or 429
with `Retry-After`, if a connection broke, if a process was replaced, or if more clients got less than three quarters of
the rate of the fewest.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

# Instead of this folder, in which `import tournaments` would find a file of it.
sys.path[0] = str(Path(__file__).resolve().parents[1])
os.environ["TREY_PROFILE"] = "crowd"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

LEAST = 0.75
SEATS = 3
REFUSED = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)


@dataclass
class Crowd:
    """What the clients of one run share, and what they got."""

    port: int
    tokens: list[str]
    games: list[str]
    until: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    async def play(self) -> None:
        """Play one game after another until the time is over, on one connection."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            connection = Connection(self, reader, writer)
            while time.monotonic() < self.until:
                await self._play(connection, self.games.pop())
            writer.close()
        except (OSError, asyncio.IncompleteReadError) as error:
            self.statuses["broken"] += 1
            self.wrong.append(repr(error))

    async def _play(self, connection: "Connection", game: str) -> None:
        while time.monotonic() < self.until:
            seen = await connection.call("GET", f"games/{game}", self.tokens[0])
            if not seen or not seen["to_act"]:
                return
            token = self.tokens[seen["to_act"][0]]
            legal = await connection.call("GET", f"games/{game}/moves", token)
            if legal:
                await connection.call("POST", f"games/{game}/moves", token, legal["moves"][0]["send"])


@dataclass
class Connection:
    """One client's connection, kept alive."""

    crowd: Crowd
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def call(self, method: str, path: str, token: str, body: Any = None) -> Any:
        """The body of the response to a request, which is sent until it is not refused; None when the time is over."""
        sent = _request(method, path, token, body)
        while time.monotonic() < self.crowd.until:
            begun = time.monotonic()
            self.writer.write(sent)
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            text = await self.reader.readexactly(int(_header(head, "content-length") or 0))
            status, after = int(head[9:12]), _header(head, "retry-after")
            self.crowd.statuses[str(status)] += 1
            if status in REFUSED and after is not None:
                await asyncio.sleep(float(after))
                continue
            self.crowd.milliseconds.append((time.monotonic() - begun) * 1000)
            if status not in (HTTPStatus.OK, HTTPStatus.CREATED):
                self.crowd.wrong.append(f"{method} {path}: {status} {text.decode()}")
            return json.loads(text)
        return None


def _request(method: str, path: str, token: str, body: Any) -> bytes:
    lines = [f"{method} /api/v1/{path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}"]
    text = b"" if body is None else json.dumps(body).encode()
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}", f"Idempotency-Key: {uuid4()}"]
    return "\r\n".join([*lines, "", ""]).encode() + text


def _header(head: str, name: str) -> str | None:
    for line in head.split("\r\n")[1:]:
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    return None


def people_and_games(count: int) -> tuple[list[str], list[str]]:
    """The tokens of the people in all games, by seat, and the ids of so many games that have been dealt."""
    from core import log
    from core.accounts import tokens
    from core.accounts.models import Player
    from games import services

    people = [Player(username=f"player{number}") for number in range(SEATS)]
    Player.objects.bulk_create(people)
    entries = [services.Entry(player=player) for player in people]
    opened = [services.open_table(uuid4(), entries, game="threes", actor=log.Actor("service")) for _ in range(count)]
    return [tokens.issue(player)[0] for player in people], [str(game.id) for game in opened]


async def crowded(crowd: Crowd, clients: int, seconds: float) -> float:
    """Let so many clients play; return how many responses a second were successes."""
    crowd.until = time.monotonic() + seconds
    await asyncio.gather(*(crowd.play() for _ in range(clients)))
    return len(crowd.milliseconds) / seconds


def measure(options: argparse.Namespace) -> bool:
    """Measure, print a line for each size of the crowd, and return whether all goals are met."""
    tokens, games = people_and_games(sum(options.clients) + 50 * len(options.clients))
    usual, met = 0.0, True
    for clients in options.clients:
        crowd = Crowd(options.port, tokens, games)
        rate = asyncio.run(crowded(crowd, clients, options.seconds))
        usual = usual or rate
        *_, most = statistics.quantiles(crowd.milliseconds, n=100)
        print(
            f"{clients} clients: {rate:.0f} a second ({rate / usual:.2f}), median "
            f"{statistics.median(crowd.milliseconds):.0f} ms, 99 % {most:.0f} ms, {dict(crowd.statuses)}",
            *crowd.wrong[:3],
            sep="\n  ",
        )
        met = met and not crowd.wrong and rate >= LEAST * usual
    return met


def main() -> None:
    """Set up, measure, tear down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, nargs="+", default=[8, 64, 256, 1024])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--port", type=int, default=8043)
    options = parser.parse_args()
    from benchmarks.ground import own_place, web

    with own_place(), web(options.port) as supervisor:
        [child] = supervisor.children
        processes = set(child.heard)
        met = measure(options)
        replaced = processes - set(child.heard)
        print(f"processes replaced: {len(replaced)}")
    sys.exit(not (met and not replaced))


if __name__ == "__main__":
    main()
