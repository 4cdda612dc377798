"""Runs processes side by side: their lines under their names, a new one for one that died, all stopped together."""

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

# A process that died this often within so many seconds will not live if it is started once more.
_TRIES, _WITHIN = 5, 60.0
# Seconds from the polite signal to the last one.
_GRACE = 20.0
_DIES_WITH_PARENT = 1
_COLOURS = {"web": 36, "worker": 35, "follow": 32, "beat": 33, "migrate": 34}

Say = Callable[[str, str], None]


def say(name: str, line: str) -> None:
    """Print one line under a process's name."""
    label = f"{name:<8}|"
    if sys.stdout.isatty():
        label = f"\033[{_COLOURS.get(name, 37)}m{label}\033[0m"
    with suppress(BrokenPipeError):
        print(f"{label} {line}", flush=True)  # noqa: T201 - the supervisor's voice


class Child:
    """One running process and what it started, a process group of their own."""

    def __init__(self, process: Process, environ: Mapping[str, str]) -> None:
        self.process = process
        ours = {"PYTHONUNBUFFERED": "1", "TREY_LOG_FORMAT": os.environ.get("TREY_LOG_FORMAT", "text")}
        self._environ = {**os.environ, **ours, **process.environ, **environ}
        self._starts: list[float] = []
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        self._starts.append(time.monotonic())
        program, *arguments = self.process.command
        self._running = subprocess.Popen(  # noqa: S603 - our own table
            [sys.executable if program == "python" else program, *arguments],
            cwd=CHECKOUT,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - before any thread of ours
            text=True,
            errors="replace",
        )
        output = self._running.stdout
        if output is not None:
            threading.Thread(target=_relay, args=(self.process.name, output), daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process that leads the group."""
        return self._running.pid

    def ended(self) -> int | None:
        """The exit status, or None as long as it runs."""
        return self._running.poll()

    def hopeless(self) -> bool:
        """It died too often of late to be started again."""
        recent = [at for at in self._starts if time.monotonic() - at < _WITHIN]
        return len(recent) >= _TRIES

    def clear_away(self) -> None:
        """Kill what a dead leader left behind in its group."""
        self._signal_group(signal.SIGKILL)

    def ask_to_stop(self) -> None:
        """The polite signal, to the leader, who passes it on."""
        with suppress(ProcessLookupError):
            self._running.terminate()

    def stop_by(self, deadline: float) -> None:
        """Wait for the end until the deadline, then kill the group."""
        try:
            self._running.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            say(self.process.name, "does not stop, and is killed")
        self.clear_away()
        self._running.wait()

    def _signal_group(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._running.pid, number)


class Supervisor:
    """Keeps the processes alive until it is told to stop."""

    def __init__(self, also_watch: Callable[[], None]) -> None:
        self._also_watch = also_watch
        self.children: list[Child] = []

    def start(self, process: Process, environ: Mapping[str, str]) -> None:
        """Start a process that is to live until the end."""
        self.children.append(Child(process, environ))

    def watch(self) -> str | None:
        """Start again what died; the reason to give up, when there is one. To be called a few times a second."""
        for child in self.children:
            status = child.ended()
            if status is None:
                continue
            child.clear_away()
            if child.hopeless():
                return f"{child.process.name} ended {_TRIES} times in {_WITHIN:.0f} seconds; its last lines say why."
            say(child.process.name, f"ended ({_ending(status)}) and is started again")
            child.start()
        self._also_watch()
        return None

    def stop(self, hurry: threading.Event) -> None:
        """Stop everything: politely first, by force when it takes too long or somebody is in a hurry."""
        for child in self.children:
            child.ask_to_stop()
        deadline = time.monotonic() + _GRACE
        while any(child.ended() is None for child in self.children) and time.monotonic() < deadline:
            if hurry.wait(0.05):
                deadline = 0.0
        for child in self.children:
            child.stop_by(deadline)


def run_once(process: Process, environ: Mapping[str, str], stopping: threading.Event) -> int | None:
    """Run a process to its end; its exit status, or None when Trey was told to stop meanwhile."""
    child = Child(process, environ)
    while child.ended() is None:
        if stopping.wait(0.05):
            child.ask_to_stop()
            child.stop_by(time.monotonic() + _GRACE)
            return None
    return child.ended()


def _relay(name: str, output: IO[str]) -> None:
    with output:
        for line in output:
            say(name, line.rstrip("\n"))


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


# Looked up beforehand: between fork and exec only the call itself is safe.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def _die_with_parent() -> None:
    # Linux: when the supervisor itself is killed, its processes are told to end.
    if _prctl is not None:
        _prctl(_DIES_WITH_PARENT, signal.SIGTERM)
