"""PostgreSQL and Redis from wheels, for machines without servers of their own.

`database_url` and `redis_url` say where they will be. `started` starts them, or uses running ones. Each process that
uses them holds a lock, and the last one stops them. If that one is killed, the next one finds them running.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from config.running.embedded import keeper, locks, places, postgres, programs, redis, server
from config.running.embedded.places import Place

__all__ = ["Place", "database_url", "has_data", "kept_up", "place", "postgres_tools", "redis_url", "started"]


def place(profile: str) -> Place:
    """The folders of a profile: `run` keeps its data, `test` is fast and disposable."""
    return places.place(profile)


def database_url(at: Place) -> str:
    """The URL of the embedded PostgreSQL, running or not."""
    return server.url(at)


def postgres_tools() -> Path | None:
    """The folder of the embedded PostgreSQL's tools, such as pg_dump; None: it is not installed."""
    return programs.tools()


def redis_url(at: Place) -> str:
    """The URL of the embedded Redis, running or not."""
    return redis.url(at)


def has_data(at: Place) -> bool:
    """Return whether PostgreSQL has been started here before."""
    return server.has_data(at)


@contextmanager
def started(at: Place, *, with_postgres: bool = True, with_redis: bool = True) -> Iterator[None]:
    """A context in which the servers run. Raises `StartupError` if they cannot run."""
    if not (with_postgres or with_redis):
        yield
        return
    places.prepare(at)
    with locks.used(at.root) as use:
        try:
            if with_postgres:
                postgres.start(at)
            if with_redis:
                redis.start(at)
            use.begin()
            yield
        finally:
            if use.end():
                server.stop(at)
                redis.stop(at)


@contextmanager
def kept_up(
    at: Place, say: Callable[[str], None], *, with_postgres: bool = True, with_redis: bool = True
) -> Iterator[None]:
    """A context in which servers that die or hang are brought back, however often; `say` is told."""
    keepers = [keeper.Keeper(at, postgres.revive, say)] if with_postgres else []
    if with_redis:
        keepers.append(keeper.Keeper(at, redis.revive, say))
    for each in keepers:
        each.start()
    try:
        yield
    finally:
        for each in keepers:
            each.stop()
