"""What fails in PostgreSQL is in its log, but not with which values."""

import os
import uuid

import psycopg
import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.db import DatabaseError, connection, transaction

from config.ops.apps import the_database_logs_no_values
from config.processes import POSTGRES_LOG

SECRET = "argon2$argon2id$v=19$m=65536,t=3,p=1$c2VjcmV0$aGFzaA"

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="DATABASE_URL names another PostgreSQL"),
]

INSERT = """
    INSERT INTO accounts_player (
        id, username, password, is_superuser,
        is_staff, is_active, date_joined, email, preferences, handles, quiet_hours, vacation
    ) VALUES (%s, %s, %s, %s, false, true, now(), '', '{}', '{}', '[]', '[]')
"""


@pytest.fixture
def written():
    """What the server's log says since the test began."""
    log = settings.PLACE.postgres / "server.log"
    before = log.stat().st_size

    def read():
        with log.open("rb") as opened:
            opened.seek(before)
            return opened.read().decode(errors="replace")

    return read


def fails(statement, values):
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_failed_inserts_leave_neither_hashes_nor_rows_in_the_log(written):
    me = uuid.uuid4()
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [me, "alice", SECRET, False])
    fails(INSERT, [me, "alice", SECRET, False])
    fails(INSERT, [uuid.uuid4(), "bob", SECRET, None])
    fails("UPDATE accounts_player SET username = NULL WHERE password = %s", [SECRET])
    fails("INSERT INTO accounts_player (password) VALUES (%s, 1)", [SECRET])
    # Parameters that are sent apart from the statement, as other clients do.
    with pytest.raises(psycopg.DataError), transaction.atomic():
        psycopg.Cursor(connection.connection).execute("SELECT 1 / length(replace(%s, %s, ''))", [SECRET, SECRET])
    text = written()
    for failure in ("duplicate key value", "null value in column", "INSERT has more expressions", "division by zero"):
        assert failure in text
    for hidden in ("argon2", "aGFzaA", "alice", "Failing row", "STATEMENT", "DETAIL", "INSERT INTO"):
        assert hidden not in text


def test_the_server_has_the_settings_that_compose_gives_its_own():
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(POSTGRES_LOG)])
        assert dict(cursor.fetchall()) == POSTGRES_LOG


def test_a_check_tells_whoever_brings_a_postgresql_that_logs_values():
    assert run_checks(tags=["database"], databases=["default"]) == []
    with connection.cursor() as cursor:
        cursor.execute("SET log_error_verbosity = verbose")
        cursor.execute("SET log_min_error_statement = error")
    [warning] = the_database_logs_no_values(databases=["default"])
    assert warning.id == "trey.W001"
    assert warning.hint == "Set in postgresql.conf: log_error_verbosity = terse, log_min_error_statement = panic."
