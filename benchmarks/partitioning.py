"""The log is divided into partitions while people write: the files of deploy/partitions, as docs/scaling.md says.

    python benchmarks/partitioning.py [--events 200000] [--writers 2]

A database of its own is filled with events. Writers append to their streams and a reader follows all buckets, in
processes of their own, while the three files run. Printed are how long each file takes, and the slowest append before,
during and after it. The exit status is 1 when an append failed, the reader missed an event, or the log does not verify.
It is dropped at the end.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

# The checkout, in place of this folder.
CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[0] = str(CHECKOUT)
os.environ.setdefault("TREY_PROFILE", "run")  # lasting: a commit costs here what it costs in the service
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")

FILES = CHECKOUT / "deploy/partitions"
# Events a stream of the filling has, and how long writers are left alone before and after, in seconds.
EACH, QUIET, PARTITIONS = 100, 3.0, 16


def main() -> None:
    """Fill, divide and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--writers", type=int, default=2)
    options = parser.parse_args()

    from benchmarks.ground import own_database

    with own_database() as name:
        began = time.perf_counter()
        fill(options.events)
        print(f"{options.events:,} events filled in {time.perf_counter() - began:.0f} s", flush=True)
        sound = divide(name, options.writers)
    sys.exit(not sound)


def fill(count: int) -> None:
    """Append so many events, all streams together."""
    from django.db import transaction

    from benchmarks.log import MOVE
    from core import log

    for number in range(count // EACH):
        with transaction.atomic():
            events = [log.NewEvent("shedding.played", MOVE, seat=1) for _ in range(EACH)]
            log.append(f"game-filled-{number}", 0, events, recorded_at=datetime.now(UTC))


def divide(database: str, writers: int) -> bool:
    """Run the files beside writers and a reader; whether nothing was lost."""
    from django.core.management import CommandError, call_command
    from django.db import connection

    from benchmarks.log import follow, write

    context = multiprocessing.get_context("spawn")
    ready, stop, finish = context.Barrier(writers + 2), context.Event(), context.Event()
    counts = [context.Value("q", 0) for _ in range(writers)]
    slowest = [context.Value("d", 0.0) for _ in range(writers)]
    seen = context.Value("q", 0)
    running = [
        context.Process(target=write, args=(database, False, number, 0.0, ready, stop, counts[number], slowest[number]))
        for number in range(writers)
    ]
    reader = context.Process(target=follow, args=(database, False, ready, finish, seen))
    for process in (*running, reader):
        process.start()
    ready.wait(60)
    steps: list[tuple[str, Callable[[], None]]] = [("before", lambda: time.sleep(QUIET))]
    steps += [(file.name, partial(run, file)) for file in files()]
    steps += [("after", lambda: time.sleep(QUIET))]
    print(f"{'':14}{'took s':>8}{'slowest append ms':>20}{'appends':>10}")
    for name, act in steps:
        for each in slowest:
            each.value = 0.0
        written, began = sum(count.value for count in counts), time.perf_counter()
        act()
        took, most = time.perf_counter() - began, max(each.value for each in slowest)
        print(f"{name:14}{took:8.2f}{most * 1000:20.0f}{sum(count.value for count in counts) - written:10}", flush=True)
    stop.set()
    for process in running:
        process.join()
    finish.set()
    reader.join()
    failed = [process.exitcode for process in (*running, reader) if process.exitcode]
    written = sum(count.value for count in counts)
    print(f"{written:,} events appended meanwhile, {seen.value:,} seen in all; load {os.getloadavg()[0]:.1f}")
    try:
        call_command("log", "verify")
    except CommandError as error:
        print(error)
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), count(DISTINCT tableoid) FROM log_event")
        there, partitions = cursor.fetchone()
    print(f"{there:,} events in {partitions} partitions")
    return not failed and seen.value == there and partitions == PARTITIONS


def files() -> list[Path]:
    """The files in their order."""
    return sorted(FILES.glob("*.sql"))


def run(file: Path) -> None:
    """Run a file by psql, again where it did not get its lock."""
    from django.conf import settings
    from django.db import connection

    connection.ensure_connection()
    info = connection.connection.info
    psql = settings.POSTGRES_TOOLS / "psql" if settings.POSTGRES_TOOLS else "psql"
    command = [str(psql), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(file), info.dsn]
    while True:
        done = subprocess.run(
            command, env={**os.environ, "PGPASSWORD": info.password}, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return
        if "lock timeout" not in done.stderr:
            sys.exit(done.stderr)
        print(f"{file.name}: no lock within a second; again")


if __name__ == "__main__":
    main()
