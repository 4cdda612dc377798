"""A pooler that cannot carry Trey is recognised, by the real PgBouncer; one that can is none of anybody's worries."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from types import SimpleNamespace

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from config import pooler
from config.errors import StartupError
from config.ops import health
from config.ops.doctor import machine
from config.pooler import Pooling
from config.running import preflight
from core import lasting
from core.accounts.models import Player

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
pytestmark = [
    pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not on this machine"),
    pytest.mark.django_db(transaction=True),
]


def version() -> tuple[int, ...]:
    shown = subprocess.run([str(PGBOUNCER), "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in re.findall(r"\d+", shown)[:2])


@pytest.fixture
def bouncer(tmp_path) -> Iterator[Callable[..., SimpleNamespace]]:
    """Start a PgBouncer before the tests' PostgreSQL: `bouncer("transaction", "default_pool_size = 1")`."""
    started = []

    def start(mode: str, *lines: str) -> SimpleNamespace:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        there = connection.settings_dict
        settings = [
            "[databases]",
            f"* = host={there['HOST']} user={there['USER']} {'port=' + there['PORT'] if there['PORT'] else ''}",
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            f"listen_port = {port}",
            "unix_socket_dir =",
            "auth_type = any",
            "ignore_startup_parameters = options",
            f"pool_mode = {mode}",
            *lines,
            *(["user = nobody"] if os.geteuid() == 0 else []),
        ]
        file = tmp_path / f"{port}.ini"
        file.write_text("\n".join(settings))
        with (tmp_path / f"{port}.log").open("w") as log:
            started.append(subprocess.Popen([str(PGBOUNCER), str(file)], stdout=log, stderr=log))
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        return SimpleNamespace(host="127.0.0.1", port=port, user=there["USER"], dbname=there["NAME"])

    yield start
    for process in started:
        process.kill()
        process.wait()


@contextmanager
def behind(at: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, **options: object) -> Iterator[None]:
    """Let Django reach the database by the pooler."""
    connection.close()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "HOST", at.host)
        patch.setitem(connection.settings_dict, "PORT", str(at.port))
        patch.setitem(connection.settings_dict, "OPTIONS", {**connection.settings_dict["OPTIONS"], **options})
        patch.setattr(health, "_pooler", health._Pooler())
        yield
        connection.close()


def test_without_a_pooler_there_is_nothing_to_say():
    assert pooler.look(**pooler.arguments_of(connection.get_connection_params())) is Pooling.NONE
    assert list(machine.pooler_()) == []
    assert list(machine.time_limits()) == []


def test_session_pooling_carries_trey(bouncer, client, monkeypatch):
    at = bouncer("session")
    assert pooler.look(**vars(at)) is Pooling.SESSION
    with behind(at, monkeypatch):
        assert client.get("/readyz").status_code == 200
        [line] = machine.pooler_()
        assert (line.level.name, line.detail) == ("OK", "a pooler keeps one connection for each session")
        [limits] = machine.time_limits()
        assert limits.detail.startswith("idle_in_transaction_session_timeout, lock_timeout, statement_timeout")
        # A limit that the operator set for the role is as good.
        with connection.cursor() as cursor:
            for name in limits.detail.partition(":")[0].split(", "):
                cursor.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {at.dbname} SET {name} = '60s'")
        connection.close()
    at = bouncer("session")
    try:
        with behind(at, monkeypatch):
            assert list(machine.time_limits()) == []
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {at.dbname} RESET ALL")


