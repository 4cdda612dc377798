"""Every benchmark is started once, as small as can be: that it runs is proved here, what it measures is not."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_django
from django.conf import settings
from django.db import connection

from config.settings_test import SESSION, WORKER
from tests.config.running.conftest import bare, state_directory_of
from tests.config.running.test_run import free_port
from tests.config.web_server import database_url

ROOT = Path(__file__).parents[3]
BENCHMARKS = {
    "request_cost": ("POST moves", "--clients=1", "--seconds=0.01", "--rounds=1"),
    "growth": ("bytes a game", "--games=60", "--small=40", "--rounds=1"),
    "pages": ("first look", "--people=8", "--results=2", "--times=1"),
    "bots": ("first in", "--games=1", "threes"),
    "machines": ("--minutes", "--help"),
}
OF_ALL_PARTS = ("live", "faults", "move_cost")
# They need the whole service, which is started once for all.
OF_THE_SERVICE = """
import os, sys
from contextlib import contextmanager
from benchmarks import faults, live, move_cost, service
runs = {live: ["--streams=2", "--watchers=2", "--moves=1"], faults: ["--minutes=0", "--tables=1"],
        move_cost: ["--tables=1", "--seconds=2", "--warm-up=1"]}
with service.served(int(sys.argv[1])) as running:
    @contextmanager
    def again(*_):
        running.stopping.clear()
        yield running
    live.served = move_cost.served = faults.own_place = faults.running = again
    for module, arguments in runs.items():
        sys.argv = [module.__name__, f"--port={running.port}", *arguments]
        try:
            module.main()
        except SystemExit as ended:
            assert ended.code in (None, False, True), ended.code
        print("ran", module.__name__)
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environ() -> Iterator[dict[str, str]]:
    """An environment with a state directory for all of them."""
    with pytest.MonkeyPatch.context() as patched, state_directory_of(patched) as folder:
        yield {**bare(folder), "PYTHONPATH": str(ROOT)}


@pytest.fixture
def migrated_environ(
    environ: dict[str, str], migrated: str, django_db_blocker: pytest_django.DjangoDbBlocker
) -> Iterator[dict[str, str]]:
    """One with the servers of the tests, and a database that need not be migrated."""
    name = f"test_trey_{SESSION}_{WORKER}_benchmark"
    with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
    yield {
        **environ,
        "DATABASE_URL": database_url(name),
        "REDIS_URL": settings.REDIS_URL,
        "GRANIAN_WORKERS": "1",
        "TREY_TEST_REDIS_PREFIX": settings.REDIS_PREFIX,
        "DJANGO_SETTINGS_MODULE": "config.settings_test",
        "TREY_TEST_SESSION": f"{SESSION}_{WORKER}_own",
        "TREY_TEST_TEMPLATE": migrated,
    }
    with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def started(environ: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", BENCHMARKS)
def test_it_starts(name: str, migrated_environ: dict[str, str]) -> None:
    says, *arguments = BENCHMARKS[name]
    port = [f"--port={free_port()}"] if name == "request_cost" else []
    assert says in started(migrated_environ, "-m", f"benchmarks.{name}", *arguments, *port)


def test_those_of_the_whole_service_start(environ: dict[str, str]) -> None:
    said = started(environ, "-c", OF_THE_SERVICE, str(free_port()))
    assert [name for name in OF_ALL_PARTS if f"ran benchmarks.{name}" not in said] == [], said


def test_all_are_started() -> None:
    entries = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text()}
    assert entries | {"machines"} == BENCHMARKS.keys() | set(OF_ALL_PARTS)
    bench = re.search(r"^BENCH \?= (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert bench is not None and {*bench[1].split(), "faults"} == entries
