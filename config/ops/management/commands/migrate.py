from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config.processes import why_unreachable

# Seconds: how long a database may take to come, and between two tries.
PATIENCE, PAUSE = 600.0, 2.0


class Command(migrate.Command):
    help = f"{migrate.Command.help} Waits up to ten minutes for the database at DATABASE_URL."

    def execute(self, *args: Any, **options: Any) -> Any:
        # Before the checks, which ask the database, too. The embedded one runs, or does not.
        if settings.DATABASE_URL:
            wait_for(connections[options["database"]], self.stderr.write)
        return super().execute(*args, **options)


def wait_for(database: BaseDatabaseWrapper, say: Callable[[str], object]) -> None:
    """Return once the database can be used. Raises CommandError if it cannot within PATIENCE."""
    until, said = monotonic() + PATIENCE, ""
    while True:
        try:
            database.ensure_connection()
        except OperationalError as error:
            why = why_unreachable(error)
            if monotonic() >= until:
                raise CommandError(f"Gave up waiting for the database: {why}") from None
            if why != said:
                say(f"Waiting up to {PATIENCE / 60:.0f} minutes for the database: {why}")
            said = why
            sleep(PAUSE)
        else:
            return
