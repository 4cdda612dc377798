"""PostgreSQL and Redis from wheels, for machines without servers of their own.

`database_url` and `redis_url` say where they will be. `started` starts them, or uses running ones. Each process that
uses them holds a lock, and the last one stops them. If that one is killed, the next one finds them running.
"""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import IO

import psycopg

from config.environment import StartupError
from config.running.embedded import places, postgres, redis, server
from config.running.embedded.places import Place, place
from config.running.embedded.redis import url as redis_url
from config.running.embedded.server import MAJOR, has_data
from config.running.embedded.server import tools as postgres_tools
from config.running.embedded.server import url as database_url

__all__ = ["MAJOR", "Place", "database_url", "has_data", "kept_up", "place", "postgres_tools", "redis_url", "started"]

# Seconds between two checks.
_EVERY = 2.0


@contextmanager
def started(at: Place, *, with_postgres: bool = True, with_redis: bool = True) -> Iterator[None]:
    """A context in which the servers run. Raises `StartupError` if they cannot run."""
    if not (with_postgres or with_redis):
        yield
        return
    places.prepare(at)
    # One process at a time starts or stops the servers, and each that uses them shares the other lock.
    with (at.root / "change.lock").open("a") as change, (at.root / "users.lock").open("a") as users:
        fcntl.flock(change, fcntl.LOCK_EX)
        try:
            if with_postgres:
                postgres.start(at)
            if with_redis:
                redis.start(at)
            fcntl.flock(users, fcntl.LOCK_SH)
            fcntl.flock(change, fcntl.LOCK_UN)
            yield
        finally:
            fcntl.flock(change, fcntl.LOCK_EX)
            if _is_last(users):
                server.stop(at)
                redis.stop(at)


def _is_last(users: IO[str]) -> bool:
    fcntl.flock(users, fcntl.LOCK_UN)
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def kept_up(
    at: Place, say: Callable[[str], None], *, with_postgres: bool = True, with_redis: bool = True
) -> Iterator[None]:
    """A context in which servers that die or hang are brought back, however often; `say` is told.

    Each in a thread, since finding that a server hangs takes seconds.
    """
    stopping = Event()
    ours = [*([postgres.revive] if with_postgres else []), *([redis.revive] if with_redis else [])]
    keepers = [Thread(target=_keep, args=(at, revive, say, stopping), daemon=True) for revive in ours]
    for each in keepers:
        each.start()
    try:
        yield
    finally:
        stopping.set()
        for each in keepers:
            each.join()


def _keep(at: Place, revive: Callable[[Place], str | None], say: Callable[[str], None], stopping: Event) -> None:
    """Call `revive` every few seconds; `say` is told what it returns or raises, once as long as that does not change.

    It never gives up, since people may mend by hand what it cannot, while the parts wait.
    """
    said = None
    while not stopping.wait(_EVERY):
        try:
            found = revive(at)
        except (StartupError, OSError, psycopg.Error) as error:
            found = f"{str(error).rstrip('.')}. Trying again"
        if found and found != said:
            say(found)
        said = found
