"""Faults of all kinds under load, one after the other, and what the log says afterwards.

    python -m benchmarks.faults [--minutes 10] [--tables 6] [--port 8050] [--seed 1] [--only WORD ...]

Starts the service as `make run` does, in a folder of the state directory of its own that is removed at the end. At each
table two players play games with a bot over HTTP; every move has an Idempotency-Key and is sent again until it is
acknowledged. Meanwhile processes of all parts are killed (signal 9) or stopped (SIGSTOP), and crowds of clients misuse
the service; `--only killed` takes the kinds that have that word. Somebody who plays no game asks for their account ten
times a second: the longest time without an answer is printed for each fault.

In the end no acknowledged move may be lost or doubled, the log must verify, every game must grow again from its events,
no outage may be on record, and no request may have ended with a 5xx other than 503. Exit status 1 otherwise.
"""

import argparse
import os
import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import psutil
from django.core.management import CommandError, call_command
from django.db import connection

from benchmarks.clients import EVENTS, Table, lost_and_doubled, say
from benchmarks.ground import own_place
from benchmarks.service import PATIENCE, Service, postmaster, redis, running, wait_until_well
from games.models import Outage

# Seconds between the moment when all is well again and the next fault.
BETWEEN = 3.0
SOME_DAY = "2027-03-01"


@dataclass
class KeepingTable(Table):
    """A table that keeps what was acknowledged: (game, key of the request, version)."""

    acknowledged: list[tuple[str, str, int]] = field(default_factory=list)

    def took(self, game: str, key: str, body: dict[str, Any]) -> None:
        """Keep it."""
        self.acknowledged.append((game, key, body["version"]))


@dataclass
class Watcher:
    """Somebody who plays no game: when were they answered?"""

    service: Service
    token: str
    gap: float = 0.0
    _answered: float = field(default_factory=time.monotonic)

    def run(self) -> None:
        """Ask until the run is over."""
        while not self.service.stopping.is_set():
            status, _ = self.service.call("GET", "me", token=self.token, timeout=1)
            now = time.monotonic()
            self.gap = max(self.gap, now - self._answered)
            if status == 200:
                self._answered = now
            self.service.stopping.wait(0.1)


Fault = Callable[[Service], None]


def on(number: signal.Signals, *found: Callable[[Service], psutil.Process]) -> Fault:
    """Send a signal to processes of the service."""

    def do(service: Service) -> None:
        for process in [find(service) for find in found]:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    return do


def leader(name: str) -> Callable[[Service], psutil.Process]:
    """The leading process of a part."""
    return lambda service: service.part(name)


def member(name: str, index: int = 0) -> Callable[[Service], psutil.Process]:
    """Another process of a part."""
    return lambda service: service.part(name).children()[index]


def backend(service: Service) -> psutil.Process:
    """A process of PostgreSQL that serves a connection of the service's."""
    serving = [process for process in postmaster(service).children() if "[local]" in " ".join(process.cmdline())]
    return random.choice(serving)


def stopped_backend_of_a_killed_postgresql(service: Service) -> None:
    """What keeps the shared memory of a server that is gone."""
    on(signal.SIGSTOP, backend)(service)
    on(signal.SIGKILL, postmaster)(service)


def stopped_supervisor(service: Service) -> None:
    """Nobody looks after the parts for ten seconds, in which a process of the web dies."""
    with suppress(psutil.NoSuchProcess):
        service.process.send_signal(signal.SIGSTOP)
        on(signal.SIGKILL, member("web"))(service)
        time.sleep(10)
        service.process.send_signal(signal.SIGCONT)


def slow_bodies(service: Service) -> None:
    """Eighty clients that send a byte a second, for fifteen seconds."""
    with ExitStack() as clients:
        crowd = [clients.enter_context(socket.create_connection(("127.0.0.1", service.port))) for _ in range(80)]
        head = b"POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n"
        for sent in (head, *[b" "] * 15):
            for client in crowd:
                with suppress(OSError):
                    client.sendall(sent)
            time.sleep(1)


