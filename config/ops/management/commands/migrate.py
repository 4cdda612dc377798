from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

# Seconds: how long a database may take to come, and between two tries.
PATIENCE, PAUSE = 600.0, 2.0


class Command(migrate.Command):
    help = f"{migrate.Command.help} Waits up to ten minutes for a database that does not respond yet."

    def handle(self, *args: Any, **options: Any) -> None:
        wait_for(connections[options["database"]], self.stderr.write)
        super().handle(*args, **options)


def wait_for(database: BaseDatabaseWrapper, say: Callable[[str], object]) -> None:
    """Return once the database can be used. Raises CommandError if it cannot within PATIENCE."""
    until, said = monotonic() + PATIENCE, False
    while True:
        try:
            database.ensure_connection()
        except OperationalError as error:
            if monotonic() >= until:
                raise CommandError(f"The database did not come: {error}") from None
            if not said:
                say(f"Waiting up to {PATIENCE / 60:.0f} minutes for the database: {error}")
            said = True
            sleep(PAUSE)
        else:
            return
