"""`make run`: start everything on this machine, and stop it all on Ctrl-C."""

import argparse
import fcntl
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from config import environment
from config.environment import StartupError

if TYPE_CHECKING:
    from config.running.embedded import Place
    from config.running.supervisor import Supervisor

# Seconds between two lines that say what is waited for, and how many processes of the web may end before it is ready.
_TOLD_EVERY, _MOST_LOST = 15.0, 5
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_ALL = {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET6, socket.AF_INET)}  # noqa: S104  compared, not bound
# Addresses for documentation (RFC 5737, RFC 3849). Nothing is sent: the system only chooses the interface.
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def main() -> None:
    from config.running.supervisor import listen

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    options = _options()
    stopping, hurry = listen()
    try:
        # Here, too, since the parts are forks.
        port, live_port = _ports(options.port, options.live_port)
        with _metrics_folder() as folder:
            os.environ |= {"PROMETHEUS_MULTIPROC_DIR": folder, **_addresses(options.host, port, live_port)}
            os.environ.setdefault("TREY_LOG_FORMAT", "text")
            _run(options.host, port, live_port, stopping, hurry)
    except StartupError as error:
        sys.exit(f"trey: {error}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make run", description="Start Trey on this machine; Ctrl-C stops it.")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", default="8000", help="the port to listen on (default 8000)")
    parser.add_argument("--live-port", default="", help="the port of live streams (default: the next one, 8001)")
    return parser.parse_args()


def _ports(web: str, live: str) -> tuple[int, int]:
    port = _port(web)
    live_port = _port(live or str(port + 1 if port < 65535 else port - 1))
    if live_port == port:
        raise StartupError(f"Live streams need a port of their own, but LIVE_PORT and PORT are both {port}.")
    return port, live_port


def _run(host: str, port: int, live_port: int, stopping: threading.Event, hurry: threading.Event) -> None:
    from django.conf import settings

    from config.processes import MIGRATE
    from config.running import embedded
    from config.running.supervisor import Supervisor, preload, say

    place = settings.PLACE
    with only_one(place):
        _check_port(host, port)
        _check_port(host, live_port, "LIVE_PORT")
        if settings.DATABASE_URL:
            _check_database()
        if environment.secret("REDIS_URL"):
            _check_redis(settings.CACHES["default"])
        if not settings.DATABASE_URL and not embedded.has_data(place):
            say("trey", f"making a database in {place.root}, which takes a few seconds")
        with ExitStack() as running:
            with _telling("PostgreSQL and Redis"):
                running.enter_context(embedded.started(place))
            supervisor = running.enter_context(Supervisor(stopping, hurry))
            status = supervisor.run_once(MIGRATE, preload, _Wait("the database's migrations").tell)
            if status:
                raise StartupError("The database could not be migrated. The lines above say why.")
            if not stopping.is_set():
                _watch(supervisor, host, port)
            say("trey", "stopping")
    say("trey", "stopped")


def _check_port(host: str, port: int, variable: str = "PORT") -> None:
    """Raise `StartupError` if a server could not listen there; granian's processes would share a taken port."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            # With SO_REUSEADDR two sockets can bind as long as neither listens.
            trial.listen(1)
    except PermissionError:
        raise StartupError(
            f"Port {port} needs more rights than this user has. Choose one above 1023: {variable}=8000."
        ) from None
    except OSError as error:
        if error.errno == 98 or "in use" in str(error):
            raise StartupError(
                f"Port {port} on {host} is in use by another program. Stop it or choose another port, "
                f"for example: make run {variable}={port + 10 if port < 65525 else 8000}."
            ) from None
        raise StartupError(f"Trey cannot listen on {host}, port {port}: {error.strerror or error}.") from None


def _check_database() -> None:
    import psycopg
    from django.db import connection

    from config.processes import OLDEST_POSTGRESQL, why_unreachable

    arguments: dict[str, Any] = {"connect_timeout": 5, **connection.get_connection_params()}
    try:
        with psycopg.connect(**arguments) as opened:
            found = opened.info.server_version // 10000
    except psycopg.Error as error:
        raise StartupError(f"The database at DATABASE_URL does not respond ({why_unreachable(error)}).") from None
    if found < OLDEST_POSTGRESQL:
        raise StartupError(
            f"The database at DATABASE_URL is PostgreSQL {found}. Trey needs {OLDEST_POSTGRESQL} or newer."
        )


def _check_redis(settings: Mapping[str, Any]) -> None:
    """Raise `StartupError` unless a Redis responds at REDIS_URL, in the form of the settings of Django's cache."""
    import redis

    try:
        pool = settings["OPTIONS"]["pool_class"].from_url(*settings["LOCATION"], timeout=5)
        with redis.Redis.from_pool(pool) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        raise StartupError(f"The Redis at REDIS_URL does not respond ({error}).") from None


