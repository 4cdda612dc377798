"""The doctor's checks: one finding per line, each with what to do. `manage.py doctor` prints them."""

from collections.abc import Callable, Iterator
from functools import partial

from django.db import DatabaseError

from config.ops.doctor import keeping, machine, parts
from config.ops.doctor.finding import BAD, Finding, Level

__all__ = ["Finding", "Level", "examine"]

# Each check, and whether it needs the database.
_CHECKS: tuple[tuple[str, Callable[[], Iterator[Finding]]], ...] = (
    ("redis", machine.redis_),
    ("disk", machine.disk),
    ("clock", machine.clock_),
    ("settings", machine.settings_),
    ("settings in the database", machine.database_settings),
    ("time limits", machine.time_limits),
    ("connections", machine.connections),
    ("heartbeats", parts.heartbeats_),
    ("turns", parts.turns),
    ("bots", parts.bots),
    ("followers", parts.followers),
    ("queue", parts.queue),
    ("addresses", parts.addresses),
    ("push key", parts.push_key),
    ("second factors", parts.second_factors),
    ("mail", parts.mail),
    ("tournaments", parts.tournaments),
    ("outages", parts.outages),
    ("backup", keeping.backup),
    ("heads", keeping.heads),
)
_WITHOUT_DATABASE = {"redis", "disk", "settings"}


def examine(newest: int) -> Iterator[Finding]:
    """Every finding, in the order of the page. `newest` is the number of streams whose log and rows are compared."""
    database = [*machine.pooler_(), *machine.database()]
    yield from database
    reachable = all(finding.level is not BAD for finding in database)
    stored: tuple[tuple[str, Callable[[], Iterator[Finding]]], ...] = (
        ("log", partial(keeping.newest_streams, newest)),
        ("rows", partial(keeping.rows, newest)),
    )
    for name, check in (*_CHECKS, *stored):
        if not reachable and name not in _WITHOUT_DATABASE:
            continue
        try:
            yield from check()
        except DatabaseError as error:
            reason = str(error).strip().splitlines()[0]
            yield Finding(BAD, name, f"could not be looked at: {reason}", "Mend the database first, then look again.")
