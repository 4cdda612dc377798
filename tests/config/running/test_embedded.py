"""The embedded servers, as whoever runs the tests (root in CI, a person at home)."""

import os
import signal
import stat
import tempfile
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
import redis
from django.db import connection

from config.environment import StartupError
from config.running import embedded
from config.running.embedded import places, postgres
from config.running.embedded import redis as redis_server
from tests.config.running.conftest import state_directory_of


@pytest.fixture(scope="module")
def place():
    """Where each test starts the servers and stops them: their data is made once."""
    with pytest.MonkeyPatch.context() as patched, state_directory_of(patched):
        yield embedded.place("test")


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


def postmaster(place):
    return int((place.postgres / "postmaster.pid").read_text().split()[0])


def redis_process(place):
    return int((place.redis / "server.pid").read_text())


def until(holds, seconds=30):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_servers_that_were_killed_are_started_again(state_directory):
    # The lasting profile: the test profile may lose what was not written yet.
    place = embedded.place("run")
    with embedded.started(place):
        ask(place, "CREATE TABLE kept AS SELECT 3 AS what")
        os.kill(postmaster(place), signal.SIGKILL)
        os.kill(redis_process(place), signal.SIGKILL)
        until(lambda: not postgres.responds(place) and not redis_server.responds(place))
        assert postgres.revive(place) == "PostgreSQL had stopped and was restarted"
        assert redis_server.revive(place) == "Redis had stopped and was restarted"
        assert postgres.revive(place) is None
        assert redis_server.revive(place) is None
        assert ask(place, "SELECT what FROM kept") == 3


@pytest.mark.slow
def test_a_postgresql_that_stands_still_goes_on_and_keeps_its_connections(place):
    with embedded.started(place), closing(psycopg.connect(embedded.database_url(place), autocommit=True)) as opened:
        os.kill(postmaster(place), signal.SIGSTOP)
        # It responds to those that it knows, and to nobody new.
        assert opened.execute("SELECT 3").fetchone() == (3,)
        assert not postgres.responds(place)
        assert "told to continue" in postgres.revive(place)
        until(lambda: postgres.revive(place) is None)
        assert opened.execute("SELECT 3").fetchone() == (3,)


@pytest.mark.slow
def test_a_stopped_backend_of_a_killed_postgresql_is_in_nobodys_way(state_directory):
    place = embedded.place("run")
    with embedded.started(place), closing(psycopg.connect(embedded.database_url(place))) as opened:
        backend = opened.execute("SELECT pg_backend_pid()").fetchone()[0]
        os.kill(backend, signal.SIGSTOP)
        os.kill(postmaster(place), signal.SIGKILL)
        until(lambda: not postgres.is_running(place))
        until(lambda: postgres.revive(place) is None)
        assert ask(place, "SELECT 3") == 3
    with pytest.raises(ProcessLookupError):
        os.kill(backend, 0)


def test_as_many_connections_as_it_can_take_are_no_reason_to_restart_it(place):
    with embedded.started(place), ExitStack() as held:
        most = int(ask(place, "SHOW max_connections"))
        with suppress(psycopg.OperationalError):
            for _ in range(most + 1):
                held.enter_context(closing(psycopg.connect(embedded.database_url(place))))
        assert postgres.responds(place)


def test_a_redis_that_stands_still_is_never_joined_by_a_second_one(place):
    with embedded.started(place):
        first = redis_process(place)
        os.kill(first, signal.SIGSTOP)
        assert "was frozen" in redis_server.revive(place)
        assert redis_server.responds(place)
        assert len(places.processes_in(place.redis)) == 1


@pytest.mark.slow
def test_servers_that_stand_still_stop(place):
    with embedded.started(place):
        stopped = [postmaster(place), redis_process(place)]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
    assert places.processes_in(place.postgres) == places.processes_in(place.redis) == []


def test_a_keeper_goes_on_however_often_it_fails_and_does_not_repeat_itself(place, monkeypatch):
    monkeypatch.setattr(embedded, "_EVERY", 0.0)
    outcomes, said = iter([StartupError("It does not start.")] * 20 + ["It was restarted", None]), []

    def revive(_):
        outcome = next(outcomes)
        if isinstance(outcome, StartupError):
            raise outcome
        return outcome

    with pytest.raises(StopIteration):
        embedded.keep(place, SimpleNamespace(is_running=lambda _: False, revive=revive), said.append)
    assert said == ["It does not start. Trying again", "It was restarted"]


def test_a_keeper_asks_a_server_that_is_there_for_a_response_only_now_and_then(place, monkeypatch):
    monkeypatch.setattr(embedded, "_EVERY", 0.0)
    asked, looks = [], iter([True] * 29)
    server = SimpleNamespace(is_running=lambda _: next(looks), revive=asked.append)
    with pytest.raises(StopIteration):
        embedded.keep(place, server, print)
    assert asked == [place] * 2


def test_data_of_another_major_version_is_refused_with_what_to_do(state_directory):
    place = embedded.place("test")
    places.prepare(place)
    (place.postgres / "PG_VERSION").write_text("16\n")
    with pytest.raises(StartupError, match="was made by PostgreSQL 16"), embedded.started(place):
        pass


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


def test_a_state_directory_that_has_become_read_only_is_refused(place, monkeypatch):
    places.make_root(place)
    # Root may write anywhere, so the tests of root cannot take the right away.
    monkeypatch.setattr("os.access", lambda path, mode: path != place.root)
    with pytest.raises(StartupError, match=f"is not writable .Permission denied: {place.root}"):
        places.make_root(place)


def test_without_a_redis_for_the_platform_it_says_what_to_install(place, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    places.prepare(place)
    with pytest.raises(StartupError, match=r"redis-server or valkey-server .* has no embedded Redis for Python 3"):
        redis_server.start(place)


def test_a_path_too_long_for_a_socket_gets_a_short_one(monkeypatch):
    monkeypatch.setenv("TREY_STATE_DIR", "/tmp/" + "long/" * 30)
    assert len(str(embedded.place("run").sockets)) < 80
