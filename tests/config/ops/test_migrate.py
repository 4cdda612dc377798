"""A database that comes later than `migrate` is waited for: systemd and Compose start both at once."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from config.ops.management.commands import migrate

pytestmark = pytest.mark.django_db


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A connection to where no server listens yet."""
    monkeypatch.setattr(migrate, "PAUSE", 0.01)
    found: Any = connections.create_connection("default")
    found.settings_dict = {**found.settings_dict, "HOST": str(tmp_path), "OPTIONS": {}}
    yield found
    found.close()


def test_it_is_waited_for_and_why_is_said_once(database: Any, tmp_path: Path) -> None:
    said: list[str] = []

    def listens(sentence: str) -> None:
        said.append(sentence)
        name = f".s.PGSQL.{connection.settings_dict['PORT'] or 5432}"
        (tmp_path / name).symlink_to(Path(connection.settings_dict["HOST"]) / name)

    migrate.wait_for(database, listens)
    assert database.is_usable()
    assert len(said) == 1
    assert said[0].startswith("Waiting up to 10 minutes for the database: ")


def test_the_command_waits_before_its_checks_ask_the_database(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(migrate, "wait_for", lambda *_: done.append("waited"))
    monkeypatch.setattr(migrate.Command, "check", lambda *_, **__: done.append("checked"))
    settings.DATABASE_URL = "postgresql://trey@127.0.0.1/trey"
    call_command("migrate", "--check", skip_checks=False)
    assert done == ["waited", "checked"]


def test_what_never_comes_is_an_error_that_says_why(database: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "PATIENCE", 0.0)
    with pytest.raises(CommandError, match=r"Gave up waiting for the database: .*No such file or directory"):
        migrate.wait_for(database, print)
