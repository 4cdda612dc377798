"""The addresses of a running Trey: the host names it allows, and what `make run` prints."""

import socket
from collections.abc import Sequence
from contextlib import suppress

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_ALL = {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET6, socket.AF_INET)}  # noqa: S104  compared, not bound
# Addresses for documentation (RFC 5737, RFC 3849). Nothing is sent: the system only chooses the interface.
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def reachable(host: str) -> list[str]:
    """The hosts in URLs of a server on this machine that listens on `host`, the nearest one first.

    A host that stands for all addresses gives loopback and the machine's own addresses.
    """
    if host not in _ALL:
        return [_in_url(host)]
    found = ["127.0.0.1" if _ALL[host][0] == socket.AF_INET else "[::1]"]
    for family in _ALL[host]:
        # No route leads out of this machine.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.connect((_ELSEWHERE[family], 9))
            found.append(_in_url(trial.getsockname()[0]))
    return list(dict.fromkeys(found))


def allowed_hosts(host: str) -> list[str]:
    """The host names that requests may have in development, when the server listens on `host`."""
    names = [*_LOOPBACK, *reachable(host)]
    if host in _ALL:
        names.append(socket.gethostname())
    return list(dict.fromkeys(names))


def banner(hosts: Sequence[str], port: int) -> str:
    """Return the lines that `make run` prints when Trey is ready; `hosts` are those of `reachable`."""
    bases = [f"http://{host}:{port}" for host in hosts]
    default = "" if port == 8000 else f" PORT={port}"
    other = default if hosts[0] == "127.0.0.1" else f" URL={bases[0]}"
    commands = {
        f"make organiser{other}": "makes the first account for the dashboard",
        f"make play GAME=castle{other}": "plays against bots, in the terminal",
        f"make demo{other}": "plays a whole game",
    }
    width = max(map(len, commands)) + 2
    lines = ["", "Trey is ready."]
    for name, path in (("Play", "/"), ("API", "/api/v1/"), ("Docs", "/api/v1/docs"), ("Dashboard", "/admin/")):
        lines.append(f"  {name:<11}{bases[0]}{path}")
    if bases[1:]:
        lines.append("From other machines, for people you trust (the limits of production are off):")
        lines += [f"  {'Play':<11}{base}/" for base in bases[1:]]
    lines.append("In a second terminal:")
    lines += [f"  {command:<{width}}{what}" for command, what in commands.items()]
    return "\n".join([*lines, "Ctrl-C stops everything.", ""])


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
