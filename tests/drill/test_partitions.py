"""The log divided into partitions by the files of deploy/partitions, as docs/operate/scaling.md says."""

import subprocess
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from drill_scene import Elsewhere

from config.processes import CHECKOUT
from core import log

pytestmark = pytest.mark.slow

FILES = sorted((CHECKOUT / "deploy/partitions").glob("*.sql"))


def append(number: int, version: int) -> None:
    with transaction.atomic():
        log.append(
            f"game-{number}",
            version,
            [log.NewEvent("shedding.passed", {"number": number}, seat=0)],
            recorded_at=datetime(2026, 11, 23, tzinfo=UTC),
        )


def psql(file: Path) -> None:
    connection.ensure_connection()
    info = connection.connection.info
    command = [settings.POSTGRES_TOOLS / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, info.dsn]
    done = subprocess.run(command, env={"PGPASSWORD": info.password}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def rows(query: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()


EVENTS = "SELECT bucket, position, stream_id, version, data::text, digest FROM log_event ORDER BY bucket, position"


def test_the_log_goes_on_in_partitions_and_comes_back_from_a_backup(
    elsewhere: Elsewhere, migrated: str, tmp_path: Path
) -> None:
    with elsewhere(migrated):
        for number in range(60):
            append(number, 0)
        before = rows(EVENTS)
        for file in FILES:
            psql(file)
            if file.name.startswith("2"):
                append(60, 0)  # after the copy, and before the names change
        assert len(rows(EVENTS)) == len(before) + 1
        assert set(before) < set(rows(EVENTS))
        for number in range(60):
            append(number, 1)
        assert rows("SELECT relkind FROM pg_class WHERE relname = 'log_event'") == [("p",)]
        assert rows("SELECT count(*) FROM log_event_before") == [(61,)]
        assert rows("SELECT count(DISTINCT tableoid) > 10 FROM log_event") == [(True,)]
        # The log refuses changes as before, and each partition does.
        for table in ("log_event", "log_event_00", "log_event_15"):
            for change in (f"UPDATE {table} SET seat = 1", f"DELETE FROM {table}", f"TRUNCATE {table}"):
                with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                    rows(change)
        call_command("log", "verify", stdout=(said := StringIO()))
        assert "The log is intact." in said.getvalue()

        after = rows(EVENTS)
        call_command("backup", "database", str(tmp_path / "trey.dump"), stdout=StringIO())
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        call_command("restore", str(tmp_path / "trey.dump"), stdout=StringIO())
        assert rows(EVENTS) == after
        append(0, 2)
        assert rows("SELECT relkind FROM pg_class WHERE relname = 'log_event'") == [("p",)]
