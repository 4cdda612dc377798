"""A web process of its own before the test database: slow clients and too many requests are no outage."""

import http.client
import json
import resource
import time
from contextlib import ExitStack
from uuid import uuid4

import psycopg
import pytest
from django.db import connection

from config.gateway import BODIES
from core import clock as service_clock
from core.accounts.login import tokens
from core.accounts.models import Player
from core.http.media import MAX_BODY
from games.models import Heartbeat, Outage
from tests.config.web_server import (
    BODY_SECONDS,
    HASHING,
    PAGE_SECONDS,
    PAGES,
    PAGES_WAITING,
    THREADS,
    WAITING,
    idle,
    slow,
    status,
    until,
    web_server,
)

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def port(django_db_setup, django_db_blocker):
    with web_server() as number:
        yield number
    with django_db_blocker.unblock():
        # To the tests that come after, an old heartbeat is an outage.
        Heartbeat.objects.all().delete()


@pytest.fixture
def many_files():
    """As many open files as the machine permits, for the test and for the servers that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_thousands_of_connections_that_do_nothing_hold_up_nobody_and_are_closed(many_files):
    half = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    with web_server("--http1-header-read-timeout", "20000") as port, ExitStack() as clients:
        crowd = [client for sends in (b"", half, half + b"\r\n") for client in idle(clients, port, 1000, sends)]
        assert {status(port, "GET", path, seconds=10) for path in ("/healthz", "/api/v1/")} == {200}
        assert {client.recv(4096)[:12] for client in crowd} <= {b"", b"HTTP/1.1 408"}


def test_bodies_that_trickle_in_hold_up_nobody_and_are_given_up(port):
    with ExitStack() as clients:
        # Many times as many as there are threads, and more bytes than may be on their way at once.
        crowd = [clients.enter_context(slow(port, MAX_BODY)) for _ in range(BODIES // MAX_BODY + 1)]
        begun = time.monotonic()
        assert status(port, "GET", "/api/v1/") == 200
        guess = {"username": "nobody", "password": "wrong"}
        assert status(port, "POST", "/api/v1/auth/login", guess, seconds=BODY_SECONDS) == 401
        # The first ones had to make room at once, the others have five seconds.
        assert crowd[0].recv(100).startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - begun < BODY_SECONDS
        for client in crowd[-20:]:
            client.sendall(b" ")
        last = crowd[-1].recv(2000)
    assert last.startswith(b"HTTP/1.1 408 ")
    assert b"body_timeout" in last
    assert b"connection: close" in last.lower()


def test_short_bodies_of_many_clients_are_all_waited_for(port):
    with ExitStack() as clients:
        crowd = [clients.enter_context(slow(port, 2, "/api/v1/games")) for _ in range(200)]
        assert status(port, "GET", "/api/v1/") == 200
        for client in crowd:
            client.sendall(b"}")
        # They were read: who sent them is not logged in.
        assert {client.recv(12) for client in crowd} == {b"HTTP/1.1 401"}


def test_pages_have_threads_of_their_own_and_those_that_wait_too_long_are_told_so(port):
    key = tokens.issue(Player.objects.create_user("alice"))[0]
    readers = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(PAGES + PAGES_WAITING)]
    with ExitStack() as held:
        for reader in readers:
            held.callback(reader.close)
        other = held.enter_context(other_connection())
        other.execute("LOCK TABLE tournaments_tournament")
        for reader in readers:
            reader.request("GET", "/t/cup", headers={"Host": "localhost"})
        until(lambda: waiting() == PAGES, 10)
        # As many wait as may: one more is refused at once, by a page.
        extra = http.client.HTTPConnection("127.0.0.1", port, timeout=PAGE_SECONDS - 1)
        held.callback(extra.close)
        extra.request("GET", "/players/alice", headers={"Host": "localhost"})
        is_busy(extra.getresponse())
        assert status(port, "GET", "/api/v1/me", token=key) == 200
        assert status(port, "GET", "/admin/login/") == 302
        # Those that wait are refused when their time is up.
        for reader in readers[PAGES:]:
            is_busy(reader.getresponse())
        assert waiting() == PAGES
    assert status(port, "GET", "/players/alice") == 200


def test_an_export_is_sent_as_it_is_made_and_holds_up_none_but_other_exports(port):
    """AP27: of years of games it takes minutes, while a proxy waits seconds for the first byte."""
    key = tokens.issue(Player.objects.create_user("alice"))[0]
    headers = {"Host": "localhost", "Authorization": f"Bearer {key}"}
    with ExitStack() as held:
        exports = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(THREADS + 1)]
        for export in exports:
            held.callback(export.close)
        with other_connection() as other:
            other.execute("LOCK TABLE accounts_loginplace")
            for export, path in zip(exports, ["me/export", *["me/results"] * THREADS], strict=True):
                export.request("GET", f"/api/v1/{path}", headers=headers)
            answer = exports[0].getresponse()
            begun = answer.read(27)
            assert begun == b'{"format": "trey-account/1"'
            assert status(port, "GET", "/api/v1/me", token=key) == 200
            for export in exports[1:]:
                assert export.getresponse().status == 503
        assert json.loads(begun + answer.read())["account"]["username"] == "alice"
    # Who goes away in the middle is in nobody's way.
    with other_connection() as other:
        other.execute("LOCK TABLE accounts_loginplace")
        leaving = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        leaving.request("GET", "/api/v1/me/export", headers=headers)
        assert leaving.getresponse().read(1) == b"{"
        leaving.close()
    assert status(port, "GET", "/api/v1/me/results", token=key, seconds=PAGE_SECONDS) == 200


def other_connection():
    """A connection to the test database whose transaction ends with the block."""
    parameters = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    return psycopg.connect(**{key: parameters[key] for key in names if parameters.get(key)})


def is_busy(response):
    assert (response.status, response.headers["Retry-After"]) == (503, "2")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    page = response.read()
    assert b"Error 503" in page
    assert b'href="">Try again' in page


def test_a_process_whose_threads_and_connections_are_all_taken_still_has_a_pulse(port):
    """Whoever keeps the service busy moves nobody's deadline: that it is busy is no outage."""
    players = [Player.objects.create_user(f"player{number}") for number in range(2 * THREADS)]
    keys = [tokens.issue(player)[0] for player in players]
    with ExitStack() as held:
        other = held.enter_context(other_connection())
        other.execute("SELECT 1 FROM accounts_player FOR UPDATE")
        for key in keys:
            caller = http.client.HTTPConnection("127.0.0.1", port)
            held.callback(caller.close)
            headers = {"Host": "localhost", "Authorization": f"Bearer {key}", "Content-Type": "application/json"}
            caller.request("PATCH", "/api/v1/me", json.dumps({"preferences": {"forced_moves": True}}), headers)
        until(lambda: waiting() >= THREADS, 10)
        assert status(port, "GET", "/api/v1/me", token=keys[0]) is None
        taken_at = service_clock.now()
        until(lambda: Heartbeat.objects.filter(part="web", at__gt=taken_at).exists(), 10)
        assert status(port, "GET", "/healthz") == 200
        assert waiting() >= THREADS
    assert not Outage.objects.exists()


