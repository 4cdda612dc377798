"""Locks and reads that outlast a transaction, also with a pooler that changes connections between transactions."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection, models

from core.rows import execute, fetch_all

M = TypeVar("M", bound=models.Model)


@contextmanager
def lock(name: str, *, wait: bool = True) -> Iterator[bool]:
    """Hold an advisory lock, by another connection, over any number of transactions; yield whether it is held."""
    holder = connection.copy()
    # Under another name than the service's parts, whose connections an import or a restore looks for.
    holder.settings_dict["OPTIONS"]["application_name"] = "trey lock"
    try:
        holder.set_autocommit(False)
        with holder.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            function = "pg_advisory_xact_lock" if wait else "pg_try_advisory_xact_lock"
            cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [name])
            (answer,) = cursor.fetchone()
        try:
            yield wait or bool(answer)
        finally:
            # The lock is free at once. The server notices a closed connection only some time later.
            holder.rollback()
    finally:
        holder.close()


def others(patience: float = 1.0) -> int:
    """How many connections the service has to this database beside this one, after `patience` seconds at most."""
    until = time.monotonic() + patience
    while (found := _others()) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def _others() -> int:
    execute("SELECT pg_stat_clear_snapshot()")
    [(count,)] = fetch_all(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND application_name = current_setting('application_name') AND backend_type = 'client backend'"
    )
    return int(count)


def in_batches(rows: models.QuerySet[M], size: int = 500) -> Iterator[M]:
    """Each row of a query, in its order, `size` at a time, without a cursor that lasts for a session."""
    keys = list(rows.values_list("pk", flat=True))
    for begin in range(0, len(keys), size):
        yield from rows.filter(pk__in=keys[begin : begin + size])
