"""Runs processes side by side: prefixes their lines, restarts those that die or hang, and stops them all together.

What runs under `config.watchdog` is a fork of this process, which has imported what the parts need (`preload`): so they
share its memory, and start at once. Nothing here may start a thread or open a connection: a fork would have half of it.

One that has not said for a minute that it runs (`config.watchdog`) is killed, and its parent replaces it.
"""

import ctypes
import gc
import multiprocessing
import os
import re
import selectors
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from config import watchdog
from config.environment import StartupError
from config.processes import CHECKOUT, Process

# A process that died this often within this many seconds is not restarted.
_TRIES, _WITHIN = 5, 60.0
# Seconds between SIGTERM and SIGKILL.
_GRACE = 8.0
# Seconds of silence after which a process is replaced. If the supervisor itself did not run for longer than the second
# number, such as on a machine that slept, silence in the meantime does not count.
_SILENCE, _OWN_PAUSE = 60.0, 5.0
_DIES_WITH_PARENT, _NAME = 1, 15
_COLOURS = {"web": 36, "live": 34, "worker": 35, "follow": 32, "beat": 33, "migrate": 37}
_PID = re.compile(rb"^X_TREY_PID=([1-9]\d{0,9})$", re.MULTILINE)
_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_FORKING = multiprocessing.get_context("fork")


def say(name: str, line: str) -> None:
    prefix = f"{name:<8}|"
    if sys.stdout.isatty():
        prefix = f"\033[{_COLOURS.get(name, 37)}m{prefix}\033[0m"
    with suppress(BrokenPipeError):
        print(f"{prefix} {line}", flush=True)  # noqa: T201  its output


def preload() -> None:
    """Import what the parts need. From now on nothing that is loaded is looked at for garbage, here and in them."""
    import_module("config.preloaded")
    gc.collect()
    gc.freeze()


