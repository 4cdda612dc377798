"""What a release has stored is upgraded, checked and played on: its database, and its log."""

import gzip
import json
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from drill_scene import Elsewhere
from release import KEY, Found

from config.ops.doctor import examine
from core import clock as service_clock
from core import log, vault
from core.log.registry import rebuildables

RELEASES = [path for path in sorted((Path(__file__).parents[1] / "stored").glob("[0-9]*")) if path.is_dir()]


def test_there_is_a_release() -> None:
    assert RELEASES


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_what_a_release_stored_is_upgraded_and_played_on(
    release: Path, elsewhere: Elsewhere, clock: service_clock.FrozenClock, settings: Any
) -> None:
    settings.TREY_VAULT_KEYS = [KEY]
    with gzip.open(release / "export.jsonl.gz") as lines:
        clock.set(datetime.fromisoformat(json.loads(next(lines))["exported_at"]))
    with elsewhere():
        call_command("restore", str(release / "trey.dump"))
        service = Found(clock)
        service.follow()
        check()
        service.goes_on()
        service.all_go_on()
        check()


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_what_a_release_exported_is_verified_for_ever(release: Path, tmp_path: Path) -> None:
    export = release / "export.jsonl.gz"
    call_command("log", "verify", export=export, stdout=StringIO())
    lines = gzip.decompress(export.read_bytes()).splitlines(keepends=True)
    assert json.loads(lines[-1]).keys() == {"companion", "row", "digest"}, "an old export has rows behind its events"
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(CommandError, match=r"the file ends after \d+ of \d+ rows"):
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
