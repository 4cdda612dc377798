"""Events a second with writers beside a reader that follows the log: the log as it is, and naive with one lock.

    python -m benchmarks.log [--writers 4] [--seconds 3] [--rounds 3] [--open-ms 2]

Both variants do the same appends to the same kind of streams, in processes of their own, and both have a reader that
must see every event in order. The naive one puts all streams into one bucket: its one counter is the global lock. They
are measured in turn, the best of some rounds counts: with transactions that commit at once, and with such that stay
open a little longer after the append. On a busy machine all figures are low and the ratios come near 1.
It runs in a database of its own, dropped at the end, in the embedded PostgreSQL of `make run` or at DATABASE_URL.
"""

import argparse
import multiprocessing
import os
import time
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier, Event
from typing import Any

os.environ.setdefault("TREY_PROFILE", "run")  # lasting: a commit costs here what it costs in the service
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")

STREAMS = 50
MOVE = {
    "move": {"move": "play", "cards": ["7H", "7D"]},
    "drew": ["QS", "2C"],
    "closed": None,
    "to_act": [2],
    "to_beat": {"rank": "7", "or": "lower"},
}


def always_the_first(stream: str) -> int:  # noqa: ARG001
    """Put every stream into one bucket."""
    return 0


def connect(database: str, naive: bool) -> None:
    """Make this process a client of the benchmark's database."""
    import django

    django.setup()
    from django.db import connection

    connection.settings_dict["NAME"] = database
    if naive:
        from core.log import appending

        appending.__dict__["bucket_of"] = always_the_first


def write(  # noqa: PLR0917  what a process is started with
    database: str, naive: bool, writer: int, open_seconds: float, ready: Barrier, stop: Event, count: Any, slowest: Any
) -> None:
    """Append one event a transaction, stream by stream, until told to stop."""
    connect(database, naive)
    from django.db import transaction

    from core import log

    streams = [f"game-{os.getpid()}-{writer}-{number}" for number in range(STREAMS)]
    version = 0
    ready.wait()
    while True:
        for stream in streams:
            if stop.is_set():
                return
            began = time.perf_counter()
            with transaction.atomic():
                event = log.NewEvent("shedding.played", MOVE, seat=1)
                log.append(stream, version, [event], recorded_at=datetime.now(UTC))
                if open_seconds:
                    time.sleep(open_seconds)
            slowest.value = max(slowest.value, time.perf_counter() - began)
            count.value += 1
        version += 1


def follow(database: str, naive: bool, ready: Barrier, stop: Event, count: Any) -> None:
    """Read all buckets in order; a gap raises. Ends when there is nothing left after the stop."""
    connect(database, naive)
    from django.db import connection

    from core import log

    def heads() -> dict[int, int]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT bucket, head FROM log_counter")
            return dict(cursor.fetchall())

    last = heads()
    ready.wait()
    while True:
        stopping = stop.is_set()
        for bucket, head in heads().items():
            while last[bucket] < head:
                events, reached = log.tails({bucket: last[bucket]})
                last |= reached
                count.value += len(events)
        if stopping:
            return
        time.sleep(0.02)


def measure(database: str, naive: bool, writers: int, seconds: float, open_seconds: float) -> tuple[float, float]:
    """Return (events a second, slowest append in seconds); raises if the reader did not see what was written."""
    # Not spawned: importing the service would take longer than a short run.
    context = multiprocessing.get_context("fork")
    ready, stop, finish = context.Barrier(writers + 2), context.Event(), context.Event()
    counts = [context.Value("q", 0) for _ in range(writers)]
    slowest = [context.Value("d", 0.0) for _ in range(writers)]
    seen = context.Value("q", 0)
    running = [
        context.Process(
            target=write,
            args=(database, naive, number, open_seconds, ready, stop, counts[number], slowest[number]),
        )
        for number in range(writers)
    ]
    reader = context.Process(target=follow, args=(database, naive, ready, finish, seen))
    for process in [*running, reader]:
        process.start()
    ready.wait(60)
    began = time.perf_counter()
    time.sleep(seconds)
    stop.set()
    for process in running:
        process.join()
    took = time.perf_counter() - began
    finish.set()
    reader.join()
    if any(process.exitcode for process in [*running, reader]):
        raise SystemExit("a process of the benchmark failed; what it said is above")
    written = sum(count.value for count in counts)
    if seen.value < written:
        raise SystemExit(f"the reader saw {seen.value} of {written} events")
    return written / took, max(value.value for value in slowest)


def compare(database: str, open_ms: float, options: argparse.Namespace) -> None:
    """Measure both in turn, and print the best of each."""
    results: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for _ in range(options.rounds):
        for naive, measured in results.items():
            measured.append(measure(database, naive, options.writers, options.seconds, open_ms / 1000))
    rates = {}
    for naive, measured in results.items():
        rate, slowest = max(measured)
        rates[naive] = rate
        what = "one global lock" if naive else "the log"
        print(f"open {open_ms:g} ms longer  {what:16} {rate:8.0f} events/s   slowest append {slowest * 1000:5.0f} ms")
    print(f"open {open_ms:g} ms longer  ratio            {rates[False] / rates[True]:8.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--open-ms", type=float, default=2.0)
    options = parser.parse_args()
    print(
        f"{options.writers} writers, one reader, one event a transaction;"
        f" best of {options.rounds} x {options.seconds:g} s"
    )
    from benchmarks.ground import own_database

    with own_database() as name:
        for open_ms in sorted({0.0, options.open_ms}):
            compare(name, open_ms, options)


if __name__ == "__main__":
    main()
