"""Both bots of docs/clients.md play each other while the server restarts and connections are cut (AP36).

    python -m benchmarks.official_clients --games 20 --restarts 10 --port 8400

A proxy cuts every tenth connection, before or behind the server. At the end all games are over, no move was made twice,
and none by the clock.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import playwright

from benchmarks.ground import own_place
from benchmarks.service import CHECKOUT, running, say
from tests.clients.proxy import Fault, Proxy
from tests.docs.pages import blocks

NODE = Path(playwright.__file__).parent / "driver" / "node"
ADDRESS = "http://127.0.0.1:8000"
PASSWORD = "a quiet evening"
LIMIT = 1800.0
CLOCK: Any = {"per_turn": 600, "quiet_hours": False, "on_timeout": "play"}


class Cutting(Proxy):
    """Cuts every tenth connection: one before the server has it, the next one behind, and streams after some bytes."""

    def __post_init__(self) -> None:
        self._count = count(1)
        super().__post_init__()

    def _fault(self, path: str) -> Fault | None:
        number = next(self._count)
        if number % 10:
            return None
        kind = "cut" if path.partition("?")[0].endswith("/live") else "refused" if number % 20 else "lost"
        return Fault("", kind, after=number % 300)


def main() -> None:
    """Play, restart, and say what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--port", type=int, default=8400)
    wanted = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT / "clients" / "python"))
    from trey import Trey

    api, streams = Cutting(wanted.port), Cutting(wanted.port + 1)
    os.environ["TREY_LIVE_URL"], os.environ["TREY_SITE_URL"] = streams.url, api.url
    with own_place() as place, ExitStack() as bots:
        people, ids = [], []
        for turn in range(wanted.restarts + 1):
            with running(place, wanted.port):
                say(f"the server runs ({turn} restarts)")
                if not turn:
                    for name in ("owl", "fox"):
                        person = bots.enter_context(Trey(f"http://127.0.0.1:{wanted.port}"))
                        person.sign_up(username=name, password=PASSWORD)
                        person.log_in(name, PASSWORD)
                        people.append(person)
                    for _ in range(wanted.games):
                        room = people[0].open_room(game="threes", seats=2, start="full", clock=CLOCK)
                        people[1].join_game(room["id"])
                        ids.append(room["id"])
                    _start(bots, api.url, [str(person.token) for person in people])
                last = turn == wanted.restarts
                ends = time.monotonic() + (LIMIT if last else 15)
                while time.monotonic() < ends and (left := _running(people[0], ids)):
                    time.sleep(1)
                say(
                    f"{len(left) if left else 0} games still run; {len(api.seen)} requests, {len(streams.seen)} streams"
                )
                if last:
                    sys.exit(not _is_good(people[0], ids, api))


def _start(bots: ExitStack, url: str, tokens: list[str]) -> None:
    folder = Path(bots.enter_context(tempfile.TemporaryDirectory()))
    texts = {block.language: block.text.replace(ADDRESS, url) for block in blocks("docs/clients.md")}
    (folder / "bot.py").write_text(texts["python"])
    (folder / "bot.ts").write_text(texts["ts"].replace("./trey.ts", str(CHECKOUT / "clients/typescript/trey.ts")))
    for token, command in zip(tokens, ([sys.executable, "bot.py"], [str(NODE), "bot.ts"]), strict=True):
        environ = {**os.environ, "TREY_TOKEN": token, "PYTHONPATH": str(CHECKOUT / "clients" / "python")}
        bots.callback(subprocess.Popen(command, cwd=folder, env=environ).kill)


def _running(person: Any, ids: list[str]) -> list[str]:
    return [each for each in ids if person.get_game(each)["status"] != "finished"]


def _is_good(person: Any, ids: list[str], api: Proxy) -> bool:
    events = [event for each in ids for event in person.pages(person.list_events, each, after=0)]
    moves = [event for event in events if "move" in (event["data"] or {})]
    by_clock = [event for event in events if event["type"] == "timed_out"]
    keys = {line for head in api.heads for line in head.split("\r\n") if line.lower().startswith("idempotency-key")}
    left = _running(person, ids)
    say(f"{len(moves)} moves by {len(keys)} keys, {len(by_clock)} by the clock; {len(left)} games still run")
    return len(moves) == len(keys) and not by_clock and not left


if __name__ == "__main__":
    main()
