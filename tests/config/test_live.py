"""The process of the live streams, as `make run` and the containers start it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import monotonic, sleep
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.db import connection

from config.processes import CHECKOUT, LIVE
from tests.games.api.conftest import person
from tests.games.live.conftest import Stream

pytestmark = pytest.mark.slow


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running(port: int) -> Iterator[subprocess.Popen[str]]:
    parameters = connection.get_connection_params()
    url = f"postgresql://{parameters['user']}@/{parameters['dbname']}?host={parameters['host']}"
    environ = {**os.environ, "TREY_LIVE_PORT": str(port), "DATABASE_URL": url, "TREY_LOG_FORMAT": "text"}
    process = subprocess.Popen(
        [sys.executable, *LIVE.command[1:]],
        cwd=CHECKOUT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def alive(port: int) -> None:
    until = monotonic() + 60
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
                assert response.status == 200
                return
        except OSError:
            assert monotonic() < until, "the process of live streams did not start"
            sleep(0.05)


def test_the_process_serves_streams_and_ends_them_on_sigterm(transactional_db: None) -> None:
    alice, port = person("alice"), free_port()
    with running(port) as process:
        alive(port)
        with pytest.raises(HTTPError, match="400"):
            urlopen(Request(f"http://127.0.0.1:{port}/api/v1/me/live", headers={"Host": "evil.example"}), timeout=60)
        stream = Stream(port, "me/live", alice.token)
        room = alice.opens()
        event = stream.next()
        assert event is not None and event["data"]["id"] == room["id"]
        process.send_signal(signal.SIGTERM)
        assert stream.next() is None
        assert process.wait(60) == 0
        stream.close()


@pytest.mark.django_db
def test_a_port_that_is_taken_is_one_sentence() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with running(port) as process:
            output, _ = process.communicate(timeout=300)
            assert process.returncode == 1
            assert output == f"trey: Live streams cannot listen on 127.0.0.1, port {port}: Address already in use.\n"
