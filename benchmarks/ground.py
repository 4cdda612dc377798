"""What benchmarks run on: servers, a database or a web of their own, and the processor time that is spent."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

if TYPE_CHECKING:
    from config.running.embedded import Place
    from config.running.supervisor import Supervisor


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL and Redis: the embedded ones, except where DATABASE_URL or REDIS_URL names another. Sets Django up."""
    import django

    django.setup()
    from django.conf import settings

    from config.running import embedded

    with embedded.started(settings.PLACE):
        yield


@contextmanager
def own_database() -> Iterator[str]:
    """The name of an empty database for one measurement, dropped at the end."""
    with servers():
        from django.db import connection

        usual = connection.settings_dict["NAME"]
        name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        connection.close()
        try:
            yield name
        finally:
            connection.creation.destroy_test_db(usual, verbosity=0)


@contextmanager
def own_place() -> "Iterator[Place]":
    """The state directory of TREY_PROFILE with its servers running and its tables made; all of it goes at the end.

    Sets Django up. PostgreSQL is the one at DATABASE_URL if that is set.
    """
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from config.running import embedded

    place = settings.PLACE
    try:
        with embedded.started(place):
            call_command("migrate", verbosity=0)
            yield place
    finally:
        shutil.rmtree(place.root, ignore_errors=True)
        shutil.rmtree(place.sockets, ignore_errors=True)


@contextmanager
def web(port: int) -> "Iterator[Supervisor]":
    """The web at a port of this machine, ready, and looked after as in `make run`. It needs a place (`own_place`)."""
    from config.processes import WEB
    from config.running.supervisor import Supervisor

    supervisor, stop = Supervisor(), threading.Event()

    def watch() -> None:
        while not stop.wait(0.1):
            supervisor.watch()

    watching = threading.Thread(target=watch)
    supervisor.start(WEB, {"GRANIAN_PORT": str(port), "GRANIAN_HOST": "127.0.0.1"})
    try:
        _wait_until_ready(f"http://127.0.0.1:{port}/readyz")
        supervisor.watch()
        watching.start()
        yield supervisor
    finally:
        stop.set()
        if watching.ident is not None:
            watching.join()
        supervisor.stop(threading.Event())


def _wait_until_ready(url: str) -> None:
    for _ in range(600):
        with suppress(URLError, ConnectionError, TimeoutError), urlopen(url, timeout=5):
            return
        time.sleep(0.2)
    sys.exit("the web was not ready in time")


def backend() -> Path:
    """Where Linux tells of the process behind this thread's connection, if the database is on this machine."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return Path(f"/proc/{cursor.fetchone()[0]}/stat")


def processor_seconds(stat: Path) -> float:
    """What this process and `backend` have spent so far; without the database's where it is not to be seen."""
    if not stat.exists():
        return time.process_time()
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
