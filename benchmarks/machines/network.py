"""Hosts out of network namespaces: each has an address of its own, and can be cut off from all others."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

SWITCH = "trey-switch"
NET = "10.77.0"
HERE = f"{NET}.1"


def ip(*arguments: str, inside: str = "") -> None:
    """Run `ip`, in the namespace `inside`. Raises subprocess.CalledProcessError."""
    where = ["-n", inside] if inside else []
    subprocess.run(["ip", *where, *arguments], check=True, capture_output=True, text=True)


class Network:
    """A switch, and this process's own way to it."""

    def __enter__(self) -> "Network":
        self._remove()
        ip("netns", "add", SWITCH)
        ip("link", "add", "lan", "type", "bridge", inside=SWITCH)
        ip("link", "set", "lan", "up", inside=SWITCH)
        ip("link", "add", "trey-here", "type", "veth", "peer", "name", "to-here", "netns", SWITCH)
        ip("link", "set", "to-here", "master", "lan", "up", inside=SWITCH)
        ip("address", "add", f"{HERE}/24", "dev", "trey-here")
        ip("link", "set", "trey-here", "up")
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()

    def _remove(self) -> None:
        names = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout.split()
        for name in names:
            if name.startswith("trey-"):
                with suppress(subprocess.CalledProcessError):
                    ip("netns", "delete", name)
        with suppress(subprocess.CalledProcessError):
            ip("link", "delete", "trey-here")


class Host:
    """A machine: a namespace, a folder, and the processes that run there."""

    def __init__(self, name: str, number: int, folder: Path) -> None:
        self.name, self.address, self.folder = name, f"{NET}.{number}", folder / name
        self.folder.mkdir(mode=0o755, exist_ok=True)
        self.namespace = f"trey-{name}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._started: dict[str, tuple[Sequence[str], Mapping[str, str], Path, str]] = {}
        ip("netns", "add", self.namespace)
        ip("link", "set", "lo", "up", inside=self.namespace)
        ends = ("netns", self.namespace, "type", "veth", "peer", "name", f"to-{name}", "netns", SWITCH)
        ip("link", "add", "eth0", *ends)
        ip("link", "set", f"to-{name}", "master", "lan", "up", inside=SWITCH)
        ip("address", "add", f"{self.address}/24", "dev", "eth0", inside=self.namespace)
        ip("link", "set", "eth0", "up", inside=self.namespace)

    def command(self, command: Sequence[str], user: str = "") -> list[str]:
        """The command as it runs on this host."""
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        return ["ip", "netns", "exec", self.namespace, *as_user, *command]

    def start(
        self, name: str, command: Sequence[str], environ: Mapping[str, str] | None = None, *, cwd: Path | None = None,
        user: str = "",
    ) -> None:  # fmt: skip
        """Start a process, with a log in the host's folder."""
        self._started[name] = (command, environ or {}, cwd or self.folder, user)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                self.command(command, user),
                env={**os.environ, **(environ or {})},
                cwd=cwd or self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def restart(self, name: str) -> None:
        """Start a process again as before."""
        command, environ, cwd, user = self._started[name]
        self.start(name, command, environ, cwd=cwd, user=user)

    def pids(self) -> list[int]:
        """Every process on this host."""
        found = subprocess.run(["ip", "netns", "pids", self.namespace], check=True, capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]

    def die(self) -> list[str]:
        """Kill everything at once, and cut the host off; return what ran."""
        self.cut_off()
        ran = list(self.processes)
        while pids := self.pids():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for process in self.processes.values():
            process.wait()
        self.processes.clear()
        return ran

    def come_back(self, names: Sequence[str] = ()) -> None:
        """Connect the host again, and start these processes."""
        ip("link", "set", f"to-{self.name}", "up", inside=SWITCH)
        for name in names:
            self.restart(name)

    def cut_off(self) -> None:
        """Take the cable out."""
        ip("link", "set", f"to-{self.name}", "down", inside=SWITCH)
