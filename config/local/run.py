"""`make run`: everything on this machine, from nothing to ready, and back to nothing on Ctrl-C."""

import argparse
import fcntl
import http.client
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from config.errors import StartupError

if TYPE_CHECKING:
    from config.local.embedded import Place
    from config.local.supervisor import Supervisor

# Seconds for the web server to be ready after its start.
_READY_WITHIN = 90.0
# Seconds between two looks at the embedded servers.
_LOOK_EVERY = 2.0
# How often in a row starting one of them again may fail.
_REVIVALS = 5


def main() -> None:
    """Run until told to stop; whatever makes it impossible is one sentence and exit status 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    options = _options()
    try:
        _run(options.host, options.port)
    except StartupError as refused:
        sys.exit(f"trey: {refused}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make run", description="Start Trey on this machine; Ctrl-C stops it.")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", default="8000", help="the port to listen on (default 8000)")
    return parser.parse_args()


def _run(host: str, port_text: str) -> None:
    from django.conf import settings

    from config.local import embedded, preflight
    from config.local.supervisor import Supervisor, run_once, say
    from config.processes import MIGRATE, SERVICES

    stopping, hurry = _listen_for_signals()
    port = _port(port_text)
    place = settings.PLACE
    own_postgres, own_redis = not settings.DATABASE_URL, not os.environ.get("REDIS_URL")
    with _alone(place):
        preflight.port_is_free(host, port)
        if not own_postgres:
            preflight.database_answers(settings.DATABASE_URL)
        if not own_redis:
            preflight.redis_answers(settings.REDIS_URL)
        with embedded.started(place, with_postgres=own_postgres, with_redis=own_redis):
            look = _Servers(place, own_postgres, own_redis).look
            environ = {"GRANIAN_HOST": host, "GRANIAN_PORT": str(port), **_metrics_folder(place.root)}
            status = run_once(MIGRATE, environ, stopping)
            if status is None:
                return
            if status != 0:
                raise StartupError("The database could not be migrated; the lines above say why.")
            supervisor = Supervisor(look)
            try:
                for process in SERVICES:
                    supervisor.start(process, environ)
                _watch(supervisor, stopping, host, port)
            finally:
                say("trey", "stopping")
                supervisor.stop(hurry)
    say("trey", "stopped")


class _Servers:
    """A look at the embedded servers now and then: one that died is started again."""

    def __init__(self, place: "Place", own_postgres: bool, own_redis: bool) -> None:
        self._place, self._postgres, self._redis = place, own_postgres, own_redis
        self._looked, self._failures = time.monotonic(), 0

    def look(self) -> None:
        """Raise `StartupError` when a server cannot be started again."""
        from config.local import embedded
        from config.local.supervisor import say

        if time.monotonic() - self._looked < _LOOK_EVERY:
            return
        try:
            for server in embedded.revive(self._place, with_postgres=self._postgres, with_redis=self._redis):
                say("trey", f"{server} had stopped and is started again")
            self._failures = 0
        except StartupError as refused:
            self._failures += 1
            if self._failures >= _REVIVALS:
                raise
            say("trey", f"{refused} Trying again.")
        finally:
            self._looked = time.monotonic()


def _watch(supervisor: "Supervisor", stopping: threading.Event, host: str, port: int) -> None:
    announced, until = False, time.monotonic() + _READY_WITHIN
    while not stopping.wait(0.1):
        trouble = supervisor.watch()
        if trouble is not None:
            raise StartupError(trouble)
        if not announced and _ready(host, port):
            announced = True
            _announce(host, port)
        if not announced and time.monotonic() > until:
            raise StartupError(f"Trey was not ready after {_READY_WITHIN:.0f} seconds; the lines above say why.")


def _listen_for_signals() -> tuple[threading.Event, threading.Event]:
    """One signal sets the first event, one more the second."""
    stopping, hurry = threading.Event(), threading.Event()

    def told(number: int, frame: FrameType | None) -> None:
        (hurry if stopping.is_set() else stopping).set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, told)
    return stopping, hurry


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise StartupError(f"A port is a whole number from 1 to 65535, not {text!r}.")
    return int(text)


@contextmanager
def _alone(place: "Place") -> Iterator[None]:
    """One supervisor a state directory."""
    from config.local.embedded import places

    places.make_root(place)
    with (place.root / "run.lock").open("a+", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartupError(f"Trey already runs from this folder (process {lock.read().strip()}).") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _metrics_folder(root: Path) -> dict[str, str]:
    """A folder for the counters of this run's processes; those of the last run are forgotten."""
    folder = root / "metrics"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return {"PROMETHEUS_MULTIPROC_DIR": str(folder)}


def _ready(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(_reachable(host), port, timeout=5)
    try:
        connection.request("GET", "/readyz", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reachable(host: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - asked, not listened on


def _announce(host: str, port: int) -> None:
    address = _reachable(host)
    base = f"http://{f'[{address}]' if ':' in address else address}:{port}"
    other = "" if port == 8000 else f" PORT={port}"
    print(  # noqa: T201 - what `make run` is for
        f"""
Trey is ready.
  API        {base}/api/v1/
  Docs       {base}/api/v1/docs
  Admin      {base}/admin/
In a second terminal:
  {"make organiser":<20} makes the first account for the admin
  {f"make demo{other}":<20} plays a whole game
Ctrl-C stops everything.
""",
        flush=True,
    )


if __name__ == "__main__":
    main()
