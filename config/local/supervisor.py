"""Runs processes side by side: prefixes their lines, restarts those that die, and stops them all together."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO

from config.processes import CHECKOUT, Process

# A process that died this often within so many seconds is not restarted.
_TRIES, _WITHIN = 5, 60.0
# Seconds between SIGTERM and SIGKILL.
_GRACE = 20.0
_DIES_WITH_PARENT = 1
_COLOURS = {"web": 36, "worker": 35, "follow": 32, "beat": 33, "migrate": 34}

Say = Callable[[str, str], None]


def say(name: str, line: str) -> None:
    """Print one line, prefixed with the name of a process."""
    label = f"{name:<8}|"
    if sys.stdout.isatty():
        label = f"\033[{_COLOURS.get(name, 37)}m{label}\033[0m"
    with suppress(BrokenPipeError):
        print(f"{label} {line}", flush=True)  # noqa: T201  its output


class Child:
    """One running process and its children, in a process group of their own."""

    def __init__(self, process: Process, environ: Mapping[str, str]) -> None:
        self.process = process
        ours = {"PYTHONUNBUFFERED": "1", "TREY_LOG_FORMAT": os.environ.get("TREY_LOG_FORMAT", "text")}
        # What the operator has set goes before the process's own defaults.
        self._environ = {**process.environ, **os.environ, **ours, **environ}
        self._starts: list[float] = []
        self.start()

    def start(self) -> None:
        """Start it, or restart it."""
        self._starts.append(time.monotonic())
        program, *arguments = self.process.command
        self._running = subprocess.Popen(  # noqa: S603  our own commands
            [sys.executable if program == "python" else program, *arguments],
            cwd=CHECKOUT,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
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
        """Whether it died too often recently to be restarted."""
        recent = [at for at in self._starts if time.monotonic() - at < _WITHIN]
        return len(recent) >= _TRIES

    def kill_group(self) -> None:
        """Kill what is left of its group."""
        self._signal_group(signal.SIGKILL)

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
    """Keeps processes running until it is stopped. `also_watch` is called whenever they are checked."""

    def __init__(self, also_watch: Callable[[], None]) -> None:
        self._also_watch = also_watch
        self.children: list[Child] = []

    def start(self, process: Process, environ: Mapping[str, str]) -> None:
        """Start a process that must keep running."""
        self.children.append(Child(process, environ))

    def watch(self) -> str | None:
        """Restart what died; call it a few times a second. Returns the reason to give up, if there is one."""
        for child in self.children:
            status = child.ended()
            if status is None:
                continue
            child.kill_group()
            if child.keeps_dying():
                return f"{child.process.name} ended {_TRIES} times in {_WITHIN:.0f} seconds. Its last lines say why."
            say(child.process.name, f"ended ({_ending(status)}) and is restarted")
            child.start()
        self._also_watch()
        return None

    def stop(self, hurry: threading.Event) -> None:
        """Stop everything: by SIGTERM, and by SIGKILL when that takes too long or `hurry` is set."""
        for child in self.children:
            child.terminate()
        deadline = time.monotonic() + _GRACE
        while any(child.ended() is None for child in self.children) and time.monotonic() < deadline:
            if hurry.wait(0.05):
                deadline = 0.0
        for child in self.children:
            child.stop_by(deadline)


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


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


# Looked up now: between fork and exec only the call itself is safe.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def _die_with_parent() -> None:
    # On Linux the kernel sends SIGTERM when the supervisor itself is killed.
    if _prctl is not None:
        _prctl(_DIES_WITH_PARENT, signal.SIGTERM)
