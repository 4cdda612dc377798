"""Find out whether a pooler stands between Trey and PostgreSQL, and whether it can carry Trey.

A pooler such as PgBouncer shares few connections among many clients. If it gives a client a different connection for
each transaction, it must carry prepared statements along: otherwise a statement is missing, exists already, or is
another one with the same name. This finds out by trying, with connections of its own, and does not trust version
numbers.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from enum import Enum
from typing import Any

import psycopg
from psycopg import AsyncConnection, errors

# Seconds for all of it. A pooler without a free connection makes its clients wait for minutes.
_PATIENCE = 3.0
# A pooler hands out the connection that was returned last, so one other client is enough unless it is busy.
_OTHERS = 3
_ASKED, _TOKEN = "SELECT 'trey ' || %s::text", "carried"

_WAY_OUT = (
    "Set pool_mode = transaction with max_prepared_statements above 0 in PgBouncer 1.22 or newer, or pool_mode = "
    "session, or have DATABASE_URL lead to PostgreSQL itself (docs/running.md, PgBouncer)."
)


class Pooling(Enum):
    """The kind of pooler between Trey and PostgreSQL; the value describes it in a sentence."""

    NONE = "there is no pooler"
    SESSION = "a pooler keeps one connection for each session"
    CARRIED = "a pooler changes connections between transactions, and carries prepared statements along"
    LOST = "a pooler changes connections between transactions and loses prepared statements: requests fail at random"
    STATEMENTS = "a pooler changes connections within transactions: no request can work"
    CROWDED = f"a pooler had no four connections to give within {_PATIENCE:.0f} seconds"

    @property
    def usable(self) -> bool:
        """True if requests work."""
        return self not in (Pooling.LOST, Pooling.STATEMENTS)

    @property
    def advice(self) -> str:
        """The advice to the operator; empty if nothing is wrong."""
        if self is Pooling.CROWDED:
            return "Raise default_pool_size: sessions that hold all connections make the others wait."
        return "" if self.usable else _WAY_OUT


def is_direct(connection: psycopg.Connection[Any] | AsyncConnection[Any], pid: int) -> bool:
    """Return whether a connection leads to PostgreSQL itself. `pid` is what `pg_backend_pid()` is there.

    A pooler tells its clients a number of its own, since it has no process for each.
    """
    return connection.info.backend_pid == pid


def arguments_of(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return Django's connection parameters (`get_connection_params`) in the form for `psycopg.connect`."""
    return {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}


def look(conninfo: str = "", **arguments: Any) -> Pooling:
    """Find out which pooler there is, with connections made by `psycopg.connect`. Raises psycopg.Error."""
    arguments = {"connect_timeout": 5, **arguments, "autocommit": True, "prepare_threshold": 100}
    # In a thread: the caller may have an event loop.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(_look(conninfo, arguments))).result()


async def _look(conninfo: str, arguments: dict[str, Any]) -> Pooling:
    async with AsyncExitStack() as open_:

        async def connected() -> AsyncConnection[Any]:
            return await open_.enter_async_context(await AsyncConnection.connect(conninfo, **arguments))

        ours = await connected()
        # Another statement with the same name may run instead of ours; it must not change anything.
        await ours.set_read_only(True)
        try:
            async with asyncio.timeout(_PATIENCE):
                if is_direct(ours, await _pid(ours)):
                    return Pooling.NONE
                return await _try(ours, [await connected() for _ in range(_OTHERS)])
        except TimeoutError:
            return Pooling.CROWDED
        except errors.ProtocolViolation as error:
            # "transaction blocks not allowed in statement pooling mode", or values for another statement
            return Pooling.STATEMENTS if "statement pooling" in str(error) else Pooling.LOST
        except psycopg.OperationalError:
            raise
        except psycopg.Error:
            # There is no statement with that name, or one already, or a different one, which fails.
            return Pooling.LOST


async def _try(ours: AsyncConnection[Any], others: list[AsyncConnection[Any]]) -> Pooling:
    async with ours.transaction():
        first = await _pid(ours)
        await _ask(ours)
        # psycopg sends this after each rollback. PgBouncer 1.21 passes it on, and then misses the statements.
        await ours.execute("DEALLOCATE ALL")
        await _ask(ours)
    # A client with an open transaction has a connection. If it is the one that was ours, we get another one.
    async with AsyncExitStack() as held:
        for other in others:
            await held.enter_async_context(other.transaction())
            await _pid(other)
            async with ours.transaction():
                moved = await _pid(ours) != first
                if await _ask(ours) != f"trey {_TOKEN}":
                    return Pooling.LOST
            if moved:
                return Pooling.CARRIED
    return Pooling.SESSION


async def _pid(connection: AsyncConnection[Any]) -> int:
    (pid,) = await (await connection.execute("SELECT pg_backend_pid()")).fetchone() or (0,)
    return int(pid)


async def _ask(connection: AsyncConnection[Any]) -> object:
    (answer,) = await (await connection.execute(_ASKED, [_TOKEN], prepare=True)).fetchone() or (None,)
    return answer