class Child:
    def __init__(self, supervisor: "Supervisor", process: Process, notify: str) -> None:
        self.process = process
        self._supervisor = supervisor
        # The operator's settings take precedence over the process's own defaults.
        self._environ = {**process.environ, **os.environ, "PYTHONUNBUFFERED": "1", "NOTIFY_SOCKET": notify}
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
        ours, theirs = os.pipe()
        self.running = _FORKING.Process(target=self._be, args=(theirs, os.getpid()))
        # The fork must not miss a signal to stop as long as it has our handlers.
        signal.pthread_sigmask(signal.SIG_BLOCK, _TO_STOP)
        self.running.start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _TO_STOP)
        os.close(theirs)
        self.pid = self.running.pid or 0
        output = os.fdopen(ours, "rb", 0)
        self._supervisor.listen_to(output, _Lines(self.process.name, output).read)

    def _be(self, output: int, parent: int) -> None:
        """Be the process, in the fork."""
        os.setsid()
        _name_and_die_with(parent, f"trey-{self.process.name}")
        self._supervisor.close()
        for number in _TO_STOP:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _TO_STOP)
        # By now standard input is the null device.
        for standard, file in enumerate((sys.stdin.fileno(), output, output)):
            os.dup2(file, standard)
        os.close(output)
        os.chdir(CHECKOUT)
        python, option, module, *arguments = self.process.command
        if (option, module) == ("-m", watchdog.__name__):
            os.environ.clear()
            os.environ.update(self._environ)
            for stream in (sys.stdout, sys.stderr):
                stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
            watchdog.run(*arguments)
        else:
            program = sys.executable if python == "python" else python
            os.execve(program, [program, option, module, *arguments], self._environ)  # noqa: S606  our own commands

    def signal_group(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


class Supervisor:
    """It stops when `stopping` is set, as soon as can be when `hurry` is. Use it in a `with`, which ends everything."""

    def __init__(self, stopping: threading.Event, hurry: threading.Event) -> None:
        self.stopping, self._hurry = stopping, hurry
        self.children: list[Child] = []
        self._looked = time.monotonic()
        self._folder = tempfile.TemporaryDirectory(prefix="trey-watch-")
        self._path = f"{self._folder.name}/notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(self._path)
        self._selector = selectors.DefaultSelector()
        self.listen_to(self._socket, self._hear)

    def __enter__(self) -> "Supervisor":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.close()
        self._folder.cleanup()

    def start(self, process: Process) -> Child:
        self.children.append(Child(self, process, self._path))
        return self.children[-1]

    def run_once(
        self, process: Process, meanwhile: Callable[[], None] = lambda: None, wait: Callable[[], None] = lambda: None
    ) -> int | None:
        """Run a process, alone, to its end, and do something meanwhile. Returns its exit status; None: it was stopped.

        As long as it is waited for, `wait` is called again and again.
        """
        child = self.start(process)
        meanwhile()
        while child.running.exitcode is None and not self.stopping.is_set():
            self.relay(0.05)
            wait()
        self.stop()
        return None if self.stopping.is_set() else child.running.exitcode

    def listen_to(self, file: IO[bytes] | socket.socket, read: Callable[[], bool]) -> None:
        """Call `read` whenever there is something in the file, until it returns that there will be nothing more."""
        self._selector.register(file, selectors.EVENT_READ, (file, read))

    def relay(self, seconds: float) -> bool:
        """Read what processes say, as soon as they do. Returns whether there was something within so many seconds."""
        found = [key.data for key, _ in self._selector.select(seconds)]
        for file, read in found:
            if not read():
                self._selector.unregister(file)
                file.close()
        return bool(found)

    def watch(self, seconds: float = 0.0) -> None:
        """Relay, and replace processes that died or hang. Call it all the time. Raises `StartupError` to give up."""
        self.relay(seconds)
        now = time.monotonic()
        paused, self._looked = now - self._looked > _OWN_PAUSE, now
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
                            say(child.process.name, f"process {pid} is frozen and will be replaced")
                            os.kill(pid, signal.SIGKILL)
            if (status := child.running.exitcode) is not None:
                child.signal_group(signal.SIGKILL)
                child.lost += 1
                how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
                say(child.process.name, f"ended ({how}) and will be restarted")
                child.start()

    def stop(self) -> None:
        """Stop everything: by SIGTERM, and by SIGKILL when that takes too long."""
        for child in self.children:
            child.running.terminate()
        deadline = time.monotonic() + _GRACE
        while any(child.running.is_alive() for child in self.children) and time.monotonic() < deadline:
            self.relay(0.05)
            if self._hurry.is_set():
                break
        for child in self.children:
            if child.running.is_alive():
                say(child.process.name, "does not stop and will be killed")
            child.signal_group(signal.SIGKILL)
            child.running.join()
        self.children.clear()
        while self.relay(0.0):
            pass

    def close(self) -> None:
        """Close what is open, here or in a fork."""
        for key in [*self._selector.get_map().values()]:
            key.data[0].close()
        self._selector.close()

    def _hear(self) -> bool:
        groups = {child.pid: child for child in self.children}
        with suppress(BlockingIOError):
            while True:
                if found := _PID.search(self._socket.recv(4096)):
                    pid = int(found[1])
                    with suppress(ProcessLookupError, KeyError):
                        groups[os.getpgid(pid)].heard[pid] = time.monotonic()
        return True


class _Lines:
    """What a process says, line by line."""

    def __init__(self, name: str, output: IO[bytes]) -> None:
        self._name, self._output, self._rest = name, output, b""

    def read(self) -> bool:
        chunk = self._output.read(65536)
        *lines, self._rest = (self._rest + (chunk or b"\n" * bool(self._rest))).split(b"\n")
        for line in lines:
            say(self._name, line.decode(errors="replace"))
        return bool(chunk)


def _is_there(pid: int) -> bool:
    with suppress(ProcessLookupError):
        return os.getpgid(pid) > 0
    return False


def listen() -> tuple[threading.Event, threading.Event]:
    """Two events: the first signal to stop sets the first one, any further signal the second one."""
    stopping, hurry = threading.Event(), threading.Event()

    def handle(*_: Any) -> None:
        (hurry if stopping.is_set() else stopping).set()

    for number in _TO_STOP:
        signal.signal(number, handle)
    return stopping, hurry


def _name_and_die_with(parent: int, name: str) -> None:
    """On Linux the process has this name, and the kernel sends it SIGTERM when its parent is killed."""
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(_NAME, name.encode())
        prctl(_DIES_WITH_PARENT, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit(1)
