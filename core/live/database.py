"""PostgreSQL for an event loop: a few separate connections, which read and never write."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, LiteralString, ParamSpec, TypeVar

import psycopg
from django.db import DatabaseError, close_old_connections, connection
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

P = ParamSpec("P")
T = TypeVar("T")

# Reads take a millisecond or two each; more connections would only wait for the same processor.
CONNECTIONS = 4
# The number of new streams that may read at once, so that streams already open get their news first.
ARRIVALS = 3
# Seconds to wait for a free one.
WAIT = 10.0
# Seconds during which attempts to connect grow further apart; then they start over.
RECONNECT = 2.0

# Each says that the database cannot be read now.
AWAY = (psycopg.Error, PoolTimeout, DatabaseError)

Rows = list[tuple[Any, ...]]


class Database:
    def __init__(self, pool: AsyncConnectionPool) -> None:
        self._pool = pool
        self.arrivals = asyncio.Semaphore(ARRIVALS)

    async def fetch(self, sql: LiteralString, values: Sequence[Any] | Mapping[str, Any] = ()) -> Rows:
        """Run a statement and return its rows. Raises one of AWAY."""
        async with self._pool.connection() as reader:
            cursor = await reader.execute(sql, values)
            return await cursor.fetchall()


@asynccontextmanager
async def opened() -> "AsyncIterator[Database]":
    arguments = connection.get_connection_params()
    for name in ("cursor_factory", "context"):
        arguments.pop(name, None)  # Django's own kind of cursor, and of loading values
    pool = AsyncConnectionPool(
        kwargs={**arguments, "autocommit": True},
        min_size=1,
        max_size=CONNECTIONS,
        timeout=WAIT,
        reconnect_timeout=RECONNECT,
        configure=_in_utc,
        open=False,
    )
    await pool.open()
    try:
        yield Database(pool)
    finally:
        await pool.close()


async def in_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run Django's own reads in a thread. Raises what `work` raises."""

    def with_working_connection() -> T:
        # As Django does around a request.
        close_old_connections()
        try:
            return work(*arguments, **named)
        finally:
            close_old_connections()

    return await asyncio.to_thread(with_working_connection)


async def _in_utc(new: AsyncConnection[Any]) -> None:
    await new.execute("SET TIME ZONE 'UTC'")
