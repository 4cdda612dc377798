"""What all tests share: the real servers, started when the first test outside the rules needs them, and the clock."""

import gc
import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import psutil
import pytest
import pytest_django
import redis
from django.test import Client, TestCase, TransactionTestCase
from hypothesis import HealthCheck, is_hypothesis_test, settings
from psycopg import sql

from core import clock as service_clock
from tests import scenes
from tests.emptying import empty_tables

# A busy machine is no fault of what is tested.
settings.register_profile(
    "trey", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("trey")

# A shell has what runs in the background ignore Ctrl-C, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

_servers = ExitStack()
_started = False

# Where the service draws what cards and seats follow from.
DRAWS_LOTS = (
    "games.services.opening",
    "games.services.seating",
    "tournaments.services.setting_up",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --lots 2` deals other cards than `--lots 1`, and the same each time."""
    parser.addoption("--lots", default="1", help="what the tests' shuffles and draws of lots follow from (default 1)")
    parser.addoption(
        "--by-hand", action="store_true", help="play whole games by touch and by keyboard in Chromium, too"
    )
    parser.addoption(
        "--part", choices=("push", "rest"), help="only what `make test` runs before a push, or only what it leaves out"
    )
    parser.addoption("--commit", default=_commit(), help="by whose hash --part draws tenths (default: this one)")


def _commit() -> str:
    """The commit of this checkout; "none" where there is no history, or no git."""
    try:
        asked = ["git", "rev-parse", "HEAD"]
        found = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return found.stdout.strip()


def pytest_report_header(config: pytest.Config) -> str | None:
    part = config.getoption("part")
    return part and f"part {part}, tenths drawn by --commit {config.getoption('commit')}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What each of `make test` and `make test-all` runs; pytest alone runs everything.

    A test marked `slow` is left to test-all. Of those marked `sampled` a tenth, drawn by the commit, is tested before a
    push. Hypothesis tries a tenth of the examples before a push, and nine tenths in test-all.
    """
    if not (part := config.getoption("part")):
        return
    taken, left, shared = [], [], set()
    for item in items:
        if not item.get_closest_marker("slow") and is_hypothesis_test(test := getattr(item, "function", None)):
            shared.add(test)
            taken.append(item)
        else:
            is_in_push = not item.get_closest_marker("slow") and _is_drawn(item)
            (taken if is_in_push == (part == "push") else left).append(item)
    for test in shared:
        whole = test._hypothesis_internal_use_settings
        tenth = max(1, whole.max_examples // 10)
        examples = tenth if part == "push" else max(1, whole.max_examples - tenth)
        test._hypothesis_internal_use_settings = settings(whole, max_examples=examples)
    items[:] = taken
    config.hook.pytest_deselected(items=left)


def _is_drawn(item: pytest.Item) -> bool:
    lot = sha256(f"{item.config.getoption('commit')} {item.nodeid}".encode()).digest()
    return not item.get_closest_marker("sampled") or int.from_bytes(lot) % 10 == 0


def pytest_configure(config: pytest.Config) -> None:
    """What is imported stays: looking for garbage in it took a seventh of the tests' time."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The rules need no server; everything else runs against PostgreSQL and Redis."""
    if not item.nodeid.startswith(("tests/rules/", "tests/tournaments/rules/", "tests/tournaments/stream/")):
        start_servers()


def start_servers() -> None:
    """Start the embedded servers' test profile or join the one that runs; DATABASE_URL and REDIS_URL go before."""
    global _started
    if _started:
        return
    from django.conf import settings

    from config.running import embedded

    _servers.enter_context(embedded.started(settings.PLACE))
    if not os.environ.get("DATABASE_URL"):
        _drop_leftovers()
    _started = True


def _drop_leftovers() -> None:
    """Drop the databases of test runs that were killed: each is named after the process that began the run."""
    from django.conf import settings

    from config.running.embedded import postgres

    with closing(postgres.connect(settings.PLACE)) as connection:
        names = connection.execute(
            "SELECT datname FROM pg_database d WHERE datname LIKE 'test_trey_%'"
            " AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datname = d.datname)"
        ).fetchall()
        for (name,) in names:
            number = str(name).removeprefix("test_trey_").split("_")[0]
            if not psutil.pid_exists(int(number)):
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(str(name))))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave the servers; the last run to leave stops them."""
    _servers.close()


@pytest.fixture(autouse=True, scope="session")
def _one_stream_a_savepoint() -> Iterator[None]:
    """Django wraps a test in a transaction: what the service takes for one is the outermost savepoint in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.log.appending._scope", _outermost_savepoint)
        yield


def _outermost_savepoint() -> str | None:
    from django.db import connection

    if not (around := scenes.rolled_back()):
        return "-"
    # The first atomic block has no savepoint of its own.
    inner = connection.savepoint_ids[around - 1 :]
    return str(inner[0]) if inner else None


@pytest.fixture
def clock() -> Iterator[service_clock.FrozenClock]:
    """The service's clock, standing still at a Saturday noon; `clock.advance(hours=1)` moves it."""
    with service_clock.frozen(datetime(2026, 11, 21, 12, tzinfo=UTC)) as held:
        yield held


class Lots:
    """In place of the module `secrets`: the same lots in every run of a test."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self.choice = self._random.choice
        self.token_bytes = self._random.randbytes

    def token_hex(self, count: int) -> str:
        return self._random.randbytes(count).hex()


@pytest.fixture(autouse=True)
def _lots(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test gets the same cards each time; no run of CI finds out by luck what another one did not."""
    if _started:
        draw_from(lots_of(request), monkeypatch)
        scenes.begin(None if _is_patched(request) else partial(_drawn, request.config.getoption("lots")))


def _is_patched(request: pytest.FixtureRequest) -> bool:
    """Whether the service may be another one in this test, by what the test asks for."""
    found, todo = set(), list(request.node._fixtureinfo.argnames)
    while todo:
        if (name := todo.pop()) not in found:
            found.add(name)
            todo += [each for one in request.node._fixtureinfo.name2fixturedefs.get(name, ()) for each in one.argnames]
    return bool(found & {"monkeypatch", "settings"})


@contextmanager
def _drawn(seed: str, scene: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        draw_from(Lots(f"{seed} {scene}"), patched)
        yield


def lots_of(request: pytest.FixtureRequest) -> Lots:
    return Lots(f"{request.config.getoption('lots')} {request.node.nodeid}")


def draw_from(lots: Lots, patched: pytest.MonkeyPatch) -> None:
    for module in DRAWS_LOTS:
        patched.setattr(f"{module}.secrets", lots)


@pytest.fixture(scope="module")
def module_rows(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """For scenes that many tests of a module look at: `with module_rows():` writes rows that stay until its end.

    Each test is a savepoint within the transaction of its module, and takes back only what it did itself.
    """
    lots = lots_of(request)

    @contextmanager
    def rows() -> Iterator[None]:
        with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patched:
            draw_from(lots, patched)
            yield

    with django_db_blocker.unblock():
        TestCase.setUpClass()
    yield rows
    with django_db_blocker.unblock():
        TestCase.tearDownClass()
        TestCase.doClassCleanups()


@pytest.fixture(scope="session", autouse=True)
def _live_server_answers_at_once() -> Iterator[None]:
    """Django's server writes head and body apart, and Nagle's algorithm keeps the body until 40 ms later.

    And each thread of it keeps its connection to the database until its client leaves, which closes it: connecting is
    dearer than most requests. What goes wrong there, as a page's last request after its test, is not raised by a test
    client that happens to ask something at that moment.
    """
    from django.core.servers.basehttp import WSGIRequestHandler
    from django.db.backends.signals import connection_created

    store = Client.store_exc_info

    def is_server() -> bool:
        return "process_request_thread" in current_thread().name

    def keep(connection: Any, **_: Any) -> None:
        if is_server():
            connection.close_at = None

    def store_own(client: Client, **failure: Any) -> None:
        if not is_server():
            store(client, **failure)

    connection_created.connect(keep)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WSGIRequestHandler, "disable_nagle_algorithm", True)
        patched.setattr(Client, "store_exc_info", store_own)
        yield
    connection_created.disconnect(keep)


@pytest.fixture(scope="session", autouse=True)
def _logging_in_is_a_scene() -> Iterator[None]:
    log_in = Client.force_login

    def logged_in(client: Client, user: Any, backend: str | None = None) -> None:
        def session() -> str:
            log_in(client, user, backend)
            return str(client.cookies[settings.SESSION_COOKIE_NAME].value)

        from django.conf import settings

        client.cookies[settings.SESSION_COOKIE_NAME] = scenes.remembered(f"{user} logs in", session)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Client, "force_login", logged_in)
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_listed_once() -> Iterator[None]:
    """Each client of a test loads the middleware, which looks for all static files: 10 ms, and the same each time."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    look, found = WhiteNoiseMiddleware.add_files_from_finders, {}

    def listed(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            look(middleware)
            found.update(middleware.files)
        middleware.files = dict(found)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WhiteNoiseMiddleware, "add_files_from_finders", listed)
        yield


@pytest.fixture(autouse=True)
def _fresh_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Nothing of one test is left in Redis for the next."""
    yield
    if _started:
        from django.conf import settings

        # Not cache.clear(): that empties the whole Redis, other test runs' keys too.
        client = _redis_at(settings.REDIS_URL)
        if keys := client.keys(f"{settings.REDIS_PREFIX}*"):
            client.delete(*keys)


@cache
def _redis_at(url: str) -> redis.Redis:
    """Connecting is dearer than looking for keys, of which most tests leave none."""
    client = redis.Redis.from_url(url)
    _servers.callback(client.close)
    return client


@pytest.fixture(autouse=True)
def _bots_end_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stalls for a quarter of a second must not end a bot's turn halfway."""
    if _started:
        monkeypatch.setattr("games.services.bots.SLICE", 60.0)
        monkeypatch.setattr("games.services.bots.SWEEP_SECONDS", 60.0)


@pytest.fixture
def worker() -> Iterator[None]:
    """What the other processes of `make run` do, in one thread: bots move, and tournaments go on."""
    from django.db import connection

    from core.jobs import services as queue
    from games import services as games
    from games.notifications.following import tell_players
    from tests.tournaments.moment import services as tournaments
    from tournaments.notifications.following import tell_entrants

    stop = Event()

    def work() -> None:
        pause = 0.01
        while not stop.wait(pause):
            found = [
                games.sweep_bots(),
                tournaments.follow_games.catch_up(),
                tournaments.run().done,
                tell_players.catch_up(),
                tell_entrants.catch_up(),
                queue.do_all().done,
            ]
            # A look is ten queries, and what the test waits for may be work of its own for this processor.
            pause = 0.01 if any(found) else min(2 * pause, 0.3)
        connection.close()

    thread = Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


@contextmanager
def _migrated() -> Iterator[str]:
    """A database to copy: the first that needs it in a run migrates it, which takes three seconds."""
    from django.db import connection

    from config.settings_test import SESSION

    name = f"test_trey_{SESSION}_migrated"
    making, using = (int(SESSION), 1), (int(SESSION), 2)
    with connection._nodb_cursor() as cursor:
        cursor.execute("SET lock_timeout = 0")
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", making)
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if not cursor.fetchone():
            with pytest.MonkeyPatch.context() as patched:
                patched.setitem(connection.settings_dict, "NAME", connection.settings_dict["NAME"])
                patched.setitem(connection.settings_dict["TEST"], "NAME", name)
                connection.creation.create_test_db(verbosity=0, serialize=False)
                connection.close()
        cursor.execute("SELECT pg_advisory_lock_shared(%s, %s)", using)
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", making)
        yield name
        # The last that uses it takes it away.
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", making)
        cursor.execute("SELECT pg_advisory_unlock_shared(%s, %s)", using)
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", using)
        if cursor.fetchone()[0]:
            cursor.execute(f"DROP DATABASE {name}")


@pytest.fixture(scope="session")
def migrated(django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[str]:
    """The name of a database that `migrate` has made and nobody uses, to be copied."""
    with ExitStack() as held:
        with django_db_blocker.unblock():
            name = held.enter_context(_migrated())
        yield name


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, request: pytest.FixtureRequest) -> None:
    """The workers of a run copy one database."""
    from django.db import connection

    if "PYTEST_XDIST_WORKER" in os.environ:
        connection.settings_dict["TEST"] |= {"TEMPLATE": request.getfixturevalue("migrated"), "MIGRATE": False}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """A transactional test ends with TRUNCATE, which the logs refuse; their other refusals stay as they are."""
    from django.db import connection

    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER log_event_no_truncate")
        cursor.execute("ALTER TABLE accounts_audit DISABLE TRIGGER audit_no_truncate")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TransactionTestCase, "_fixture_teardown", lambda case: empty_tables())
        yield
    # A thread of the live server that has not seen yet that its client is gone would keep the database from being
    # dropped.
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
