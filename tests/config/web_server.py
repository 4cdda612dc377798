"""A web process of its own before the test database, and its clients."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connection

from config.processes import CHECKOUT, WEB
from tests.config import web_settings

THREADS, BODY_SECONDS = 4, web_settings.TREY_BODY_SECONDS
HASHING, WAITING = web_settings.TREY_HASHES, web_settings.TREY_HASHES_WAITING
PAGES, PAGES_WAITING = web_settings.TREY_PAGES, web_settings.TREY_PAGES_WAITING
PAGE_SECONDS = web_settings.TREY_PAGE_SECONDS


def database_url(name=None):
    """The address of the test database, or of another one beside it."""
    parameters = connection.get_connection_params()
    user = quote(str(parameters.get("user") or ""))
    password = f":{quote(str(parameters['password']))}" if parameters.get("password") else ""
    place = urlencode({key: parameters[key] for key in ("host",) if parameters.get(key)})
    return f"postgresql://{user}{password}@/{name or parameters['dbname']}?{place}"


@contextmanager
def web_server(*arguments, output=None, **more):
    """The port of a web server with one process and few threads, before the test database."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        number = trial.getsockname()[1]
    environ = {**os.environ, **WEB.environ, "DJANGO_SETTINGS_MODULE": web_settings.__name__, "TREY_ENV": "development"}
    environ |= {"DATABASE_URL": f"{database_url()}&options=-c%20lock_timeout%3D30s", "REDIS_URL": settings.REDIS_URL}
    environ |= {"GRANIAN_WORKERS": "1", "GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(number)}
    environ |= {"TREY_LOG_LEVEL": "error", "TREY_THREADS": str(THREADS), **more}
    command = [sys.executable, *WEB.command[1:], *arguments]
    with subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=output) as server:
        try:
            until(lambda: status(number, "GET", "/healthz") == 200, 300)
            yield number
        finally:
            server.terminate()
            server.wait(60)


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


def slow(port, length=60, path="/api/v1/auth/login"):
    """A client that sends its headers and then next to nothing of a body of that length."""
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{{"
    client.sendall(head.encode())
    return client


def idle(clients, port, count, sends=b""):
    """So many clients that send this, read the response if there is one, and then do nothing."""
    found = []
    for _ in range(count):
        client = clients.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
        client.sendall(sends)
        if sends.endswith(b"\r\n\r\n"):
            assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
        found.append(client)
    return found
