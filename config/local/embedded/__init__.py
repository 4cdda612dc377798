"""PostgreSQL and Redis from wheels, for machines without servers of their own.

`database_url` and `redis_url` say where they will be. `started` starts them, or uses those that run. Every user holds a
lock, and the last one stops the servers. If that one is killed, the next user finds them running.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from config.local.embedded import locks, places, postgres, redis
from config.local.embedded.places import Place

__all__ = ["Place", "database_url", "place", "redis_url", "restart", "started"]


def place(profile: str) -> Place:
    """The folders of a profile: `run` keeps its data, `test` is fast and disposable."""
    return places.place(profile)


def database_url(at: Place) -> str:
    """The URL of the embedded PostgreSQL, running or not."""
    return postgres.url(at)


def redis_url(at: Place) -> str:
    """The URL of the embedded Redis, running or not."""
    return redis.url(at)


@contextmanager
def started(at: Place, *, with_postgres: bool = True, with_redis: bool = True) -> Iterator[None]:
    """Run the servers as long as this lasts. Raises `StartupError` if they cannot run."""
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
                postgres.stop(at)
                redis.stop(at)


def restart(at: Place, *, with_postgres: bool = True, with_redis: bool = True) -> list[str]:
    """Start the servers that have died. Returns their names."""
    died = []
    if with_postgres and not postgres.responds(at):
        postgres.start(at)
        died.append("PostgreSQL")
    if with_redis and not redis.responds(at):
        redis.start(at)
        died.append("Redis")
    return died
