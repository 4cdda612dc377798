"""The embedded PostgreSQL's next major version finds the data of the one before."""

import subprocess
from contextlib import closing

import psycopg
import pytest

from config.environment import StartupError
from config.running import embedded
from config.running.embedded import places, postgres, server
from tests.config.running.conftest import state_directory_of

OLD = "16"


@pytest.fixture(scope="module")
def old_data():
    """The folder of data that was made by PostgreSQL 16 and holds a table."""
    with pytest.MonkeyPatch.context() as patched, state_directory_of(patched):
        at = embedded.place("test")
        places.prepare(at)
        binaries = server.shipped(at, OLD)
        assert binaries is not None
        options = ["--username=trey", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        made = places.run(at, [binaries / "initdb", "-D", at.postgres, *options])
        assert made.returncode == 0, made.stdout
        with server.running(at, binaries):
            with closing(psycopg.connect(host=str(at.sockets), user="trey", dbname="postgres", autocommit=True)) as new:
                new.execute("CREATE DATABASE trey")
            execute(at, "CREATE TABLE kept (number integer PRIMARY KEY, what text)")
            execute(at, "INSERT INTO kept SELECT n, 'ß ' || n FROM generate_series(1, 1000) AS n")
        yield at.postgres


@pytest.fixture
def place(old_data, state_directory):
    """A place with a copy of that data."""
    at = embedded.place("test")
    places.prepare(at)
    subprocess.run(["cp", "-a", f"{old_data}/.", at.postgres], check=True)
    assert postgres.version_of(at) == OLD
    return at


def execute(at, statement):
    with closing(psycopg.connect(embedded.database_url(at), autocommit=True)) as opened:
        cursor = opened.execute(statement)
        return cursor.fetchone() if cursor.description else None


def is_there(at):
    with embedded.started(at, with_redis=False):
        return execute(at, "SELECT count(*), max(what), current_setting('server_version_num')::int / 10000 FROM kept")


def test_the_data_is_carried_over_and_the_old_folder_stays(place, capsys):
    assert is_there(place) == (1000, "ß 999", 18)
    assert postgres.version_of(place) == server.MAJOR
    assert (place.root / "postgres-16" / "PG_VERSION").read_text() == "16\n"
    assert not (place.root / "upgrade").exists()
    said = capsys.readouterr().err
    assert f"over from PostgreSQL 16 to {server.MAJOR}" in said
    assert f"The old data stays in {place.root / 'postgres-16'}" in said
    assert is_there(place) == (1000, "ß 999", 18)
    assert capsys.readouterr().err == ""


def test_an_upgrade_that_was_killed_begins_again(place):
    left = place.root / "upgrade" / "postgres"
    left.mkdir(parents=True)
    (left / "PG_VERSION").write_text("18\n")
    assert is_there(place) == (1000, "ß 999", 18)


def test_an_upgrade_that_was_killed_between_the_two_renames_is_finished(place, monkeypatch):
    rename = type(place.root).rename

    def killed(path, target):
        if path.parent.name == "upgrade":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(type(place.root), "rename", killed)
    with pytest.raises(KeyboardInterrupt), embedded.started(place, with_redis=False):
        pass
    monkeypatch.undo()
    assert not place.postgres.exists()
    assert is_there(place) == (1000, "ß 999", 18)
    assert not (place.root / "upgrade").exists()


def test_an_upgrade_that_fails_leaves_the_data_as_it_was(place, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(server, "DATABASE", "missing")
        with pytest.raises(StartupError, match=r"could not be carried over; it is as it was\..*missing"):
            postgres.carry_over(place, OLD)
    assert postgres.version_of(place) == OLD
    assert is_there(place) == (1000, "ß 999", 18)


def test_without_room_it_does_not_begin(place, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr(postgres.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 10 << 20}))
        with pytest.raises(StartupError, match=r"takes up to .* MB; only 10 MB are free"):
            postgres.carry_over(place, OLD)
    assert postgres.version_of(place) == OLD


def test_data_of_a_version_without_programs_is_refused_with_what_to_do(state_directory):
    place = embedded.place("run")
    places.prepare(place)
    (place.postgres / "PG_VERSION").write_text("12\n")
    with (
        pytest.raises(StartupError, match=r"was made by PostgreSQL 12, and this is PostgreSQL 18\..*postgresql-12"),
        embedded.started(place, with_redis=False),
    ):
        pass
    assert (place.postgres / "PG_VERSION").read_text() == "12\n"
