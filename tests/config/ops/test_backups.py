"""What `manage.py backup` and `restore` refuse, in a sentence; the drill has what they do."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.ops import backups, models
from config.ops.models import Upkeep
from core.accounts.models import Player

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def refused(*command: str) -> str:
    with pytest.raises(CommandError) as found:
        call_command(*command)
    return str(found.value)


def test_a_backup_is_written_down_and_so_is_one_by_other_means(tmp_path):
    call_command("backup", "database", str(tmp_path / "trey.dump"))
    assert Upkeep.objects.get(pk=models.BACKUP).detail == f"the database to {tmp_path / 'trey.dump'}"
    call_command("backup", "note", "by cron", stdout=(out := StringIO()))
    assert out.getvalue() == "Recorded that a backup has just been made.\n"
    assert Upkeep.objects.get(pk=models.BACKUP).detail == "by cron"
    assert [path.name for path in tmp_path.iterdir()] == ["trey.dump"]


def test_a_backup_that_fails_is_written_down_and_leaves_nothing(tmp_path, monkeypatch):
    call_command("backup", "note")
    assert "cannot be written: No such file or directory" in refused(
        "backup", "database", str(tmp_path / "no" / "file")
    )
    monkeypatch.setattr(backups, "_database", lambda: "dbname=missing host=/nowhere")
    assert "error: connection to server" in refused("backup", "database", str(tmp_path / "file"))
    row = Upkeep.objects.get(pk=models.BACKUP)
    assert row.done_at is not None
    assert row.failed_at is not None
    assert list(tmp_path.iterdir()) == []


def test_of_a_newer_postgresql_the_pg_dump_on_path_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(backups, "_server", lambda: 99)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "pg_dump is not on PATH" in refused("backup", "database", str(tmp_path / "file"))
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump: error: aborting because of server version mismatch' >&2; exit 1\n")
    old.chmod(0o755)
    assert refused("backup", "database", str(tmp_path / "file")).endswith("server version mismatch")


def test_what_is_no_backup_is_refused(tmp_path):
    assert refused("restore", str(tmp_path / "none")) == f"There is no file {tmp_path / 'none'}."
    text = tmp_path / "text"
    text.write_text("no dump")
    assert "input file does not appear to be a valid archive" in refused("restore", str(text))


@pytest.fixture
def dump(tmp_path):
    file = tmp_path / "trey.dump"
    call_command("backup", "database", str(file))
    return file


def test_a_dump_that_is_damaged_is_named_and_leaves_an_empty_database(dump):
    whole = dump.read_bytes()
    dump.write_bytes(whole[:-300])
    told = refused("restore", str(dump))
    assert told.startswith(f"{dump} cannot be restored, and this database is empty now. pg_restore: error: ")
    dump.write_bytes(whole)
    call_command("restore", str(dump))


def test_a_dump_of_a_newer_postgresql_is_refused_with_what_goes_into_any(dump):
    Player.objects.create_user("ada")
    whole = dump.read_bytes()
    server = f"{connection.connection.info.server_version // 10000}.".encode()
    # As text it is in the header: what it was made from, then by what.
    dump.write_bytes(whole.replace(server, b"99.", 1))
    told = refused("restore", str(dump))
    assert told.startswith(
        f"{dump} was made from PostgreSQL 99; this one is {server.decode()[:-1]}. A dump can be restored into "
    )
    assert told.endswith("an export of the log into any.")
    assert Player.objects.exists()


def test_a_database_with_tables_of_somebody_else_keeps_them(dump):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE shop_order ()")
    try:
        assert "The table shop_order here is not Trey's." in refused("restore", str(dump))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE shop_order")
