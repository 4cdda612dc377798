"""PostgreSQL and Redis from wheels, for machines without servers of their own.

`database_url` and `redis_url` say where they will be. `started` starts them, or uses running ones. Each process that
uses them holds a lock, and the last one stops them. If that one is killed, the next one finds them running.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import IO, NoReturn

import psycopg

from config import environment
from config.environment import StartupError
from config.running.embedded import places, postgres, redis
from config.running.embedded.places import Place, place
from config.running.embedded.postgres import MAJOR, has_data
from config.running.embedded.postgres import tools as postgres_tools
from config.running.embedded.postgres import url as database_url
from config.running.embedded.redis import url as redis_url

__all__ = [
    "MAJOR",
    "Place",
    "database_url",
    "has_data",
    "keep",
    "ours",
    "place",
    "postgres_tools",
    "redis_url",
    "started",
]

# Seconds between two looks at whether a server is there, and at which of them it has to respond, which is dearer.
_EVERY, _ASKED = 2.0, 15


def ours() -> list[ModuleType]:
    """The servers in whose place the environment names no other."""
    others = {postgres: environment.secret("DATABASE_URL"), redis: environment.secret("REDIS_URL")}
    return [server for server, address in others.items() if not address]


@contextmanager
def started(at: Place) -> Iterator[None]:
    """A context in which the servers run. Raises `StartupError` if they cannot run."""
    servers = ours()
    if not servers:
        yield
        return
    places.prepare(at)
    # One process at a time starts or stops the servers, and each that uses them shares the other lock.
    with (at.root / "change.lock").open("a") as change, (at.root / "users.lock").open("a") as users:
        for lock in (change, users):
            # A fork would hold it, too.
            os.register_at_fork(after_in_child=lock.close)
        fcntl.flock(change, fcntl.LOCK_EX)
        try:
            for server in servers:
                server.start(at)
            fcntl.flock(users, fcntl.LOCK_SH)
            fcntl.flock(change, fcntl.LOCK_UN)
            yield
        finally:
            fcntl.flock(change, fcntl.LOCK_EX)
            if _is_last(users):
                postgres.stop(at)
                redis.stop(at)


def _is_last(users: IO[str]) -> bool:
    fcntl.flock(users, fcntl.LOCK_UN)
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def keep(at: Place, server: ModuleType, say: Callable[[str], object]) -> NoReturn:
    """Revive the server for ever; `say` is told what was done or went wrong, once as long as that does not change."""
    said, looks = None, 0
    while True:
        time.sleep(_EVERY)
        looks += 1
        if looks % _ASKED and server.is_running(at):
            continue
        try:
            found = server.revive(at)
        except (StartupError, OSError, psycopg.Error) as error:
            found = f"{str(error).rstrip('.')}. Trying again"
        if found and found != said:
            say(found)
        said = found