def test_those_who_wait_to_sign_up_take_no_thread_from_others_and_no_more_than_so_many_wait(port):
    key = tokens.issue(Player.objects.create_user("alice"))[0]
    callers = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(HASHING + WAITING)]
    assert len(callers) > THREADS
    with ExitStack() as held:
        other = held.enter_context(other_connection())
        other.execute("LOCK TABLE accounts_player IN SHARE MODE")
        for number, caller in enumerate(callers):
            pair = {"username": f"player{number}", "password": "a quiet evening"}
            caller.request(
                "POST", "/api/v1/players", json.dumps(pair), {"Host": "localhost", "Content-Type": "application/json"}
            )
        until(lambda: waiting() == HASHING, 10)
        pair = {"username": "last", "password": "a quiet evening"}
        until(lambda: status(port, "POST", "/api/v1/players", pair) == 503, 10)
        assert status(port, "GET", "/api/v1/me", token=key) == 200
    responses = [caller.getresponse() for caller in callers]
    assert [response.status for response in responses] == [201] * len(callers)
    for caller in callers:
        caller.close()


def test_organisers_whose_rounds_are_seated_take_no_thread_from_others(port):
    key = tokens.issue(Player.objects.create_user("alice"))[0]
    callers = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(THREADS + 1)]
    with ExitStack() as held:
        other = held.enter_context(other_connection())
        other.execute("LOCK TABLE tournaments_tournament IN ACCESS EXCLUSIVE MODE")
        for number, caller in enumerate(callers):
            path = f"/api/v1/tournaments/{uuid4()}/{('start', 'next-round')[number % 2]}"
            caller.request("POST", path, None, {"Host": "localhost", "Authorization": f"Bearer {key}"})
        until(lambda: waiting() == 1, 10)
        assert status(port, "GET", "/api/v1/me", token=key) == 200
        assert waiting() == 1
    assert [caller.getresponse().status for caller in callers] == [404] * len(callers)
    for caller in callers:
        caller.close()


def waiting():
    """How many connections wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return cursor.fetchone()[0]
