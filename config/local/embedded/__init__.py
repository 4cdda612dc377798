"""PostgreSQL and Redis out of wheels, for a machine that has neither (or no wish to set them up).

`addresses` says, without starting anything, where they will be; `started` starts or joins them. Everybody who uses
them holds a lock; the last one to leave stops them. A user killed in between leaves servers that the next one joins.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from config.local.embedded import locks, places, postgres, redis
from config.local.embedded.places import Place

__all__ = ["Place", "database_url", "place", "redis_url", "revive", "started"]


def place(profile: str) -> Place:
    """Where the servers of a profile (`run`: lasting data; `test`: fast and thrown away) keep what they need."""
    return places.place(profile)


def database_url(at: Place) -> str:
    """The address of the embedded PostgreSQL, running or not."""
    return postgres.url(at)


def redis_url(at: Place) -> str:
    """The address of the embedded Redis, running or not."""
    return redis.url(at)


@contextmanager
def started(at: Place, *, with_postgres: bool = True, with_redis: bool = True) -> Iterator[None]:
    """The servers run as long as this lasts; raises `StartupError` when they cannot."""
    if not (with_postgres or with_redis):
        yield
        return
    places.prepare(at)
    with locks.joined(at.root) as visit:
        try:
            if with_postgres:
                postgres.start(at)
            if with_redis:
                redis.start(at)
            visit.arrived()
            yield
        finally:
            if visit.last_to_leave():
                postgres.stop(at)
                redis.stop(at)


def revive(at: Place, *, with_postgres: bool = True, with_redis: bool = True) -> list[str]:
    """Start again what died; returns the names of the servers that were started."""
    died = []
    if with_postgres and not postgres.answers(at):
        postgres.start(at)
        died.append("PostgreSQL")
    if with_redis and not redis.answers(at):
        redis.start(at)
        died.append("Redis")
    return died
