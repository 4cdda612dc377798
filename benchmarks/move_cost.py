"""What a move costs the whole machine: the processor time of every process of `make run`, for each move with its read.

    python -m benchmarks.move_cost [--clients 8] [--seconds 10] [--rounds 6] [--beside FOLDER]

Clients with a keep-alive connection each read the legal moves of a game of Threes for two and play one of them. With
`--beside` another checkout, with its environment, runs at the same time, and the rounds alternate. Exit status 1 if the
processes beside the web and PostgreSQL take more than a quarter of what these take. Linux only.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

from benchmarks.request_cost import CHECKOUT, Client, family, processor_seconds, request

MOST_BESIDE = 0.25
WARM_UP = 20.0
PATIENCE = 120.0
# The parts by a word of their command, in checkouts that do not name their processes yet.
PARTS = {"web": "config.web", "live": "config.live", "follow": "follow", "worker": "worker", "beat": "beat"}
COLUMNS = {
    "web": ("web",), "PostgreSQL": ("PostgreSQL",), "follower": ("follow",), "live": ("live",),
    "worker, beat, Redis": ("worker", "beat", "Redis"),
}  # fmt: skip


@dataclass
class Side:
    """A checkout that runs, and what its rounds took: moves, seconds, and processor seconds by part."""

    name: str
    checkout: Path
    port: int
    root: Path
    process: "subprocess.Popen[bytes]" = field(init=False)
    players: "list[Pair]" = field(default_factory=list)
    moves: int = 0
    seconds: float = 0.0
    used: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def start(self) -> None:
        environ = {
            **os.environ,
            "TREY_STATE_DIR": str(self.root.parent),
            "TREY_PROFILE": "run",
            "TREY_LOG_LEVEL": "error",
        }
        python = self.checkout / ".venv" / "bin" / "python"
        command = [str(python), "-m", "config.running.run", f"--port={self.port}", f"--live-port={self.port + 1}"]
        self.process = subprocess.Popen(command, cwd=self.checkout, env=environ, stdout=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while len(self.parts()) < len(PARTS) + 2:
            if time.monotonic() > until or self.process.poll() is not None:
                sys.exit(f"{self.checkout} does not start.")
            time.sleep(0.2)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def parts(self) -> dict[str, int]:
        """The leading process of each part."""
        found: dict[str, int] = {}
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):  # such as that of the migration, which has ended
                words = {*child.cmdline(), child.name()}
                found |= {part: child.pid for part, word in PARTS.items() if words & {word, f"trey-{part}"}}
        for part, file in (("PostgreSQL", "postgres/postmaster.pid"), ("Redis", "redis/server.pid")):
            # One that is just being written is empty.
            with suppress(OSError, IndexError):
                found[part] = int((self.root / file).read_text(encoding="ascii").split()[0])
        return found

    def seat(self, clients: int) -> None:
        self.players = [Pair(self.port, number) for number in range(clients)]

    def play(self, seconds: float, *, counts: bool) -> None:
        """All clients play for some seconds."""
        leading = self.parts()
        before = {part: processor_seconds(family(pid)) for part, pid in leading.items()}
        moves, began = [0] * len(self.players), time.monotonic()

        def work(number: int) -> None:
            self.players[number].connect()
            while time.monotonic() < began + seconds:
                self.players[number].move()
                moves[number] += 1

        with ThreadPoolExecutor(len(moves)) as clients:
            list(clients.map(work, range(len(moves))))
        took = time.monotonic() - began
        # What follows the log is done a moment later.
        time.sleep(1)
        if counts:
            self.moves += sum(moves)
            self.seconds += took
            for part, pid in leading.items():
                self.used[part] += processor_seconds(family(pid)) - before[part]

    def beside(self) -> float:
        """What the processes beside the web and PostgreSQL used, as a multiple of what these two did."""
        most = self.used["web"] + self.used["PostgreSQL"]
        return (sum(self.used.values()) - most) / most

    def row(self) -> str:
        cost = {name: sum(self.used[part] for part in parts) / self.moves * 1000 for name, parts in COLUMNS.items()}
        cells = "".join(f"{value:{len(name) + 2}.2f}" for name, value in cost.items())
        return f"{self.name:12}{cells}{sum(cost.values()):8.2f}{self.moves / self.seconds:10.0f}"


class Pair:
    """Two people at a table of their own, and the connection of their client."""

    def __init__(self, port: int, number: int) -> None:
        self._port, self._chance = port, random.Random(number)
        self.connect()
        self._path, self._turn = "", 0
        self._tokens = [self._sign_up(f"player-{number}-{seat}") for seat in (0, 1)]
        self._open()

    def connect(self) -> None:
        """Open a connection: an idle one is closed after some seconds."""
        self._client = Client(self._port)

    def move(self) -> None:
        """Read the legal moves of whose turn it is, and play one of them."""
        while True:
            found = self._call("GET", f"{self._path}/moves", self._turn)
            if found["moves"]:
                break
            game = self._call("GET", self._path, self._turn)
            if game["status"] not in ("setup", "playing"):
                self._open()
                continue
            self._turn = game["to_act"][0]
        sent = self._chance.choice(found["moves"])["send"]
        answer = self._call("POST", f"{self._path}/moves", self._turn, sent)["game"]
        self._turn = (answer["to_act"] or [0])[0]

    def _open(self) -> None:
        room = self._call("POST", "api/v1/games", 0, {"game": "threes", "seats": 2})
        self._path, self._turn = f"api/v1/games/{room['id']}", 0
        self._call("POST", f"{self._path}/join", 1, {"invitation": room["invitation"]})
        self._turn = self._call("POST", f"{self._path}/start", 0, {})["to_act"][0]

    def _sign_up(self, name: str) -> str:
        account = {"username": name, "password": f"{name} keeps {uuid4()}"}
        self._client.send(request("POST", "api/v1/players", "", account).replace(b"Authorization: Bearer \r\n", b""))
        return str(self._call("POST", "api/v1/auth/login", None, account)["token"])

    def _call(self, method: str, path: str, seat: int | None, body: Any = None) -> Any:
        sent = request(method, path, "" if seat is None else self._tokens[seat], body)
        _, answer = self._client.send(sent.replace(b"Authorization: Bearer \r\n", b""))
        return json.loads(answer)


def main() -> None:
    """Measure, and print a row for each checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--warm-up", type=float, default=WARM_UP, metavar="SECONDS")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another checkout, with its environment")
    parser.add_argument("--port", type=int, default=8061)
    options = parser.parse_args()
    checkouts = {"here": CHECKOUT} | ({"beside": options.beside.resolve()} if options.beside else {})
    folder = Path(tempfile.mkdtemp(prefix="trey-"))
    folder.chmod(0o755)
    sides = [
        Side(name, checkout, options.port + 2 * number, folder / name / "run")
        for number, (name, checkout) in enumerate(checkouts.items())
    ]
    try:
        for side in sides:
            side.start()
            side.seat(options.clients)
        for number in range(options.rounds + 1):
            for side in sides:
                side.play(options.seconds if number else options.warm_up, counts=number > 0)
    finally:
        for side in sides:
            side.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"processor time in ms for each move with its read, {options.clients} clients")
    print(f"{'':12}{''.join(f'  {name}' for name in COLUMNS)}{'in all':>8}{'a second':>10}")
    for side in sides:
        print(side.row())
    beside = sides[0].beside()
    print(f"beside web and PostgreSQL: {beside:.2f} times these (at most {MOST_BESIDE})")
    sys.exit(beside > MOST_BESIDE)


if __name__ == "__main__":
    main()