@pytest.mark.parametrize("lines", [(), ("max_prepared_statements = 0",)], ids=["as installed", "told not to"])
def test_transaction_pooling_without_prepared_statements_is_not_ready(bouncer, client, monkeypatch, lines):
    if version() < (1, 21) and lines:
        pytest.skip("this PgBouncer does not know max_prepared_statements")
    if version() >= (1, 22) and not lines:
        pytest.skip("this PgBouncer keeps prepared statements without being told")
    at = bouncer("transaction", *lines)
    assert pooler.look(**vars(at)) is Pooling.LOST
    with behind(at, monkeypatch):
        answer = client.get("/readyz")
        assert answer.status_code == 503
        detail = answer.json()["checks"]["database"]
        assert "a pooler changes connections between transactions and loses prepared statements" in detail
        assert "pool_mode = session" in detail
        assert "max_prepared_statements above 0 in PgBouncer 1.22" in detail
        with pytest.raises(SystemExit) as ended:
            call_command("doctor", stdout=(out := StringIO()))
        assert ended.value.code == 2
        assert out.getvalue().startswith("bad   pooler")
        assert "Set pool_mode" in out.getvalue()
        with pytest.raises(StartupError, match="loses prepared statements"):
            preflight.check_database(connection.settings_dict)


def test_readiness_comes_back_once_the_pooler_is_set_right(bouncer, client, monkeypatch):
    bad, good = bouncer("statement"), bouncer("session")
    with behind(bad, monkeypatch):
        assert "no request can work" in client.get("/readyz").json()["checks"]["database"]
        connection.close()
        connection.settings_dict["PORT"] = str(good.port)
        monkeypatch.setattr(health, "_HOLDS_IF_BAD", 0.0)
        health._pooler._until = 0.0
        assert client.get("/readyz").status_code == 200


def test_a_good_pooler_in_whose_place_comes_a_bad_one_is_found_out(bouncer, client, monkeypatch):
    good, bad = bouncer("session"), bouncer("statement")
    with behind(good, monkeypatch):
        assert client.get("/readyz").status_code == 200
        connection.settings_dict["PORT"] = str(bad.port)
        # The old one is gone, and its connections with it.
        with psycopg.connect(**vars(good), autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert client.get("/readyz").json()["checks"]["database"] == "The database does not respond."
        assert "no request can work" in client.get("/readyz").json()["checks"]["database"]


def test_statement_pooling_is_named(bouncer):
    assert pooler.look(**vars(bouncer("statement"))) is Pooling.STATEMENTS


@pytest.mark.skipif(PGBOUNCER is None or version() < (1, 22), reason="this PgBouncer is older than 1.22")
def test_transaction_pooling_with_prepared_statements_carries_trey(bouncer, client, monkeypatch):
    at = bouncer("transaction", "max_prepared_statements = 200")
    assert pooler.look(**vars(at)) is Pooling.CARRIED
    with behind(at, monkeypatch):
        assert client.get("/readyz").status_code == 200


def test_a_pooler_with_too_few_connections_is_named_in_seconds(bouncer, monkeypatch):
    monkeypatch.setattr(pooler, "_PATIENCE", 0.3)
    found = pooler.look(**vars(bouncer("session", "default_pool_size = 1", "query_wait_timeout = 2")))
    assert found is Pooling.CROWDED
    assert (found.usable, "default_pool_size" in found.advice) == (True, True)


def test_a_database_that_is_away_is_the_databases_affair(monkeypatch):
    with pytest.raises(psycopg.OperationalError):
        pooler.look(host="127.0.0.1", port=1, user="trey", dbname="trey")


def test_a_lock_over_many_transactions_holds_where_each_has_another_connection(bouncer, monkeypatch):
    # Without prepared statements even an old PgBouncer serves for this.
    with behind(bouncer("transaction"), monkeypatch, prepare_threshold=None):
        others = [connection.copy() for _ in range(2)]
        with lasting.lock("a rebuild") as held:
            assert held
            for other in others:
                with transaction.atomic(), other.cursor() as cursor:
                    Player.objects.count()
                    cursor.execute("SELECT 1")
            with lasting.lock("a rebuild", wait=False) as twice:
                assert not twice
            with lasting.lock("another", wait=False) as another:
                assert another
        with lasting.lock("a rebuild", wait=False) as again:
            assert again
        for other in others:
            other.close()


def test_rows_in_batches_come_in_order_and_each_once():
    for number in range(7):
        Player.objects.create_user(f"p{number}")
    rows = Player.objects.order_by("-username")
    assert [each.username for each in lasting.in_batches(rows, size=3)] == [f"p{number}" for number in range(6, -1, -1)]