def _watch(supervisor: "Supervisor", host: str, port: int) -> None:
    from config.processes import SERVICES, STORES, WEB, answers
    from config.running import embedded

    # The others would only slow the web down while it starts.
    web, wait = supervisor.start(WEB), _Wait("the web server")
    while not answers(reachable(host)[0].strip("[]"), port, "/readyz"):
        wait.tell()
        supervisor.watch(0.1)
        if supervisor.stopping.is_set():
            return
        if web.lost >= _MOST_LOST:
            raise StartupError(f"{web.lost} processes of the web ended while they started. The lines above say why.")
    for process in (*SERVICES, *([STORES] if embedded.ours() else [])):
        if process is not WEB:
            supervisor.start(process)
    _announce(host, port)
    while not supervisor.stopping.is_set():
        supervisor.watch(1.0)


class _Wait:
    """A machine may be slow: it says from time to time what is waited for, as long as that takes."""

    def __init__(self, what: str) -> None:
        self._what, self._begun = what, time.monotonic()
        self._tell_after = _TOLD_EVERY

    def tell(self) -> None:
        from config.running.supervisor import say

        if (waited := time.monotonic() - self._begun) >= self._tell_after:
            self._tell_after += _TOLD_EVERY
            say("trey", f"waiting for {self._what}, {waited:.0f} seconds so far")


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """Do so from a thread, which is gone before anything is forked."""
    done, wait = threading.Event(), _Wait(what)

    def tell() -> None:
        while not done.wait(min(1.0, _TOLD_EVERY)):
            wait.tell()

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise StartupError(f"A port is an integer from 1 to 65535, not {text!r}.")
    return int(text)


@contextmanager
def only_one(place: "Place") -> Iterator[None]:
    from config.running.embedded import places

    places.make_root(place)
    with (place.root / "run.lock").open("a+", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartupError(f"Trey is already running from this folder (process {lock.read().strip()}).") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        # A fork would hold the lock, too.
        os.register_at_fork(after_in_child=lock.close)
        yield


@contextmanager
def _metrics_folder() -> Iterator[str]:
    """An empty folder for the metrics of this run's processes, in memory: on a full disk a mapped file kills them."""
    memory = Path("/dev/shm")  # noqa: S108  made for this
    with tempfile.TemporaryDirectory(prefix="trey-metrics-", dir=memory if memory.is_dir() else None) as folder:
        yield folder


def _addresses(host: str, port: int, live_port: int) -> dict[str, str]:
    """Where web and live streams listen. If a proxy brings both under one address, clients are told only that one."""
    environ = {
        "GRANIAN_HOST": host,
        "GRANIAN_PORT": str(port),
        "TREY_LIVE_PORT": str(live_port),
    }
    if environment.text("TREY_ENV") != "production":
        names = [*environment.listing("TREY_HOSTS"), *allowed_hosts(host)]
        environ["TREY_HOSTS"] = ",".join(dict.fromkeys(names))
        # The last one can also be reached from other machines.
        base = f"http://{reachable(host)[-1]}"
        if not environment.text("TREY_SITE_URL"):
            environ["TREY_SITE_URL"] = f"{base}:{port}"
        if not environment.text("TREY_LIVE_URL"):
            environ["TREY_LIVE_URL"] = f"{base}:{live_port}"
    return environ


def _announce(host: str, port: int) -> None:
    from django.conf import settings

    if settings.PRODUCTION:
        text = f"\nTrey is ready. It listens on {host}, port {port}, for your proxy.\nCtrl-C stops everything.\n"
    else:
        text = banner(reachable(host), port)
    with suppress(BrokenPipeError):
        print(text, flush=True)  # noqa: T201  the banner


def reachable(host: str) -> list[str]:
    """The hosts in URLs of a server here that listens on `host`, the nearest first."""
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


if __name__ == "__main__":
    main()
