"""The cost of requests over HTTP, relative to a plain WSGI function and to a bare DRF view on the same server.

    python -m benchmarks.request_cost [--clients 8] [--seconds 0.5] [--rounds 20] [--port 8041]

Starts the web process as `make run` does, with the baselines of `benchmarks/plain.py` and `benchmarks/bare.py` added,
in a state directory of its own that is removed at the end. After some rounds of warming up, all kinds of requests are
measured in turn, in many short rounds. Processor time is the mean per request, of the web processes and of PostgreSQL;
a ratio is that of the baseline divided by that of the request. It says the same on a busy machine, where rates depend
on how often a request waits for a processor. Linux only.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

os.environ["TREY_PROFILE"] = "requests"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

CHECKOUT = Path(__file__).resolve().parents[1]
GAME, SEATS, MOVES_A_GAME = "threes", 3, 60
# Rounds that are not counted: every connection to PostgreSQL plans its statements, and Python specializes its code.
WARM_UP = 3
READ = 0.8
SERVER = "benchmarks.plain:gateway"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Measured:
    """One round of one kind of request: how many, in how many seconds, and the processor time in seconds."""

    count: int
    seconds: float
    web: float
    postgres: float


@dataclass
class Scenario:
    """One kind of request: what each client sends, and its baselines with the ratio to each that is the goal."""

    name: str
    requests: Callable[[int], Iterator[bytes]]
    baselines: dict[str, float | None] = field(default_factory=dict)
    rounds: list[Measured] = field(default_factory=list)

    def mean(self, *what: str) -> float:
        """The milliseconds of these for each request."""
        # Less than a tick is not seen.
        spent: float = max(1 / TICKS, sum(getattr(turn, name) for turn in self.rounds for name in what))
        return 1000 * spent / sum(turn.count for turn in self.rounds)


class Client:
    """A keep-alive connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes) -> tuple[bytes, bytes]:
        """Send a request; return the head and the body of its response. Exits unless the request succeeded."""
        self._socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        length = header(head, b"content-length")
        while length and len(body) < int(length):
            body += self._more()
        if head[9:12] not in (b"200", b"201", b"304"):
            raise SystemExit(f"{request!r}\n{head!r}\n{body!r}")
        return head, body

    def _more(self) -> bytes:
        received = self._socket.recv(65536)
        if not received:
            raise SystemExit("the server closed a connection")
        return received


def header(head: bytes, name: bytes) -> bytes | None:
    """The value of a header in a response's head, or None."""
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.lower() == name:
            return value.strip()
    return None


