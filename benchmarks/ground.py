"""What benchmarks run on: Django, servers and databases of their own, and the processor time that is spent."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

import django
import psutil

# Whatever is in its state directory is removed at the end.
os.environ["TREY_PROFILE"] = "benchmark"
os.environ.setdefault("TREY_LOG_LEVEL", "error")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402  Django is set up above
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from config.running import embedded  # noqa: E402
from core.accounts.login import tokens  # noqa: E402
from core.accounts.models import Player  # noqa: E402


@contextmanager
def own_place() -> Iterator[embedded.Place]:
    """The state directory of the profile with its servers running and its tables made; all of it goes at the end.

    PostgreSQL is the one at DATABASE_URL if that is set.
    """
    place = settings.PLACE
    try:
        with embedded.started(place):
            call_command("migrate", verbosity=0)
            yield place
    finally:
        shutil.rmtree(place.root, ignore_errors=True)
        shutil.rmtree(place.sockets, ignore_errors=True)


@contextmanager
def own_databases(*names: str) -> Iterator[None]:
    """Databases with Trey's tables, for `of`, which are dropped at the end.

    PostgreSQL and Redis are the embedded ones, except where DATABASE_URL or REDIS_URL names another.
    """
    with embedded.started(settings.PLACE):
        try:
            for name in names:
                _administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
                with of(name):
                    call_command("migrate", verbosity=0)
            yield
        finally:
            _administer(*(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)" for name in names))


def _administer(*statements: str) -> None:
    with connection._nodb_cursor() as cursor:  # noqa: SLF001
        for statement in statements:
            cursor.execute(statement)


@contextmanager
def of(name: str) -> Iterator[None]:
    """Connections of this process go to the database of that name."""
    usual = connection.settings_dict["NAME"]
    _close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        _close()
        connection.settings_dict["NAME"] = usual


def _close() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


def people(count: int) -> tuple[list[Player], list[str]]:
    """New accounts and their tokens. They have no passwords: hashing these would take longer than all the rest."""
    players = Player.objects.bulk_create([Player(username=f"p-{uuid4().hex[:20]}") for _ in range(count)])
    return players, [tokens.issue(player)[0] for player in players]


def backend() -> psutil.Process:
    """The process of PostgreSQL behind this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return psutil.Process(cursor.fetchone()[0])


def spent_with(backend: psutil.Process) -> float:
    """The seconds of processor time that this process and `backend` have spent so far."""
    return time.process_time() + float(sum(backend.cpu_times()[:2]))


def spent_by(process: psutil.Process) -> float:
    """The same of a process with its descendants, also of those that have ended."""
    spent = 0.0
    for each in (process, *process.children(recursive=True)):
        with suppress(psutil.Error):
            spent += sum(each.cpu_times()[:4])
    return spent
