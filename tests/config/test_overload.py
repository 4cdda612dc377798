"""A web process of its own before the test database: slow clients and too many requests are no outage."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from urllib.parse import quote, urlencode

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from config.processes import CHECKOUT, WEB
from games.models import Heartbeat, Outage
from games.platform import clock as service_clock
from games.platform.accounts import tokens
from games.platform.accounts.models import Player

pytestmark = pytest.mark.django_db(transaction=True)
THREADS, BODY_SECONDS = 4, 5
HASHING, WAITING = 1, 5
PAGES, PAGES_WAITING, PAGE_SECONDS = 1, 3, 2


@pytest.fixture
def port():
    """The port of a web server with one process and few threads."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        number = trial.getsockname()[1]
    parameters = connection.get_connection_params()
    user = quote(str(parameters.get("user") or ""))
    password = f":{quote(str(parameters['password']))}" if parameters.get("password") else ""
    place = urlencode({key: parameters[key] for key in ("host",) if parameters.get(key)})
    url = f"postgresql://{user}{password}@/{parameters['dbname']}?{place}"
    environ = {**os.environ, **WEB.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "TREY_ENV": "development"}
    environ |= {"DATABASE_URL": url, "REDIS_URL": settings.REDIS_URL, "TREY_LOG_LEVEL": "error"}
    environ |= {"GRANIAN_WORKERS": "1", "GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(number)}
    environ |= {"TREY_THREADS": str(THREADS), "TREY_DB_POOL": str(THREADS)}
    environ |= {"TREY_HASHES": str(HASHING), "TREY_HASHES_WAITING": str(WAITING)}
    environ |= {"TREY_PAGES": str(PAGES), "TREY_PAGES_WAITING": str(PAGES_WAITING)}
    environ |= {"TREY_PAGE_SECONDS": str(PAGE_SECONDS)}
    environ |= {"TREY_HEARTBEAT": "1", "TREY_BODY_SECONDS": str(BODY_SECONDS), "TREY_DB_LOCK_TIMEOUT": "30"}
    with subprocess.Popen([sys.executable, *WEB.command[1:]], cwd=CHECKOUT, env=environ) as server:
        try:
            until(lambda: status(number, "GET", "/healthz") == 200, 60)
            yield number
        finally:
            server.terminate()
            server.wait(30)


def until(holds, seconds):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def status(port, method, path, body=None, token=None, seconds=2):
    """The status of a response within so many seconds; None if there is none."""
    headers = {"Host": "localhost", "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        caller.request(method, path, json.dumps(body) if body is not None else None, headers)
        return caller.getresponse().status
    except OSError:
        return None
    finally:
        caller.close()


def slow(port):
    """A client that sends its headers and then next to nothing."""
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    client.sendall(b"POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60\r\n\r\n{")
    return client


def test_bodies_that_trickle_in_hold_up_nobody_and_are_given_up(port):
    with ExitStack() as clients:
        # Many times as many as there are threads, and more than may be on their way at once.
        crowd = [clients.enter_context(slow(port)) for _ in range(80)]
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


def test_a_body_that_breaks_off_harms_nobody(port):
    with slow(port) as client:
        client.shutdown(socket.SHUT_WR)
        assert b"200" not in client.recv(100)
    assert status(port, "GET", "/api/v1/") == 200


def answered(port, head, body=b""):
    """All that comes on a connection until the server closes it, and whether that is sooner than a body may take."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=BODY_SECONDS + 5) as client:
        client.sendall(head.replace(b"\n", b"\r\n") + b"\r\n\r\n" + body)
        received = b""
        while more := client.recv(4096):
            received += more
    return received, time.monotonic() - begun < BODY_SECONDS - 1


@pytest.mark.parametrize(("path", "length"), [(b"/api/v1/auth/login", 100_000), (b"/admin/login/", 2_000_000)])
def test_a_body_that_is_too_long_is_refused_before_it_is_there(port, path, length):
    head = b"POST %b HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: %d" % (path, length)
    received, soon = answered(port, head, b"{")
    assert received.startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 403 "))
    assert received.startswith(b"HTTP/1.1 413 ") or path != b"/api/v1/auth/login"
    assert b"\r\nconnection: close\r\n" in received.lower()
    assert soon


@pytest.mark.parametrize("path", [b"/api/v1/auth/login", b"/api/v1/me", b"/api/v1/nothing", b"/nothing"])
def test_a_connection_on_which_a_chunked_body_was_left_unread_is_closed(port, path):
    head = b"POST %b HTTP/1.1\nHost: localhost\nContent-Type: application/json\nTransfer-Encoding: chunked" % path
    received, soon = answered(port, head, b"5\r\n{}   \r\n")
    expected = {b"/api/v1/auth/login": b"411", b"/api/v1/me": b"401"}.get(path, b"404")
    assert received.startswith(b"HTTP/1.1 " + expected)
    assert b"\r\nconnection: close\r\n" in received.lower()
    assert soon


def test_pages_have_threads_of_their_own_and_those_that_wait_too_long_are_told_so(port):
    key = tokens.issue(Player.objects.create_user("alice"))[0]
    parameters = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    readers = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(PAGES + PAGES_WAITING)]
    with ExitStack() as held:
        for reader in readers:
            held.callback(reader.close)
        other = held.enter_context(psycopg.connect(**{key: parameters[key] for key in names if parameters.get(key)}))
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


def is_busy(response):
    assert (response.status, response.headers["Retry-After"]) == (503, "2")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert b'<p class="status">503</p>' in response.read()


def test_a_process_whose_threads_and_connections_are_all_taken_still_has_a_pulse(port):
    """Whoever keeps the service busy moves nobody's deadline: that it is busy is no outage."""
    players = [Player.objects.create_user(f"player{number}") for number in range(2 * THREADS)]
    keys = [tokens.issue(player)[0] for player in players]
    parameters = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    with ExitStack() as held:
        other = held.enter_context(psycopg.connect(**{key: parameters[key] for key in names if parameters.get(key)}))
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
    parameters = connection.get_connection_params()
    names = ("dbname", "user", "password", "host", "port")
    callers = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(HASHING + WAITING)]
    assert len(callers) > THREADS
    with ExitStack() as held:
        other = held.enter_context(psycopg.connect(**{key: parameters[key] for key in names if parameters.get(key)}))
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


def waiting():
    """How many connections wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return cursor.fetchone()[0]
