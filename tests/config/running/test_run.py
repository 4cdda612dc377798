"""`make run` as a whole: from nothing to ready, what dies comes back, nothing is left, nothing is lost."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from config import processes
from config.environment import StartupError
from config.processes import CHECKOUT, Process
from config.running import run as make_run
from config.running import supervisor

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]


class Run:
    """One `make run`, its output in a file."""

    def __init__(self, environ, log, port, host="127.0.0.1"):
        self.port, self.log = port, log
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.running.run", "--host", host, "--port", str(port)],
                cwd=CHECKOUT, env=environ, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def until(self, holds, seconds=600):
        until = time.monotonic() + seconds
        while not holds():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.1)

    def ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
                return json.load(answer)["status"] == "ready"
        except (OSError, urllib.error.URLError):
            return False

    def until_ready(self):
        self.until(lambda: "Trey is ready." in self.log.read_text())
        # The other parts start now, so a first answer may take longer.
        self.until(self.ready)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0, self.log.read_text()


def free_port():
    """A port that is free, as is the next one, which live streams take; below those that clients are given."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as one, socket.socket() as other, suppress(OSError):
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 1))
            return port


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command(pid):
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")


def part(run, name):
    """The leading process of a part."""
    return next(pid for pid in children(run.process.pid) if Path(f"/proc/{pid}/comm").read_text() == f"trey-{name}\n")


def processes_naming(text):
    """Every process with the text in its environment or its command line, but this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if text.encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes():
                    found.append(command(entry.name))
    return found


def refused(environ, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "config.running.run", *arguments],
        cwd=CHECKOUT, env=environ, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert re.fullmatch(r"trey: [^\n]+\.\n", done.stderr), done.stderr
    assert done.stdout == ""
    return done.stderr


@pytest.mark.slow
def test_from_nothing_to_ready_and_back_with_the_data_kept(bare_environ, state_directory, tmp_path):
    port = free_port()
    run = Run(bare_environ, tmp_path / "first.log", port)
    try:
        run.until_ready()
        said = run.log.read_text()
        for address in ("/api/v1/", "/api/v1/docs", "/admin/"):
            assert f"http://127.0.0.1:{port}{address}\n" in said
        assert "make organiser" in said

        assert "is already running from this folder" in refused(bare_environ, "--port", str(free_port()))

        made = subprocess.run(
            [sys.executable, "manage.py", "createsuperuser", "--noinput", "--username", "organiser"],
            cwd=CHECKOUT, env={**bare_environ, "DJANGO_SUPERUSER_PASSWORD": "a long enough secret"},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr

        os.kill(part(run, "web"), signal.SIGKILL)
        redis_pid = int((state_directory / "run/redis/server.pid").read_text())
        os.kill(redis_pid, signal.SIGKILL)
        run.until(lambda: "Redis had stopped and was restarted" in run.log.read_text())
        run.until(run.ready)
    finally:
        run.stop()
    assert processes_naming(str(state_directory)) == []

    # The second time on a machine without `python`, with one process of the web, and for the whole network.
    (tmp_path / "bin").mkdir()
    environ = {**bare_environ, "PATH": str(tmp_path / "bin"), "GRANIAN_WORKERS": "1"}
    again = Run(environ, tmp_path / "second.log", port, host="0.0.0.0")
    try:
        again.until_ready()
        for address in re.findall(r"http://\S+", again.log.read_text()):
            with urllib.request.urlopen(address, timeout=5) as response:
                assert response.status == 200
        # No line for each request.
        assert "GET" not in again.log.read_text()
        twice = subprocess.run(
            [sys.executable, "manage.py", "createsuperuser", "--noinput", "--username", "organiser"],
            cwd=CHECKOUT, env={**bare_environ, "DJANGO_SUPERUSER_PASSWORD": "a long enough secret"},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert "taken" in twice.stderr
        assert "Traceback" not in again.log.read_text()
    finally:
        # Ctrl-C ends what stands still as well.
        os.kill(int((state_directory / "run/redis/server.pid").read_text()), signal.SIGSTOP)
        again.stop()
    assert processes_naming(str(state_directory)) == []


def test_a_port_that_is_taken(bare_environ):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"Port {port} on 127.0.0.1 is in use" in refused(bare_environ, "--port", str(port))


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"DATABASE_URL": "sqlite:///x"}, "PostgreSQL only"),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, "port 1 failed: Connection refused)."),
        ({"REDIS_URL": "http://x"}, "REDIS_URL must look like"),
        ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "The Redis at REDIS_URL does not respond"),
        ({"TREY_STATE_DIR": "/proc/trey"}, "is not writable"),
        ({"TREY_LOG_LEVEL": "loud"}, "TREY_LOG_LEVEL must be"),
        ({"TREY_ENV": "staging"}, "TREY_ENV must be"),
    ],
)
def test_what_makes_it_impossible_is_one_sentence(bare_environ, environ, said):
    assert said in refused({**bare_environ, **environ}, "--port", str(free_port()))


SLOW = """
import http.server, pathlib, sys, time
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.05)
http.server.SimpleHTTPRequestHandler.do_GET = lambda it: (it.send_response(200), it.end_headers())
http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
FAILING = """
import os, time
from config import watchdog
watchdog.start()
while True:
    if not (worker := os.fork()):
        time.sleep(0.5)
        os._exit(1)
    os.waitpid(worker, 0)
"""


def watched(monkeypatch, port, stopping, *command):
    """Run it in place of the web, with no other part, as `make run` does."""
    web = Process("web", ("python", "-c", *command))
    monkeypatch.setattr(processes, "WEB", web)
    monkeypatch.setattr(processes, "SERVICES", (web,))
    monkeypatch.setattr(make_run, "_TOLD_EVERY", 0.2)
    with supervisor.Supervisor(stopping, threading.Event()) as running:
        make_run._watch(running, "127.0.0.1", port)


def test_a_slow_web_is_waited_for_as_long_as_it_lives_and_that_is_said(monkeypatch, tmp_path):
    said, stopping = [], threading.Event()

    def note(name, line):
        said.append(line)
        if len(said) == 3:
            (tmp_path / "go").touch()

    monkeypatch.setattr(supervisor, "say", note)
    monkeypatch.setattr(make_run, "_announce", lambda *_: stopping.set())
    watched(monkeypatch, port := free_port(), stopping, SLOW, str(tmp_path / "go"), str(port))
    assert all("waiting for the web server, " in line for line in said[:3])


def test_a_web_whose_processes_end_as_they_start_is_given_up_however_slowly_they_do(monkeypatch):
    with pytest.raises(StartupError, match="processes of the web ended while they started"):
        watched(monkeypatch, free_port(), threading.Event(), FAILING)


def test_live_streams_have_a_port_of_their_own(bare_environ):
    port = str(free_port())
    assert "Live streams need a port of their own" in refused(bare_environ, "--port", port, "--live-port", port)


@pytest.mark.parametrize("port", ["web", "0", "65536", "-1"])
def test_a_port_that_is_none(port):
    with pytest.raises(StartupError, match="A port is an integer"):
        make_run._port(port)