def guesses(service: Service) -> None:
    """Forty clients that guess passwords, for ten seconds."""
    until = time.monotonic() + 10

    def guess(number: int) -> None:
        while time.monotonic() < until:
            service.call("POST", "auth/login", {"username": f"player{number}", "password": "a wrong guess"})

    threads = [threading.Thread(target=guess, args=[number]) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def vacations(service: Service) -> None:
    """A player who declares a vacation and drops it, fifty times."""
    token = service.sign_up(f"traveller{uuid4().hex[:8]}")
    for _ in range(50):
        for vacation in ([[SOME_DAY, SOME_DAY]], []):
            service.call("PATCH", "me", {"calendar": {"vacation": vacation}}, token=token)


STOP, KILL = signal.SIGSTOP, signal.SIGKILL
ONES = {f"{part}'s leader": leader(part) for part in ("web", "worker", "live", "follow", "beat")}
ONES |= {"a web process": member("web"), "a worker process": member("worker")}
ONES |= {"Redis": redis, "PostgreSQL's postmaster": postmaster, "PostgreSQL's backend": backend}
FAULTS: dict[str, Fault] = {
    **{f"{name} killed": on(KILL, find) for name, find in ONES.items()},
    **{f"{name} stopped": on(STOP, find) for name, find in ONES.items()},
    "who looks after PostgreSQL and Redis killed": on(KILL, leader("stores")),
    "a stopped backend of a killed PostgreSQL": stopped_backend_of_a_killed_postgresql,
    "both web processes stopped": on(STOP, member("web"), member("web", 1)),
    "everything of the web and the worker stopped": on(
        STOP, leader("web"), member("web"), member("web", 1), leader("worker"), member("worker"),
        member("worker", 1),
    ),
    "the supervisor stopped, a web process killed": stopped_supervisor,
    "slow bodies": slow_bodies,
    "password guesses": guesses,
    "vacations declared and dropped": vacations,
}  # fmt: skip


def disturb(service: Service, watcher: Watcher, kinds: list[str], minutes: float, rng: random.Random) -> bool:
    """One fault after another, all kinds before one comes again; whether the service got well each time."""
    ends, coming = time.monotonic() + 60 * minutes, list[str]()
    done = 0
    while time.monotonic() < ends:
        if not coming:
            coming = rng.sample(kinds, len(kinds))
        kind, begun = coming.pop(), time.monotonic()
        watcher.gap = 0.0
        with suppress(psutil.Error, IndexError):
            FAULTS[kind](service)
        time.sleep(1)
        if not wait_until_well(service):
            say(f"{kind}: not well after {PATIENCE:.0f} s")
            return False
        time.sleep(BETWEEN)
        done += 1
        took = time.monotonic() - begun - BETWEEN
        say(f"{kind}: others waited {watcher.gap:.1f} s at most, all well after {took:.0f} s")
    say(f"{done} faults of {len(kinds)} kinds, each at least {done // len(kinds)} times")
    return True


def read_off(acknowledged: list[tuple[str, str, int]]) -> bool:
    """Whether the log has each acknowledged move once, as it was acknowledged; no outage may be on record."""
    with connection.cursor() as cursor:
        cursor.execute(EVENTS)
        lost, doubled = lost_and_doubled(acknowledged, cursor.fetchall())
    outages = list(Outage.objects.values_list("part", "began_at", "ended_at"))
    say(f"{len(acknowledged)} moves acknowledged, {lost} lost, {doubled} doubled; outages {outages}")
    return bool(acknowledged) and not (lost or doubled or outages)


def main() -> None:
    """Run the faults and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--port", type=int, default=8050)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD")
    options = parser.parse_args()
    if not (kinds := [kind for kind in FAULTS if any(word in kind for word in options.only)]):
        parser.error(f"no kind of fault has such a word. There are: {', '.join(FAULTS)}")
    with own_place() as place:
        with running(place, options.port) as service:
            tables = [
                KeepingTable(service, [service.sign_up(f"player{2 * number + seat}") for seat in (0, 1)])
                for number in range(options.tables)
            ]
            watcher = Watcher(service, service.sign_up("watcher"))
            threads = [threading.Thread(target=run) for run in (*(table.run for table in tables), watcher.run)]
            for thread in threads:
                thread.start()
            service.statuses.clear()
            service.broken.clear()
            say(f"{options.tables} tables play; load of the machine {os.getloadavg()[0]:.1f}")
            try:
                sound = disturb(service, watcher, kinds, options.minutes, random.Random(options.seed))
            finally:
                service.stopping.set()
                for thread in threads:
                    thread.join()
        failed = {status: count for status, count in service.statuses.items() if status >= 500 and status != 503}
        say(f"responses {dict(sorted(service.statuses.items()))}, broken connections {dict(service.broken)}")
        # PostgreSQL may have been killed since it was opened.
        connection.close()
        sound = read_off([ack for table in tables for ack in table.acknowledged]) and sound and not failed
        try:
            call_command("log", "verify")
            call_command("rebuild", "--all")
        except CommandError as error:
            say(str(error))
            sound = False
    sys.exit(not sound)


if __name__ == "__main__":
    main()