def request(method: str, path: str, token: str, body: object = None, **headers: str) -> bytes:
    """The bytes of a request."""
    text = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} /{path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return "\r\n".join([*lines, "", ""]).encode() + text


class Table:
    """A game among people, dealt, and a list of legal moves for it."""

    def __init__(self, people: list[Any], tokens: list[str], seed: int) -> None:
        from uuid import uuid4

        from core import log
        from games import services

        entries = [services.Entry(player=player) for player in people]
        self.tokens = tokens
        self.game = services.open_table(
            uuid4(),
            entries,
            services.Terms(GAME, len(entries), clock={"per_turn": 86400, "bank": 3600}),
            actor=log.Actor("service"),
        )
        self.path = f"api/v1/games/{self.game.id}"
        self._chance = random.Random(seed)

    def moves(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Random legal moves, one after the other, each with its player's token."""
        from games.bots.listing import any_of
        from games.rules import GAMES
        from games.rules.fairness import Chance

        snapshot, rules = self.game, GAMES[GAME]
        state, shuffles = snapshot.state, snapshot.shuffles
        fair = Chance(bytes.fromhex(snapshot.secret), snapshot.salts or ())
        for _ in range(MOVES_A_GAME):
            if rules.status(state) == "finished":
                return
            seat = rules.to_act(state)[0]
            move = any_of(self._chance.choice(rules.legal_moves(state, seat)), self._chance)
            yield self.tokens[seat], move
            for event in rules.decide(state, seat, move, fair.shuffle(shuffles + 1)):
                state = rules.evolve(state, event)
                shuffles += event["data"].get("shuffle") is not None


def scenarios(port: int, clients: int, moves: int) -> list[Scenario]:
    """Everything that is measured. Creates the accounts and games for it."""
    from django.db import connection

    from benchmarks.bare import Row
    from core.accounts.login import tokens
    from core.accounts.models import Player

    with connection.schema_editor() as editor:
        editor.create_model(Row)
    Row.objects.create(text="One small row.")
    people = [Player(username=f"player{number}") for number in range(SEATS)]
    Player.objects.bulk_create(people)
    bearers = [tokens.issue(player)[0] for player in people]
    bearer = bearers[0]

    table = Table(people, bearers, 0)
    for token, move in list(table.moves())[: SEATS + 4]:
        Client(port).send(request("POST", f"{table.path}/moves", token, move))
    etag = header(Client(port).send(request("GET", table.path, bearer))[0], b"etag")
    if etag is None:
        raise SystemExit("the game has no ETag")

    played: list[list[bytes]] = [[] for _ in range(clients)]
    seed = 0
    for mine in played:
        while len(mine) < moves:
            seed += 1
            new = Table(people, bearers, seed)
            mine += [request("POST", f"{new.path}/moves", token, move) for token, move in new.moves()]
    sent = [iter(mine) for mine in played]

    def always(what: bytes) -> Callable[[int], Iterator[bytes]]:
        return lambda _: repeat(what)

    return [
        Scenario("plain read", always(request("GET", "api/plain", bearer))),
        Scenario("bare read", always(request("GET", "api/bare", bearer))),
        Scenario(
            "unchanged game (304)",
            always(request("GET", table.path, bearer, If_None_Match=etag.decode())),
            {"plain read": None, "bare read": READ},
        ),
        Scenario("GET moves", always(request("GET", f"{table.path}/moves", bearer)), {"bare read": READ}),
        Scenario("plain insert", always(request("POST", "api/plain", bearer, {"text": "Another row."}))),
        Scenario("bare insert", always(request("POST", "api/bare", bearer, {"text": "Another row."}))),
        Scenario("POST moves", lambda client: sent[client], {"plain insert": None, "bare insert": 0.3}),
        Scenario("GET game", always(request("GET", table.path, bearer)), {"plain read": None}),
        Scenario("GET me", always(request("GET", "api/v1/me", bearer)), {"plain read": None}),
        Scenario("GET me/turns", always(request("GET", "api/v1/me/turns?limit=10", bearer)), {"plain read": None}),
    ]


def processor_seconds(pids: list[int]) -> float:
    """The processor time that these processes and their children that have ended have used so far."""
    used = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            used += sum(map(int, fields[11:15]))
    return used / TICKS


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in task.read_text(encoding="ascii").split():
                found += family(int(child))
    return found


def run(scenario: Scenario, options: argparse.Namespace, web: int, postgres: int | None) -> Measured:
    """One round: all clients send one request after the other for `options.seconds`."""
    counts = [0] * options.clients
    connections = [Client(options.port) for _ in counts]
    until = 0.0
    ready = threading.Barrier(len(counts) + 1)

    def work(number: int) -> None:
        requests, client = scenario.requests(number), connections[number]
        ready.wait()
        for each in requests:
            client.send(each)
            counts[number] += 1
            if time.perf_counter() > until:
                return
        raise SystemExit(f"{scenario.name}: too few requests were prepared; use fewer --seconds")

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(len(counts))]
    for thread in threads:
        thread.start()
    webs, stores = family(web), family(postgres) if postgres is not None else []
    used, stored = processor_seconds(webs), processor_seconds(stores)
    began = time.perf_counter()
    until = began + options.seconds
    ready.wait()
    for thread in threads:
        thread.join()
    took, count = time.perf_counter() - began, sum(counts)
    return Measured(count, took, processor_seconds(webs) - used, processor_seconds(stores) - stored)


def report(measured: list[Scenario]) -> bool:
    """Print the table; return whether every goal was reached."""
    by_name = {scenario.name: scenario for scenario in measured}
    reached = True
    print(f"{'request':22}{'web ms':>7}{'PostgreSQL ms':>15}{'a second':>10}   ratio (goal)")
    for each in measured:
        ratios = []
        for baseline, goal in each.baselines.items():
            ratio = by_name[baseline].mean("web", "postgres") / each.mean("web", "postgres")
            reached = reached and (goal is None or ratio >= goal)
            ratios.append(f"{ratio:.2f} {baseline}" + (f" ({goal:.2f})" if goal is not None else ""))
        rate = statistics.median(turn.count / turn.seconds for turn in each.rounds)
        print(f"{each.name:22}{each.mean('web'):7.2f}{each.mean('postgres'):15.2f}{rate:10.0f}   {', '.join(ratios)}")
    return reached


def wait_until_ready(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the web process accepts connections."""
    until = time.monotonic() + 90
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit("The web process does not start; see its messages above.")


def main() -> None:
    """Measure everything and print the table; exit with status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each kind of request in each round")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--port", type=int, default=8041)
    options = parser.parse_args()
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from config.processes import WEB
    from config.running import embedded

    place, own_postgres = settings.PLACE, not settings.DATABASE_URL
    try:
        with embedded.started(place):
            call_command("migrate", verbosity=0)
            environ = {**os.environ, **WEB.environ, "GRANIAN_PORT": str(options.port), "GRANIAN_HOST": "127.0.0.1"}
            server = subprocess.Popen(
                [sys.executable, *WEB.command[1:-1], SERVER], cwd=CHECKOUT, env=environ, stdout=subprocess.DEVNULL
            )
            try:
                wait_until_ready(options.port, server)
                postmaster = place.postgres / "postmaster.pid"
                postgres = int(postmaster.read_text(encoding="ascii").split()[0]) if own_postgres else None
                moves = int((options.rounds + WARM_UP) * options.seconds * 500 / options.clients) + 50
                measured = scenarios(options.port, options.clients, moves)
                for number in range(WARM_UP + options.rounds):
                    for each in measured:
                        found = run(each, options, server.pid, postgres)
                        if number >= WARM_UP:
                            each.rounds.append(found)
            finally:
                server.send_signal(signal.SIGINT)
                server.wait(30)
    finally:
        shutil.rmtree(place.root, ignore_errors=True)
        shutil.rmtree(place.sockets, ignore_errors=True)
    print(f"{options.clients} clients, median of {options.rounds} x {options.seconds:g} s")
    sys.exit(not report(measured))


if __name__ == "__main__":
    main()
