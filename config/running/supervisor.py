"""Runs processes side by side: prefixes their lines, restarts those that die or hang, and stops them all together.

One that has not said for a minute that it runs (`config.watchdog`) is killed, and its parent replaces it.
"""

import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import IO, Any

from config.environment import StartupError
from config.processes import CHECKOUT, Process

# A process that died this often within this many seconds is not restarted.
_TRIES, _WITHIN = 5, 60.0
# Seconds between SIGTERM and SIGKILL.
_GRACE = 20.0
# Seconds of silence after which a process is replaced. If the supervisor itself did not run for longer than the second
# number, such as on a machine that slept, silence in the meantime does not count.
_SILENCE, _OWN_PAUSE = 60.0, 5.0
_DIES_WITH_PARENT = 1
_COLOURS = {"web": 36, "live": 34, "worker": 35, "follow": 32, "beat": 33, "migrate": 37}
_PID = re.compile(rb"^X_TREY_PID=([1-9]\d{0,9})$", re.MULTILINE)
# Looked up now: between fork and exec only the call itself is safe.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def say(name: str, line: str) -> None:
    prefix = f"{name:<8}|"
    if sys.stdout.isatty():
        prefix = f"\033[{_COLOURS.get(name, 37)}m{prefix}\033[0m"
    with suppress(BrokenPipeError):
        print(f"{prefix} {line}", flush=True)  # noqa: T201  its output


class Child:
    def __init__(self, process: Process, environ: Mapping[str, str]) -> None:
        self.process = process
        ours = {"PYTHONUNBUFFERED": "1", "TREY_LOG_FORMAT": os.environ.get("TREY_LOG_FORMAT", "text")}
        # The operator's settings take precedence over the process's own defaults.
        self._environ = {**process.environ, **os.environ, **ours, **environ}
        self._starts: list[float] = []
        # How many processes of it have ended by themselves.
        self.lost = 0
        self.start()

    def start(self) -> None:
        recent = [at for at in self._starts if time.monotonic() - at < _WITHIN]
        if len(recent) >= _TRIES:
            raise StartupError(
                f"{self.process.name} ended {_TRIES} times in {_WITHIN:.0f} seconds. Its last lines say why."
            )
        self._starts.append(time.monotonic())
        self.heard: dict[int, float] = {}
        program, *arguments = self.process.command
        self.running = subprocess.Popen(  # noqa: S603  our own commands
            [sys.executable if program == "python" else program, *arguments],
            cwd=CHECKOUT,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent,  # noqa: PLW1509  between fork and exec it only makes one call
            text=True,
            errors="replace",
        )
        self.pid = self.running.pid
        threading.Thread(target=_relay, args=(self.process.name, self.running.stdout), daemon=True).start()

    def signal_group(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def stop_by(self, deadline: float) -> None:
        try:
            self.running.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            say(self.process.name, "does not stop and is killed")
        self.signal_group(signal.SIGKILL)
        self.running.wait()


class Supervisor:
    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="trey-watch-")
        self._path = f"{self._folder.name}/notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(self._path)
        self._looked = time.monotonic()
        self.children: list[Child] = []

    def start(self, process: Process, environ: Mapping[str, str]) -> Child:
        self.children.append(Child(process, {**environ, "NOTIFY_SOCKET": self._path}))
        return self.children[-1]

    def watch(self) -> None:
        """Replace processes that died or hang. Call it a few times a second. Raises `StartupError` to give up."""
        now = time.monotonic()
        paused, self._looked = now - self._looked > _OWN_PAUSE, now
        groups = {child.pid: child for child in self.children}
        for pid in self._heard():
            with suppress(ProcessLookupError, KeyError):
                groups[os.getpgid(pid)].heard[pid] = now
        for child in self.children:
            for pid, at in [*child.heard.items()]:
                if not _is_there(pid):
                    del child.heard[pid]
                    child.lost += 1
                elif paused:
                    child.heard[pid] = now
                elif now - at > _SILENCE:
                    del child.heard[pid]
                    with suppress(ProcessLookupError):
                        if os.getpgid(pid) == child.pid:
                            say(child.process.name, f"process {pid} stands still and is replaced")
                            os.kill(pid, signal.SIGKILL)
            if (status := child.running.poll()) is not None:
                child.signal_group(signal.SIGKILL)
                child.lost += 1
                how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
                say(child.process.name, f"ended ({how}) and is restarted")
                child.start()

    def stop(self, hurry: threading.Event) -> None:
        """Stop everything: by SIGTERM, and by SIGKILL when that takes too long or `hurry` is set."""
        for child in self.children:
            child.running.terminate()
        deadline = time.monotonic() + _GRACE
        while any(child.running.poll() is None for child in self.children) and time.monotonic() < deadline:
            if hurry.wait(0.05):
                deadline = 0.0
        for child in self.children:
            child.stop_by(deadline)
        self._socket.close()
        self._folder.cleanup()

    def _heard(self) -> Iterator[int]:
        with suppress(BlockingIOError):
            while True:
                if found := _PID.search(self._socket.recv(4096)):
                    yield int(found[1])


def _is_there(pid: int) -> bool:
    with suppress(ProcessLookupError):
        return os.getpgid(pid) > 0
    return False


def run_once(process: Process, environ: Mapping[str, str], stopping: threading.Event) -> int | None:
    """Run a process to its end. Returns its exit status, or None when `stopping` was set first."""
    child = Child(process, environ)
    while child.running.poll() is None:
        if stopping.wait(0.05):
            child.running.terminate()
            child.stop_by(time.monotonic() + _GRACE)
            return None
    return child.running.poll()


def listen() -> tuple[threading.Event, threading.Event]:
    """Two events: the first signal to stop sets the first one, any further signal the second one."""
    stopping, hurry = threading.Event(), threading.Event()

    def handle(*_: Any) -> None:
        (hurry if stopping.is_set() else stopping).set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handle)
    return stopping, hurry


def _relay(name: str, output: IO[str]) -> None:
    with output:
        for line in output:
            say(name, line.rstrip("\n"))


def _die_with_parent() -> None:
    # On Linux the kernel sends SIGTERM when the supervisor itself is killed.
    if _prctl is not None:
        _prctl(_DIES_WITH_PARENT, signal.SIGTERM)
