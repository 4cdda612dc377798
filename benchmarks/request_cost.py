"""The cost of requests over HTTP, relative to a bare DRF view on the same server.

    python -m benchmarks.request_cost [--clients 8] [--seconds 0.5] [--rounds 20] [--port 8041]

Starts the web process as `make run` does, with the baselines of `benchmarks/bare.py` added, in a state directory of its
own that is removed at the end. After some rounds of warming up, all kinds of requests are measured in turn, in many
short rounds. Processor time is the mean per request, of the web processes and of PostgreSQL; a ratio is that of the
baseline divided by that of the request. It says the same on a busy machine, where rates depend on how often a request
waits for a processor.
"""

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from itertools import repeat
from typing import Any, NamedTuple
from uuid import uuid4

import psutil
from django.db import connection

from benchmarks.ground import own_place, people, spent_by
from benchmarks.service import CHECKOUT, POSTMASTER, first_process
from config.processes import WEB, answers
from core import log
from core.accounts.models import Player
from games import services
from games.bots.listing import any_of
from games.rules import GAMES
from games.rules.fairness import Chance

from benchmarks.bare import Row  # isort: skip

GAME, SEATS, MOVES_A_GAME = "threes", 3, 60
# Rounds that are not counted: every connection to PostgreSQL plans its statements, and Python specializes its code.
WARM_UP = 3
READ, MOVE = 0.8, 0.3
SERVER = "benchmarks.bare_server:gateway"


