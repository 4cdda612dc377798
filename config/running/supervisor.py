"""Runs processes side by side: prefixes their lines, restarts those that die or hang, and stops them all together.

Every process of a part says once a second that it runs (`config.watchdog`). One that has fallen silent is killed, and
the leading process of its part replaces it. But a leading process, and the last one at work, are first told to go on,
which is faster than a start. If that does not help, the whole part is restarted.

Silence alone does not prove that a process hangs: one that gets no processor time is waited for, since a replacement
would get none either, and all that the process was doing would be lost (`config.running.standing`).
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO

from config import watchdog
from config.errors import StartupError
from config.processes import CHECKOUT, Process
from config.running.listening import Listener
from config.running.standing import Silence, Why

# A process that died this often within this many seconds is not restarted.
_TRIES, _WITHIN = 5, 60.0
# Seconds between SIGTERM and SIGKILL.
_GRACE = 20.0
# Seconds between SIGCONT and the next signal.
_WAKING = 0.1
# Seconds of silence after which a process is replaced.
_SILENCE = 4.0
# A process that was heard this many seconds ago is at work. It is more than a second less than _SILENCE, because each
# process is heard every second: if processes stop together, the first to fall silent must not find the others at work.
_RECENTLY = 2.5
# A process last heard this many seconds ago is late, and is watched from then on.
_LATE = 1.5
# Seconds of processor time that a process can use without being heard. A sign takes a thousandth of one.
_MOST_WORK = 10.0
# If the supervisor itself did not run for longer than this, silence in the meantime does not count.
_OWN_PAUSE = 1.0
_DIES_WITH_PARENT = 1
_COLOURS = {"web": 36, "live": 34, "worker": 35, "follow": 32, "beat": 33, "migrate": 37}

Say = Callable[[str, str], None]


def say(name: str, line: str) -> None:
    """Print one line: prefixed with the name of a process, or as JSON with TREY_LOG_FORMAT=json."""
    if as_json():
        with suppress(BrokenPipeError):
            print(json_line(name, line), flush=True)  # noqa: T201  its output
        return
    label = f"{name:<8}|"
    if sys.stdout.isatty():
        label = f"\033[{_COLOURS.get(name, 37)}m{label}\033[0m"
    with suppress(BrokenPipeError):
        print(f"{label} {line}", flush=True)  # noqa: T201  its output


def json_line(name: str, line: str) -> str:
    """A line of a process as one JSON object. Its own log lines are; granian, Celery and Python write text."""
    with suppress(json.JSONDecodeError, RecursionError):
        if isinstance(json.loads(line), dict):
            return line
    written = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    fields = {"time": written, "level": "info", "logger": "trey" if name == "trey" else f"trey.{name}", "message": line}
    return json.dumps(fields, ensure_ascii=False)


def as_json() -> bool:
    """Return whether the log is to be JSON."""
    return os.environ.get("TREY_LOG_FORMAT", "").strip() == "json"


class Child:
    """A running process and its children, in a process group of their own.

    Its lines are prefixed with its name if it is `labelled`.
    """

    def __init__(self, process: Process, environ: Mapping[str, str], *, labelled: bool = True) -> None:
        self.process = process
        self._piped = labelled or as_json()
        ours = {"PYTHONUNBUFFERED": "1", "TREY_LOG_FORMAT": os.environ.get("TREY_LOG_FORMAT", "text")}
        # The operator's settings take precedence over the process's own defaults.
        self._environ = {**process.environ, **os.environ, **ours, **environ}
        self._starts: list[float] = []
        self.heard: dict[int, float] = {}
        self._resumed: set[int] = set()
        self._late: dict[int, Silence] = {}
        self.start()

    def start(self) -> None:
        """Start it, or restart it."""
        self._starts.append(time.monotonic())
        self.heard, self._resumed, self._late = {}, set(), {}
        program, *arguments = self.process.command
        self._running = subprocess.Popen(  # noqa: S603  our own commands
            [sys.executable if program == "python" else program, *arguments],
            cwd=CHECKOUT,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if self._piped else None,
            stderr=subprocess.STDOUT if self._piped else None,
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509  no other thread runs yet
            text=True,
            errors="replace",
        )
        output = self._running.stdout
        if output is not None:
            threading.Thread(target=_relay, args=(self.process.name, output), daemon=True).start()

    @property
    def pid(self) -> int:
        """The id of the process, which leads the group."""
        return self._running.pid

    def ended(self) -> int | None:
        """The exit status, or None while it runs."""
        return self._running.poll()

    def keeps_dying(self) -> bool:
        """Return whether it died too often recently to be restarted."""
        recent = [at for at in self._starts if time.monotonic() - at < _WITHIN]
        return len(recent) >= _TRIES

    def hear(self, pid: int) -> None:
        """Note that a process of the group says that it runs."""
        self.heard[pid] = time.monotonic()
        self._resumed.discard(pid)
        self._late.pop(pid, None)

    def replace_silent(self, now: float) -> None:
        """Replace the processes of the group that hang, as of the monotonic time `now`."""
        self.heard = {pid: at for pid, at in self.heard.items() if _group_of(pid) == self.pid}
        late = {pid for pid, at in self.heard.items() if at < now - _LATE}
        self._late = {pid: self._late.get(pid) or Silence(pid) for pid in late}
        silent = {pid for pid in late if self._stands_still(pid, now)}
        if not silent:
            return
        # One that was told to go on gets time, but counts as at work only once it is heard.
        others = self.heard.keys() - {self.pid} - self._resumed
        served = any(self.heard[pid] > now - _RECENTLY or self._is_waited_for(pid) for pid in others)
        for pid in silent - {self.pid} if served else ():
            say(self.process.name, f"process {pid} stands still and is replaced")
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.pid in silent or not served:
            self._resume_or_kill(silent)
        for pid in silent & self.heard.keys():
            self.heard[pid] = now

    def _stands_still(self, pid: int, now: float) -> bool:
        """Return whether a late process has been silent for too long without another cause."""
        silence = self._late[pid]
        reason = silence.look()
        if self.heard[pid] >= now - _SILENCE:
            return False
        if reason is Why.STILL or silence.used > _MOST_WORK:
            return True
        if reason is not None and not silence.is_waited_for:
            silence.is_waited_for = True
            say(self.process.name, f"process {pid} is silent because {reason.value}, and is waited for")
        return False

    def _is_waited_for(self, pid: int) -> bool:
        return pid in self._late and self._late[pid].is_waited_for

    def _resume_or_kill(self, silent: Set[int]) -> None:
        if silent <= self._resumed:
            say(self.process.name, "stands still and is restarted")
            self.kill_group()
            return
        numbers = ", ".join(map(str, sorted(silent)))
        say(self.process.name, f"process {numbers} stands still and is told to go on")
        self._resumed |= silent
        self.resume_group()

    def kill_group(self) -> None:
        """Kill what is left of its group."""
        self.heard = {}
        self._signal_group(signal.SIGKILL)

    def resume_group(self) -> None:
        """Resume processes that are stopped."""
        self._signal_group(signal.SIGCONT)

    def terminate(self) -> None:
        """Send SIGTERM to the process, which passes it on."""
        with suppress(ProcessLookupError):
            self._running.terminate()

    def stop_by(self, deadline: float) -> None:
        """Wait until the deadline, then kill the group."""
        try:
            self._running.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            say(self.process.name, "does not stop and is killed")
        self.kill_group()
        self._running.wait()

    def _signal_group(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._running.pid, number)


class Supervisor:
    """Keeps processes running until it is stopped. Their lines are prefixed with their names if `labelled`."""

    def __init__(self, *, labelled: bool = True) -> None:
        self._labelled = labelled
        self._listener = Listener()
        self._looked = time.monotonic()
        self.children: list[Child] = []

    def start(self, process: Process, environ: Mapping[str, str]) -> None:
        """Start a process that must keep running."""
        watched = {**environ, "NOTIFY_SOCKET": self._listener.path}
        self.children.append(Child(process, watched, labelled=self._labelled))

    def watch(self) -> None:
        """Replace processes that died or hang. Call it a few times a second. Raises `StartupError` to give up."""
        self._replace_silent()
        for child in self.children:
            status = child.ended()
            if status is None:
                continue
            child.kill_group()
            if child.keeps_dying():
                raise StartupError(
                    f"{child.process.name} ended {_TRIES} times in {_WITHIN:.0f} seconds. Its last lines say why."
                )
            say(child.process.name, f"ended ({_ending(status)}) and is restarted")
            child.start()
        watchdog.notify("WATCHDOG=1")

    def _replace_silent(self) -> None:
        now = time.monotonic()
        pause = now - self._looked
        self._looked = now
        groups = {child.pid: child for child in self.children}
        if pause > _OWN_PAUSE:
            # The machine was asleep or overloaded: nobody had a chance to be heard.
            for child in self.children:
                child.heard = {pid: at + pause for pid, at in child.heard.items()}
        for pid in self._listener.heard():
            if (group := _group_of(pid)) in groups:
                groups[group].hear(pid)
        for child in self.children:
            child.replace_silent(now)

    def stop(self, hurry: threading.Event) -> None:
        """Stop everything: by SIGTERM, and by SIGKILL when that takes too long or `hurry` is set."""
        for child in self.children:
            child.resume_group()
        # A thread that is not awake yet cannot take the next signal: another thread would, and the main thread would
        # sleep on.
        time.sleep(_WAKING)
        for child in self.children:
            child.terminate()
        deadline = time.monotonic() + _GRACE
        while any(child.ended() is None for child in self.children) and time.monotonic() < deadline:
            if hurry.wait(0.05):
                deadline = 0.0
        for child in self.children:
            child.stop_by(deadline)
        self._listener.close()


def run_once(process: Process, environ: Mapping[str, str], stopping: threading.Event) -> int | None:
    """Run a process to its end. Returns its exit status, or None when `stopping` was set first."""
    child = Child(process, environ)
    while child.ended() is None:
        if stopping.wait(0.05):
            child.terminate()
            child.stop_by(time.monotonic() + _GRACE)
            return None
    return child.ended()


def _relay(name: str, output: IO[str]) -> None:
    with output:
        for line in output:
            say(name, line.rstrip("\n"))


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


# Looked up now: between fork and exec only the call itself is safe.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def _die_with_parent() -> None:
    # On Linux the kernel sends SIGTERM when the supervisor itself is killed.
    if _prctl is not None:
        _prctl(_DIES_WITH_PARENT, signal.SIGTERM)
