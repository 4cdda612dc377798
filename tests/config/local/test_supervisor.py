"""The supervisor, with small processes."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from config.local import supervisor
from config.local.supervisor import Supervisor, run_once
from config.processes import Process


def python(name, code):
    return Process(name, ("python", "-c", code))


def wait_until(holds, seconds=10):
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.01)


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def running():
    made = Supervisor(lambda: None)
    yield made
    hurry = threading.Event()
    hurry.set()
    made.stop(hurry)


SLEEP = "import time; time.sleep(60)"


def test_lines_come_out_under_the_process_name(capsys):
    assert run_once(python("hello", "print('one'); print('two')"), {}, threading.Event()) == 0
    seen = ""
    until = time.monotonic() + 10
    while "two" not in seen and time.monotonic() < until:
        seen += capsys.readouterr().out
    assert seen == "hello   | one\nhello   | two\n"


def test_an_exit_status_is_handed_on():
    assert run_once(python("bad", "raise SystemExit(3)"), {}, threading.Event()) == 3


def test_a_run_that_is_told_to_stop_stops():
    stopping = threading.Event()
    stopping.set()
    assert run_once(python("long", SLEEP), {}, stopping) is None


def test_a_process_that_died_is_started_again(running):
    running.start(python("web", SLEEP), {})
    child = running.children[0]
    first = child.pid
    os.kill(first, 9)
    wait_until(lambda: child.ended() is not None)
    assert running.watch() is None
    assert child.pid != first
    assert child.ended() is None


def test_a_process_that_keeps_dying_ends_it_all(running):
    running.start(python("web", "raise SystemExit(1)"), {})
    reasons = []

    def given_up():
        reasons.append(running.watch())
        return reasons[-1] is not None

    wait_until(given_up, 30)
    assert reasons[-1] == "web ended 5 times in 60 seconds. Its last lines say why."


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_stopping_ends_grandchildren_too(running, tmp_path):
    noted = tmp_path / "pid"
    code = (
        "import subprocess, sys, pathlib, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
        f"pathlib.Path({str(noted)!r}).write_text(str(child.pid))\n" + SLEEP
    )
    running.start(python("web", code), {})
    wait_until(lambda: noted.exists() and noted.read_text())
    grandchild = int(noted.read_text())
    assert alive(grandchild)
    running.stop(threading.Event())
    wait_until(lambda: not alive(grandchild))
    assert running.children[0].ended() is not None


def test_a_process_that_does_not_listen_is_killed(running, monkeypatch, tmp_path):
    monkeypatch.setattr(supervisor, "_GRACE", 0.5)
    deaf = tmp_path / "deaf"
    code = (
        f"import signal, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path({str(deaf)!r}).touch()\n"
    )
    running.start(python("web", code + SLEEP), {})
    wait_until(deaf.exists)
    running.stop(threading.Event())
    assert running.children[0].ended() == -9
