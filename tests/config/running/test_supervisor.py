"""The supervisor, with small processes."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from config.errors import StartupError
from config.processes import CHECKOUT, Process
from config.running import preflight, supervisor
from config.running.supervisor import Supervisor, run_once


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
    made = Supervisor()
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
    running.watch()
    assert child.pid != first
    assert child.ended() is None


def test_a_process_that_keeps_dying_ends_it_all(running):
    running.start(python("web", "raise SystemExit(1)"), {})

    def watch_on():
        running.watch()

    with pytest.raises(StartupError, match=r"web ended 5 times in 60 seconds\. Its last lines say why\."):
        wait_until(watch_on, 30)


# A part whose leader replaces its workers, as those of the web and of the worker do.
LEADER = """
import os, pathlib, sys, time
from config import watchdog
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
    monkeypatch.setattr(supervisor, "_RECENTLY", 1.5)
    noted = tmp_path / "workers"
    running.start(Process("part", ("python", "-c", LEADER, str(noted))), {})
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


def go_on(child, all_heard, stopped):
    """Stop these, and wait until all are heard again."""
    since = time.monotonic()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: all_heard() and not child._resumed and min(child.heard.values()) > since + 3.0, 30)


def test_a_leader_that_stands_still_goes_on_and_its_workers_serve_all_the_while(part):
    child, workers, all_heard = part
    before = child.pid, workers()
    go_on(child, all_heard, [child.pid])
    assert (child.pid, workers()) == before


def test_a_part_in_which_nobody_serves_goes_on_since_that_is_sooner_than_a_start(part):
    child, workers, all_heard = part
    before = child.pid, workers()
    go_on(child, all_heard, workers())
    go_on(child, all_heard, [*workers(), child.pid])
    assert (child.pid, workers()) == before


def test_a_leader_that_cannot_go_on_is_restarted_with_all_its_part(part, monkeypatch):
    child, workers, all_heard = part
    leader, before = child.pid, workers()
    monkeypatch.setattr(child, "resume_group", lambda: None)
    os.kill(leader, signal.SIGSTOP)
    wait_until(lambda: all_heard() and child.pid != leader, 30)
    assert not any(alive(pid) for pid in (leader, *before))


# A part whose only worker computes with a call that lets no other thread of its own run.
MUTE = """
import os, pathlib, sys, time
from config import watchdog
watchdog.start()
if not (worker := os.fork()):
    time.sleep(1)
    while not pathlib.Path(sys.argv[2]).exists():
        time.sleep(0.05)
    sum(range(10**int(sys.argv[3])))
    pathlib.Path(sys.argv[2]).unlink()
    time.sleep(600)
pathlib.Path(sys.argv[1]).write_text(str(worker))
os.wait()
time.sleep(600)
"""


@pytest.fixture
def mute(running, tmp_path, monkeypatch):
    """A part with one worker, and what makes it compute without a word: so long that it takes seconds, or for ever."""
    monkeypatch.setattr(supervisor, "_SILENCE", 3.0)
    monkeypatch.setattr(supervisor, "_RECENTLY", 1.5)

    def start(digits):
        noted, go = tmp_path / "worker", tmp_path / "go"
        running.start(Process("part", ("python", "-c", MUTE, str(noted), str(go), str(digits))), {})
        child = running.children[0]

        def both_heard():
            running.watch()
            return noted.exists() and {child.pid, int(noted.read_text() or 0)} <= child.heard.keys()

        wait_until(both_heard, 30)
        go.touch()
        return child, int(noted.read_text())

    return start


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_that_is_given_no_processor_time_is_waited_for_and_not_replaced(mute, running, capsys):
    _, worker = mute(18)
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
    try:
        for pid in (worker, *(hog.pid for hog in hogs)):
            os.sched_setaffinity(pid, {0})
        os.sched_setscheduler(worker, os.SCHED_IDLE, os.sched_param(0))

        said = []

        def is_waited_for():
            running.watch()
            said.append(capsys.readouterr().out)
            return f"process {worker} is silent because it is given no processor time" in "".join(said)

        wait_until(is_waited_for, 30)
        # For more than twice as long as one that stands still has.
        until = time.monotonic() + 7
        while time.monotonic() < until:
            running.watch()
            time.sleep(0.05)
        assert alive(worker)
        # One that is stopped meanwhile does stand still: nobody takes it for starved.
        os.kill(worker, signal.SIGSTOP)
        wait_until(lambda: running.watch() or not alive(worker), 30)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_that_computes_without_end_and_a_word_is_replaced_after_a_while(mute, running, monkeypatch, capsys):
    monkeypatch.setattr(supervisor, "_MOST_WORK", 6.0)
    _, worker = mute(18)
    wait_until(lambda: running.watch() or not alive(worker), 60)
    said = capsys.readouterr().out
    assert said.index(f"process {worker} is silent because") < said.index("stands still")


