"""A web process: bodies that break off, are too long or stay unread. One server for all: none needs a row."""

import socket
import time

import pytest

from games.models import Heartbeat
from tests.config.web_server import BODY_SECONDS, slow, status, web_server

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(scope="module")
def port(django_db_setup, django_db_blocker):
    with web_server() as number:
        yield number
    with django_db_blocker.unblock():
        # To the tests that come after, an old heartbeat is an outage.
        Heartbeat.objects.all().delete()


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
