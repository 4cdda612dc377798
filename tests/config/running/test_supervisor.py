"""The supervisor, with small processes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from config.environment import StartupError
from config.processes import CHECKOUT, Process
from config.running import supervisor
from config.running.supervisor import Supervisor


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
    stopping, hurry = threading.Event(), threading.Event()
    with Supervisor(stopping, hurry) as made:
        yield made
        hurry.set()


SLEEP = "import time; time.sleep(60)"


def test_lines_come_out_under_the_process_name(running, capsys):
    assert running.run_once(python("hello", "print('one'); print('two'); print('and', end='')")) == 0
    assert capsys.readouterr().out == "hello   | one\nhello   | two\nhello   | and\n"


def test_an_exit_status_is_handed_on(running):
    assert running.run_once(python("bad", "raise SystemExit(3)")) == 3


def test_a_run_that_is_told_to_stop_stops(running):
    running.stopping.set()
    assert running.run_once(python("long", SLEEP)) is None


# A part says what it is; it is run twice.
FORKS = """
import os, sys, threading
from config.processes import Process
from config.running.supervisor import Supervisor
lock = open(sys.argv[1], "w")
os.register_at_fork(after_in_child=lock.close)
part = Process("part", ("python", "-m", "config.watchdog", "a_part", "an argument"), {"GREETING": "hello"})
with Supervisor(threading.Event(), threading.Event()) as running:
    for _ in range(2):
        print(running.run_once(part))
"""
A_PART = """
import os, pathlib, random, sys
name = pathlib.Path("/proc/self/comm").read_text().strip()
print(name, sys.argv[1:], os.getsid(0) == os.getpid(), os.environ["GREETING"])
print([where for file in os.scandir("/proc/self/fd") if "/" in (where := os.readlink(file.path))])
print(random.random())
sys.exit(7)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_fork_is_a_process_of_its_own(tmp_path):
    """With a name, an environment and lots of its own, and none of the supervisor's files."""
    (tmp_path / "a_part.py").write_text(A_PART)
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", FORKS, str(tmp_path / "lock")]
    done = subprocess.run(command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "part    | trey-part ['an argument'] True hello"
    # Besides where it is listed.
    assert re.fullmatch(r"part    \| \[('/dev/null', )+'/proc/\d+/fd'\]", lines[1])
    assert lines[3] == lines[7] == "7"
    assert lines[2] != lines[6]


def test_a_process_that_died_is_started_again(running):
    running.start(python("web", SLEEP))
    child = running.children[0]
    first = child.pid
    os.kill(first, 9)
    wait_until(lambda: child.running.exitcode is not None)
    running.watch()
    assert child.pid != first
    assert child.running.is_alive()


def test_a_process_that_keeps_dying_ends_it_all(running):
    running.start(python("web", "raise SystemExit(1)"))

    def watch_on():
        running.watch()

    with pytest.raises(StartupError, match=r"web ended 5 times in 60 seconds\. Its last lines say why\."):
        wait_until(watch_on, 30)


# A part whose leader replaces its workers, as those of the web and of the worker do.
LEADER = """
import os, pathlib, sys, time
from config import watchdog
watchdog.EVERY = 0.5
watchdog.start()
workers = []
while True:
    while len(workers) < 2:
        workers.append(os.fork())
        if not workers[-1]:
            time.sleep(600)
    pathlib.Path(sys.argv[1]).write_text(" ".join(map(str, workers)))
    workers.remove(os.wait()[0])
"""


@pytest.fixture
def part(running, tmp_path, monkeypatch):
    """A running part of a leader and two workers, all heard; `workers()` are their ids."""
    monkeypatch.setattr(supervisor, "_SILENCE", 3.0)
    noted = tmp_path / "workers"
    running.start(Process("part", ("python", "-c", LEADER, str(noted))))
    child = running.children[0]

    def workers():
        return [int(pid) for pid in noted.read_text().split()] if noted.exists() else []

    def all_heard():
        running.watch()
        return len(workers()) == 2 and {child.pid, *workers()} <= child.heard.keys()

    wait_until(all_heard, 30)
    return child, workers, all_heard


def test_a_worker_that_stands_still_is_killed_and_its_leader_replaces_it(part):
    child, workers, all_heard = part
    leader, (first, second) = child.pid, workers()
    os.kill(first, signal.SIGSTOP)
    wait_until(lambda: all_heard() and first not in workers(), 30)
    assert not alive(first)
    assert child.pid == leader
    assert second in workers()


def test_a_leader_that_stands_still_is_restarted_with_all_its_part(part):
    child, workers, all_heard = part
    leader, before = child.pid, workers()
    os.kill(leader, signal.SIGSTOP)
    wait_until(lambda: all_heard() and child.pid != leader, 30)
    assert not any(alive(pid) for pid in (leader, *before))


def test_silence_while_the_supervisor_itself_stood_still_is_nobodys_fault(part, running, monkeypatch):
    child, workers, _ = part
    before = child.pid, workers()
    # The machine slept for an hour: all that was heard is an hour old.
    monkeypatch.setattr(running, "_looked", running._looked - 3600)
    child.heard = {pid: at - 3600 for pid, at in child.heard.items()}
    running.watch()
    assert (child.pid, workers()) == before
    assert all(alive(pid) for pid in workers())


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_stopping_ends_grandchildren_too(running, tmp_path):
    noted = tmp_path / "pid"
    code = (
        "import subprocess, sys, pathlib, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
        f"pathlib.Path({str(noted)!r}).write_text(str(child.pid))\n" + SLEEP
    )
    child = running.start(python("web", code))
    wait_until(lambda: noted.exists() and noted.read_text())
    grandchild = int(noted.read_text())
    assert alive(grandchild)
    running.stop()
    wait_until(lambda: not alive(grandchild))
    assert child.running.exitcode is not None


def test_a_process_that_does_not_listen_is_killed(running, monkeypatch, tmp_path):
    monkeypatch.setattr(supervisor, "_GRACE", 0.5)
    deaf = tmp_path / "deaf"
    code = (
        f"import signal, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN); pathlib.Path({str(deaf)!r}).touch()\n"
    )
    child = running.start(python("web", code + SLEEP))
    wait_until(deaf.exists)
    running.stop()
    assert child.running.exitcode == -9


def test_a_part_runs_by_itself_as_in_a_container(tmp_path):
    environ = {**os.environ, "TREY_STATE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "config.processes", "follow"]
    with subprocess.Popen(command, cwd=CHECKOUT, env=environ) as run:
        named = Path(f"/proc/{run.pid}/cmdline")
        wait_until(lambda: b"config.watchdog" in named.read_bytes(), 60)
        run.send_signal(signal.SIGTERM)
    done = subprocess.run([*command[:-1], "none"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "usage: python -m config.processes {web,live,worker,follow,beat}\n")
