"""The embedded PostgreSQL: starting it, and bringing it back."""

from contextlib import closing

from psycopg import sql

from config.environment import StartupError
from config.running.embedded import remains, server
from config.running.embedded.places import Place


def revive(at: Place) -> str | None:
    """Bring back a server that died or hangs.

    Returns what was found and done, None if all is well. Raises StartupError if it cannot be started.
    """
    if server.responds(at):
        return None
    if server.is_running(at):
        # It is never killed: it may still be serving open connections.
        remains.resume(server.processes(at))
        return "PostgreSQL accepts no connections. Its processes were told to go on"
    start(at)
    return "PostgreSQL had stopped and was restarted"


def start(at: Place) -> None:
    """Start the server unless it runs, and wait until it responds. Creates its data the first time."""
    file = at.postgres / "PG_VERSION"
    if not file.exists():
        server.initialise(at)
    elif (found := file.read_text(encoding="ascii").strip()) != server.MAJOR:
        raise StartupError(
            f"The data in {at.postgres} was made by PostgreSQL {found}, and this is PostgreSQL {server.MAJOR}. Run "
            "`manage.py backup database FILE` with the version of Trey that made it, move the folder away, and "
            "restore FILE with this one (docs/operations.md)."
        )
    if server.is_running(at):
        server.wait_for(at)
    else:
        server.launch(at)
    _make_database(at)


def _make_database(at: Place) -> None:
    with closing(server.connect(at)) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [server.DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(server.DATABASE)))