class Request(NamedTuple):
    """What is sent."""

    method: str
    path: str
    token: str
    body: object = None
    etag: str = ""

    def send(self, connection: HTTPConnection) -> HTTPResponse:
        """Send it; exits unless it succeeds."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"If-None-Match": self.etag} if self.etag else {}
        body = None if self.body is None else json.dumps(self.body)
        connection.request(self.method, f"/api/{self.path}", body, headers)
        response = connection.getresponse()
        content = response.read()
        if response.status not in (200, 201, 304):
            raise SystemExit(f"{self}: {response.status} {content!r}")
        return response


@dataclass
class Scenario:
    """One kind of request: what each client sends, its baseline, and the ratio to that which is the goal."""

    name: str
    requests: Callable[[int], Iterator[Request]]
    baseline: str = ""
    goal: float = 0.0
    count: int = 0
    web: float = 0.0
    postgres: float = 0.0
    rates: list[float] = field(default_factory=list)

    @property
    def mean(self) -> tuple[float, float]:
        """The milliseconds of the web and of PostgreSQL for each request; less than a tick is not seen."""
        tick = 1 / os.sysconf("SC_CLK_TCK")
        return 1000 * max(tick, self.web) / self.count, 1000 * self.postgres / self.count

    def run(
        self, options: argparse.Namespace, web: psutil.Process, postgres: psutil.Process | None, *, counts: bool
    ) -> None:
        """One round: all clients send one request after the other for `options.seconds`."""
        sent = [0] * options.clients
        until = 0.0
        ready = threading.Barrier(len(sent) + 1)

        def work(number: int) -> None:
            connection = HTTPConnection("127.0.0.1", options.port)
            connection.connect()
            ready.wait()
            for each in self.requests(number):
                each.send(connection)
                sent[number] += 1
                if time.perf_counter() > until:
                    return
            raise SystemExit(f"{self.name}: too few requests were prepared; use fewer --seconds")

        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(len(sent))]
        for thread in threads:
            thread.start()
        used, stored = spent_by(web), spent_by(postgres) if postgres else 0.0
        began = time.perf_counter()
        until = began + options.seconds
        ready.wait()
        for thread in threads:
            thread.join()
        if counts:
            self.rates.append(sum(sent) / (time.perf_counter() - began))
            self.web += spent_by(web) - used
            self.postgres += spent_by(postgres) - stored if postgres else 0.0
            self.count += sum(sent)


class Table:
    """A game among people, dealt, and a list of legal moves for it."""

    def __init__(self, people: Sequence[Player], bearers: list[str], seed: int) -> None:
        entries = [services.Entry(player=player) for player in people]
        terms = services.Terms(GAME, SEATS, clock={"per_turn": 86400, "bank": 3600})
        self.game = services.open_table(uuid4(), entries, terms, actor=log.Actor("service"))
        self.path = f"v1/games/{self.game.id}"
        self._bearers, self._chance = bearers, random.Random(seed)

    def moves(self) -> Iterator[Request]:
        """Random legal moves, one after the other."""
        snapshot, rules = self.game, GAMES[GAME]
        state, shuffles = snapshot.state, snapshot.shuffles
        fair = Chance(bytes.fromhex(snapshot.secret), snapshot.salts or ())
        for _ in range(MOVES_A_GAME):
            if rules.status(state) == "finished":
                return
            seat = rules.to_act(state)[0]
            move = any_of(self._chance.choice(rules.legal_moves(state, seat)), self._chance)
            yield Request("POST", f"{self.path}/moves", self._bearers[seat], move)
            for event in rules.decide(state, seat, move, fair.shuffle(shuffles + 1)):
                state = rules.evolve(state, event)
                shuffles += event["data"].get("shuffle") is not None


def scenarios(port: int, clients: int, moves: int) -> list[Scenario]:
    """Everything that is measured. Creates the accounts and games for it."""
    with connection.schema_editor() as editor:
        editor.create_model(Row)
    Row.objects.create(text="One small row.")
    players, bearers = people(SEATS)
    bearer = bearers[0]

    table = Table(players, bearers, 0)
    first = HTTPConnection("127.0.0.1", port)
    for move in list(table.moves())[: SEATS + 4]:
        move.send(first)
    etag = Request("GET", table.path, bearer).send(first).headers["ETag"]

    played: list[list[Request]] = [[] for _ in range(clients)]
    seed = 0
    for mine in played:
        while len(mine) < moves:
            seed += 1
            mine.extend(Table(players, bearers, seed).moves())
    sent = [iter(mine) for mine in played]

    def always(*what: Any) -> Callable[[int], Iterator[Request]]:
        return lambda _: repeat(Request(*what))

    return [
        Scenario("bare read", always("GET", "bare", bearer)),
        Scenario("bare insert", always("POST", "bare", bearer, {"text": "Another row."})),
        Scenario("unchanged game (304)", always("GET", table.path, bearer, None, etag), "bare read", READ),
        Scenario("GET moves", always("GET", f"{table.path}/moves", bearer), "bare read", READ),
        Scenario("POST moves", lambda client: sent[client], "bare insert", MOVE),
        Scenario("GET me/turns", always("GET", "v1/me/turns?limit=10", bearer), "bare read"),
    ]


def report(measured: list[Scenario]) -> bool:
    """Print the table; return whether every goal was reached."""
    means = {scenario.name: scenario.mean for scenario in measured}
    reached = True
    print(f"{'request':22}{'web ms':>7}{'PostgreSQL ms':>15}{'a second':>10}   ratio (goal)")
    for each in measured:
        said = ""
        if each.baseline:
            ratio = sum(means[each.baseline]) / sum(each.mean)
            reached = reached and ratio >= each.goal
            said = f"{ratio:.2f} {each.baseline}" + (f" ({each.goal:.2f})" if each.goal else "")
        web, postgres = each.mean
        print(f"{each.name:22}{web:7.2f}{postgres:15.2f}{statistics.median(each.rates):10.0f}   {said}")
    return reached


def main() -> None:
    """Measure everything and print the table; exit with status 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each kind of request in each round")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--port", type=int, default=8041)
    options = parser.parse_args()
    with own_place() as place:
        environ = {**os.environ, **WEB.environ, "GRANIAN_PORT": str(options.port), "GRANIAN_HOST": "127.0.0.1"}
        command = [sys.executable, *WEB.command[1:-1], SERVER]
        with subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=subprocess.DEVNULL) as server:
            try:
                while not answers("127.0.0.1", options.port, "/healthz"):
                    if server.poll() is not None:
                        sys.exit("The web process does not start; see its messages above.")
                    time.sleep(0.1)
                web, is_ours = psutil.Process(server.pid), (place.root / POSTMASTER).exists()
                postgres = first_process(place.root, POSTMASTER) if is_ours else None
                moves = int((options.rounds + WARM_UP) * options.seconds * 500 / options.clients) + 50
                measured = scenarios(options.port, options.clients, moves)
                for number in range(WARM_UP + options.rounds):
                    for each in measured:
                        each.run(options, web, postgres, counts=number >= WARM_UP)
            finally:
                server.send_signal(signal.SIGINT)
    print(f"{options.clients} clients, {options.rounds} rounds of {options.seconds:g} s")
    sys.exit(not report(measured))


if __name__ == "__main__":
    main()
