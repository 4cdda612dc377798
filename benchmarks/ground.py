"""What benchmarks run on: servers or a database of their own, and the processor time that is spent."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from config.running.embedded import Place


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
