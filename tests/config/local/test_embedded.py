"""The embedded servers, as whoever runs the tests (root in CI, a person at home)."""

import os
import signal
import stat
import tempfile
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import redis
from django.db import connection

from config.errors import StartupError
from config.local import embedded
from config.local.embedded import places, postgres
from config.local.embedded import redis as redis_server


@pytest.fixture
def place(state_directory):
    return embedded.place("test")


def ask(place, statement):
    with closing(psycopg.connect(embedded.database_url(place), autocommit=True)) as opened:
        cursor = opened.execute(statement)
        return cursor.fetchone()[0] if cursor.description else None


@pytest.mark.django_db
@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="DATABASE_URL names another PostgreSQL")
def test_the_embedded_database_is_postgresql_18():
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert 180000 <= int(cursor.fetchone()[0]) < 190000


def test_data_outlives_a_stop_and_nothing_runs_after_it(place):
    with embedded.started(place):
        ask(place, "CREATE TABLE kept (what text)")
        ask(place, "INSERT INTO kept VALUES ('a trey')")
        with closing(redis.Redis.from_url(embedded.redis_url(place))) as client:
            assert client.ping()
    assert not postgres.responds(place)
    assert not redis_server.responds(place)
    with embedded.started(place):
        assert ask(place, "SELECT what FROM kept") == "a trey"


def test_the_last_one_to_leave_stops_the_servers(place):
    with embedded.started(place):
        with embedded.started(place):
            assert postgres.responds(place)
        assert postgres.responds(place)
        assert redis_server.responds(place)
    assert not postgres.responds(place)


def test_servers_that_were_killed_are_started_again(state_directory):
    # The lasting profile: the test profile may lose what was not written yet.
    place = embedded.place("run")
    with embedded.started(place):
        ask(place, "CREATE TABLE kept AS SELECT 3 AS what")
        for file in (place.postgres / "postmaster.pid", place.redis / "server.pid"):
            os.kill(int(file.read_text().split()[0]), signal.SIGKILL)
        until = time.monotonic() + 5
        while postgres.responds(place) or redis_server.responds(place):
            assert time.monotonic() < until
        assert embedded.restart(place) == ["PostgreSQL", "Redis"]
        assert embedded.restart(place) == []
        assert ask(place, "SELECT what FROM kept") == 3


def test_only_the_servers_user_comes_near_data_and_sockets(place):
    with embedded.started(place):
        for folder in (place.postgres, place.redis, place.sockets):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert folder.stat().st_uid == places.owner(place)
    assert places.owner(place) != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts the servers as somebody else")
def test_a_folder_that_is_not_ours_keeps_its_mode_and_is_refused_when_the_servers_cannot_reach_it(monkeypatch):
    with tempfile.TemporaryDirectory(prefix="trey-private-", dir="/tmp") as private:
        monkeypatch.setenv("TREY_STATE_DIR", f"{private}/state")
        with (
            pytest.raises(StartupError, match="cannot reach the state directory"),
            embedded.started(embedded.place("test")),
        ):
            pass
        assert stat.S_IMODE(Path(private).stat().st_mode) == 0o700


def test_a_state_directory_that_cannot_be_made_is_refused(monkeypatch):
    monkeypatch.setenv("TREY_STATE_DIR", "/dev/null/state")
    with pytest.raises(StartupError, match="TREY_STATE_DIR"), embedded.started(embedded.place("test")):
        pass


def test_data_of_another_version_is_refused(place):
    places.prepare(place)
    (place.postgres / "PG_VERSION").write_text("16\n")
    with pytest.raises(StartupError, match="made by PostgreSQL 16"), embedded.started(place):
        pass


def test_without_a_redis_for_the_platform_it_says_what_to_install(place, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    places.prepare(place)
    with pytest.raises(StartupError, match="redis-server or valkey-server"):
        redis_server.start(place)


def test_a_path_too_long_for_a_socket_gets_a_short_one(monkeypatch):
    monkeypatch.setenv("TREY_STATE_DIR", "/tmp/" + "long/" * 30)
    assert len(str(embedded.place("run").sockets)) < 80
