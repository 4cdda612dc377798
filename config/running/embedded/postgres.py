"""The embedded PostgreSQL: starting it, bringing it back, and dropping what killed test runs left."""

import os
from contextlib import closing

import psycopg
from psycopg import sql

from config.running.embedded import programs, remains, server, upgrade
from config.running.embedded.places import Place


def revive(at: Place) -> str | None:
    """Bring back a server that died or hangs.

    Returns what was found and done, None if all is well. Raises StartupError if it cannot be started.
    """
    match server.state(at):
        case server.State.READY:
            return _resume_stopped(at)
        case server.State.BUSY:
            return "PostgreSQL is recovering"
        case server.State.SILENT:
            # It is never killed: it may still be serving open connections.
            remains.resume(server.processes(at))
            return "PostgreSQL accepts no connections. Its processes were told to go on"
        case server.State.GONE:
            start(at)
            return "PostgreSQL had stopped and was restarted"


def start(at: Place) -> None:
    """Start the server unless it runs, and wait until it responds. Creates its data the first time."""
    upgrade.finish(at)
    found = upgrade.version_of(at)
    if found is None:
        server.initialise(at, programs.binaries(at))
    elif found != programs.MAJOR:
        upgrade.carry_over(at, found)
    if server.is_running(at):
        server.wait_for(at)
    else:
        server.launch(at, programs.binaries(at))
    _make_database(at)
    if at.profile == "test":
        _drop_leftovers(at)


def _resume_stopped(at: Place) -> str | None:
    """Resume processes that are stopped while the server works, since their transactions hold locks."""
    try:
        with closing(server.connect(at)) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").fetchall()
    except psycopg.OperationalError:
        return None
    if stopped := remains.stopped(int(str(pid)) for (pid,) in found):
        remains.resume(stopped)
        return "A process of PostgreSQL stood still and was told to go on"
    return None


def _make_database(at: Place) -> None:
    with closing(server.connect(at)) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [server.DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(server.DATABASE)))


def _drop_leftovers(at: Place) -> None:
    """Drop the databases of killed test runs."""
    with closing(server.connect(at)) as connection:
        names = connection.execute(
            "SELECT datname FROM pg_database d WHERE datname LIKE 'test_trey_%'"
            " AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datname = d.datname)"
        ).fetchall()
        for (name,) in names:
            if not _owner_lives(str(name)):
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(str(name))))


def _owner_lives(database: str) -> bool:
    """Return whether the test run that the database is named after is alive."""
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
