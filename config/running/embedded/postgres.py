"""The embedded PostgreSQL: starting it, bringing it back, and dropping what killed test runs left.

PostgreSQL cannot read another major version's data. If the old version's programs are there, too, they serve the data
once more while it is dumped; the dump is restored beside it, and takes its place. The old data stays in a folder named
after its version. An interrupted upgrade starts over, or is finished if only the renaming was missing.
"""

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

from psycopg import sql

from config.environment import StartupError
from config.running.embedded import places, remains, server
from config.running.embedded.places import Place

# Where distributions put the programs of a version.
_INSTALLED = ("/usr/lib/postgresql/{}/bin", "/usr/pgsql-{}/bin", "/opt/homebrew/opt/postgresql@{}/bin")


def revive(at: Place) -> str | None:
    """Bring back a server that died or hangs.

    Returns what was found and done, None if all is well. Raises StartupError if it cannot be started.
    """
    match server.state(at):
        case server.State.READY:
            return None
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
    finish(at)
    found = version_of(at)
    if found is None:
        server.initialise(at, server.shipped_binaries(at))
    elif found != server.MAJOR:
        carry_over(at, found)
    if server.is_running(at):
        server.wait_for(at)
    else:
        server.launch(at, server.shipped_binaries(at))
    _make_database(at)
    if at.profile == "test":
        _drop_leftovers(at)


def _make_database(at: Place) -> None:
    with closing(server.connect(at)) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [server.DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(server.DATABASE)))


def _drop_leftovers(at: Place) -> None:
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


def version_of(at: Place) -> str | None:
    """The major version that made the data; None: there is none yet."""
    file = at.postgres / "PG_VERSION"
    return file.read_text(encoding="ascii").strip() if file.exists() else None


def finish(at: Place) -> None:
    """Finish an upgrade that was interrupted after the old data had been moved aside."""
    new = _beside(at)
    if version_of(at) is None and version_of(new) is not None:
        at.postgres.rmdir()
        new.postgres.rename(at.postgres)
        shutil.rmtree(new.root)


def carry_over(at: Place, old: str) -> None:
    """Carry the data over from the major version `old`. Raises StartupError; the data then is as it was."""
    binaries = _binaries(at, old)
    if binaries is None:
        raise StartupError(
            f"The data in {at.postgres} was made by PostgreSQL {old}, and this is PostgreSQL {server.MAJOR}. Trey "
            f"carries it over by itself where PostgreSQL {old} is installed (on Debian: apt install postgresql-{old}). "
            "Or run `manage.py backup database FILE` with the version of Trey that made it, move the folder away, and "
            "`manage.py restore FILE` with this one."
        )
    _check_room(at)
    print(  # noqa: T201  it takes a while
        f"trey: carrying the data in {at.postgres} over from PostgreSQL {old} to {server.MAJOR}", file=sys.stderr
    )
    new = _beside(at)
    shutil.rmtree(new.root, ignore_errors=True)
    dumps = new.root / "dumps"
    for folder in (new.root, new.postgres, dumps):
        folder.mkdir(mode=0o755 if folder is new.root else 0o700)
        shutil.chown(folder, places.owner(at))
    dump = dumps / "trey.dump"
    tools = server.shipped_binaries(at)
    # Stop one that was left running.
    server.stop(at, binaries)
    with server.running(at, binaries):
        _tool(at, tools / "pg_dump", "--format=custom", f"--file={dump}", server.DATABASE)
    server.initialise(new, tools)
    with server.running(new, tools):
        _tool(new, tools / "createdb", server.DATABASE)
        _tool(new, tools / "pg_restore", "--exit-on-error", f"--dbname={server.DATABASE}", dump)
        _tool(new, tools / "vacuumdb", "--analyze-only", "--quiet", server.DATABASE)
    kept = _free_name(at.root / f"postgres-{old}")
    at.postgres.rename(kept)
    new.postgres.rename(at.postgres)
    shutil.rmtree(new.root)
    print(f"trey: done. The old data stays in {kept}; remove it when all is well.", file=sys.stderr)  # noqa: T201


def _beside(at: Place) -> Place:
    return Place(at.profile, at.root / "upgrade", at.sockets, at.user)


def _binaries(at: Place, version: str) -> Path | None:
    """The folder with the programs of a major version: in the wheel, in a copy of an earlier one, or installed."""
    if (shipped := server.shipped(at, version)) is not None:
        return shipped
    copies = sorted(at.binaries.glob("*/*/pginstall*/bin"), reverse=True)
    installed = [Path(folder.format(version)) for folder in _INSTALLED]
    return next((folder for folder in (*copies, *installed) if server.major_of(folder) == version), None)


def _check_room(at: Place) -> None:
    used = sum(path.stat().st_size for path in at.postgres.rglob("*") if path.is_file())
    # The dump is compressed, and the new data has no dead rows.
    free = shutil.disk_usage(at.root).free
    if free < 2 * used:
        raise StartupError(
            f"The data in {at.postgres} is to be carried over to PostgreSQL {server.MAJOR}, which takes up to "
            f"{2 * used // 2**20} MB; only {free // 2**20} MB are free."
        )


def _tool(at: Place, program: Path, *arguments: str | Path) -> None:
    login = [f"--host={at.sockets}", f"--username={server.USER}"]
    done = places.run(at, [program, *login, *arguments])
    if done.returncode != 0:
        reason = next((line for line in done.stdout.splitlines() if "error" in line), done.stdout.strip())
        raise StartupError(f"PostgreSQL's data could not be carried over; it is as it was. {reason}")


def _free_name(path: Path) -> Path:
    count = 1
    found = path
    while found.exists():
        count += 1
        found = path.with_name(f"{path.name}-{count}")
    return found
