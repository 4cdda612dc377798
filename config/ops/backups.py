"""Backups by pg_dump, and restoring them into an empty database."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from core import lasting

_EVENTS = "log_event"
_NO_WAY_BACK = (
    "A dump can be restored into the same major version of PostgreSQL or a newer one; an export of the log into any."
)


class BackupError(Exception):
    """The message is one or two sentences."""


def dump(file: Path) -> None:
    """Write the database as of now to `file`, in pg_dump's custom format. Raises BackupError.

    The file is readable only by its owner, and gets its name once it is complete.
    """
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.touch(mode=0o600)
        unfinished.chmod(0o600)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from None
    try:
        _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={unfinished}", _database())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def restore(file: Path) -> None:
    """Restore what `dump` wrote into a database that has no accounts and no events.

    Raises BackupError. After a failed restore it has none either.
    """
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    listed, here = _run("pg_restore", "--list", str(file)), _server()
    if " TABLE DATA public accounts_player " not in listed:
        raise BackupError(f"{file} was not made by `manage.py backup`: it contains no accounts.")
    origin = re.search(r"Dumped from database version: (\d+)", listed)
    if origin and int(origin[1]) > here:
        raise BackupError(f"{file} was made from PostgreSQL {origin[1]}; this one is {here}. {_NO_WAY_BACK}")
    if connections := lasting.others():
        raise BackupError(
            f"The service is running: it has {connections} connections to this database. Stop it, then restore."
        )
    _restore_all(file)


def _restore_all(file: Path) -> None:
    accounts, events = _count("accounts_player"), _count(_EVENTS)
    if accounts or events:
        raise BackupError(
            f"This database has {accounts} accounts and {events} events. A backup can only be restored into an "
            f"empty database."
        )
    if strangers := _strangers():
        raise BackupError(f"The table {strangers[0]} here is not Trey's. Restore a backup into a separate database.")
    with connection.cursor() as cursor:
        # Drop what `migrate` has created: the backup brings its own.
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    try:
        _run(
            "pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", f"--dbname={_database()}", str(file)
        )
    except BackupError as error:
        raise BackupError(f"{file} cannot be restored, and this database is empty now. {error}") from None
    finally:
        # Migrate a backup of an older version; after a failure, make an empty database.
        call_command("migrate", interactive=False, verbosity=0)


def _strangers() -> list[str]:
    ours = {"django_migrations", *connection.introspection.django_table_names()}
    with connection.cursor() as cursor:
        return sorted(set(connection.introspection.table_names(cursor)) - ours)


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return 0
        cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608  constants only
        return int(cursor.fetchone()[0])


def _database() -> str:
    """Return the address of the database without its password, since other users can see a process's arguments."""
    connection.ensure_connection()
    found = conninfo_to_dict(connection.connection.info.dsn)
    return make_conninfo(
        "", **{name: value for name, value in found.items() if name in _SHOWN}, application_name="backup"
    )


_SHOWN = {"host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert", "sslcert", "sslkey"}


def _run(name: str, *arguments: str) -> str:
    connection.ensure_connection()
    environ = {**os.environ, "PGPASSWORD": connection.connection.info.password}
    done = subprocess.run(  # noqa: S603  PostgreSQL's own tools
        [_tool(name), *arguments], env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if "error:" in line] or [done.stderr.strip()]
        raise BackupError(lines[0])
    return done.stdout


def _tool(name: str) -> str:
    """The embedded PostgreSQL's tool for a server of its version; else the one on PATH, which refuses by itself."""
    if settings.POSTGRES_TOOLS is not None and _server() == settings.POSTGRES_MAJOR:
        return str(settings.POSTGRES_TOOLS / name)
    if (path := shutil.which(name)) is None:
        raise BackupError(f"{name} is not on PATH. Install PostgreSQL's client programs, version {_server()}.")
    return path


def _server() -> int:
    connection.ensure_connection()
    return int(connection.connection.info.server_version) // 10000
