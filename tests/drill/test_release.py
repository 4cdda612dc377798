"""What a release has stored is upgraded, checked and played on: its database, and its log."""

import gzip
import json
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from drill_scene import Elsewhere
from release import KEY, Found

from config.ops import backups
from config.ops.doctor import examine
from core import clock as service_clock
from core import log, vault
from core.jobs.running import do_all
from core.log.registry import rebuildables
from games.services.rebuilding import JOB, behind

pytestmark = pytest.mark.slow

RELEASES = [path for path in sorted((Path(__file__).parents[1] / "stored").glob("[0-9]*")) if path.is_dir()]


def test_there_is_a_release() -> None:
    assert RELEASES


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_what_a_release_stored_is_upgraded_and_played_on(
    release: Path,
    elsewhere: Elsewhere,
    clock: service_clock.FrozenClock,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before: dict[str, list[dict[str, Any]]] = {}

    def migrate(*how: Any, **options: Any) -> None:
        before.update(kept())
        call_command(*how, **options)

    settings.TREY_VAULT_KEYS = [KEY]
    with gzip.open(release / "export.jsonl.gz") as lines:
        clock.set(datetime.fromisoformat(json.loads(next(lines))["exported_at"]))
    with elsewhere():
        monkeypatch.setattr(backups, "call_command", migrate)
        call_command("restore", str(release / "trey.dump"))
        assert lost(before, kept()) == []
        while next(behind(), None) is not None:
            do_all(kinds=[JOB])
        service = Found(clock)
        service.follow()
        check()
        service.goes_on()
        service.all_go_on()
        check()


MADE_AGAIN = {
    "games_game", "games_seat", "tournaments_tournament", "tournaments_entrant", "tournaments_round",
    "tournaments_table", "tournaments_tournamentgame", "tournaments_proposal", "tournaments_elector",
    "tournaments_part", "leaderboards_boardstate",
    "django_migrations", "django_content_type", "auth_permission", "log_counter",
}  # fmt: skip
"""The tables whose rows an upgrade makes again, from the log or by `migrate` itself; it keeps all others'."""


def kept() -> dict[str, list[dict[str, Any]]]:
    with connection.cursor() as cursor:
        found = {}
        for table in set(connection.introspection.table_names(cursor)) - MADE_AGAIN:
            cursor.execute(f"SELECT to_jsonb(one)::text FROM {table} one")
            found[table] = [json.loads(row) for (row,) in cursor.fetchall()]
        return found


def lost(before: dict[str, list[dict[str, Any]]], after: dict[str, list[dict[str, Any]]]) -> list[str]:
    """The rows of before that are not there after, but for columns that are gone."""
    missing = []
    for table, rows in before.items():
        columns = rows[0].keys() if rows else set()
        there = [{name: row[name] for name in row.keys() & columns} for row in after.get(table, ())]
        shared = there[0].keys() if there else set()
        missing += [f"{table}: {row}" for row in rows if {name: row[name] for name in shared} not in there]
    return missing


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_what_a_release_exported_is_verified_for_ever(release: Path, tmp_path: Path) -> None:
    export = release / "export.jsonl.gz"
    call_command("log", "verify", export=export, stdout=StringIO())
    lines = gzip.decompress(export.read_bytes()).splitlines(keepends=True)
    # Behind the events of 0.1.0 stand rows of other tables.
    last = "rows" if json.loads(lines[0])["companions"] else "events"
    assert ("companion" in json.loads(lines[-1])) is (last == "rows")
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(CommandError, match=rf"the file ends after \d+ of \d+ {last}"):
        call_command("log", "verify", export=cut, stdout=StringIO())


def check() -> None:
    """The log is sound, the rows are what it makes, secrets can be read, and the doctor has nothing against it."""
    call_command("log", "verify", stdout=StringIO())
    found = [line for kind in rebuildables() for key in kind.ids() for line in log.differences(kind, key).differences]
    assert found == []
    for holder in vault.HOLDERS:
        for row in holder.rows():
            # Raises vault.Unreadable; the row is not saved.
            holder.recode(row, vault.unseal)
    assert {finding.name for finding in examine(50) if finding.level.name == "BAD"} <= ABOUT_THE_MACHINE
    assert list(log.verify_all()) == []


#: What the doctor says of a service that is not there: nobody publishes heads, nothing does its work.
ABOUT_THE_MACHINE = {"heads", "backup", "queue"}