def test_silence_while_the_supervisor_itself_stood_still_is_nobodys_fault(part, running, monkeypatch):
    child, workers, _ = part
    before = child.pid, workers()
    # The machine slept for an hour: all that was heard is an hour old.
    monkeypatch.setattr(running, "_looked", running._looked - 3600)
    child.heard = {pid: at - 3600 for pid, at in child.heard.items()}
    running.watch()
    assert (child.pid, workers()) == before
    assert all(alive(pid) for pid in workers())


def test_what_stands_still_is_stopped_too(part, running):
    child, workers, _ = part
    for pid in (*workers(), child.pid):
        os.kill(pid, signal.SIGSTOP)
    running.stop(threading.Event())
    assert child.ended() == -signal.SIGTERM


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


def test_a_part_runs_by_itself_as_in_a_container(tmp_path):
    environ = {**os.environ, "TREY_STATE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "config.running.part", "beat"]
    with subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=subprocess.PIPE, text=True) as run:
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        wait_until(children.read_text, 60)
        run.send_signal(signal.SIGTERM)
        said, _ = run.communicate(timeout=300)
    assert run.returncode == 0
    assert "beat    | stopping" in said


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such addresses")
def test_two_that_start_at_once_do_not_share_a_port():
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    with preflight.held_port("127.0.0.1", port):
        # Nobody listens yet.
        preflight.check_port("127.0.0.1", port)
        with (
            pytest.raises(StartupError, match=f"Another Trey is about to listen on 127.0.0.1, port {port}"),
            preflight.held_port("127.0.0.1", port),
        ):
            pass
    with preflight.held_port("127.0.0.1", port):
        pass


def test_a_web_part_is_refused_a_port_on_which_a_server_listens_that_would_share_it():
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        server.bind(("127.0.0.1", 0))
        server.listen()
        environ = {**os.environ, "GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(server.getsockname()[1])}
        command = [sys.executable, "-m", "config.running.part", "web"]
        done = subprocess.run(
            command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, timeout=300, check=False
        )
    assert done.returncode == 1
    assert "is in use by another program" in done.stderr
    assert "Traceback" not in done.stderr


def test_each_line_of_a_json_log_is_json(capsys, monkeypatch):
    monkeypatch.setenv("TREY_LOG_FORMAT", "json")
    own = '{"time": "2026-11-21T12:00:00Z", "level": "info", "logger": "trey.web", "message": "GET /"}'
    says = "import sys\nprint(sys.argv[1])\nprint('[1, 2]')\nprint('[ERROR] in use', file=sys.stderr)"
    process = Process("web", ("python", "-c", f"{says}\nraise RuntimeError('é')", own))
    child = supervisor.Child(process, {}, labelled=False)
    seen = ""

    def all_said():
        nonlocal seen
        seen += capsys.readouterr().out
        return "RuntimeError: é" in seen

    wait_until(all_said, 30)
    supervisor.say("web", "ended and is restarted")
    seen += capsys.readouterr().out
    wait_until(lambda: child.ended() is not None)
    lines = [json.loads(line) for line in seen.splitlines()]
    assert own in seen.splitlines()
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    messages = [line["message"] for line in lines]
    assert {"GET /", "[1, 2]", "[ERROR] in use", "RuntimeError: é", "ended and is restarted"} <= set(messages)
