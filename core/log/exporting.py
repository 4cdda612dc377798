"""Writing an export: the log and its companions as of one moment, while writers go on."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

from core import clock
from core.log.event import BUCKETS, bucket_of
from core.log.export_format import Header, RowChain
from core.log.registry import Companion, companions, subscribers
from core.log.sealed import COLUMNS, Sealed
from core.log.subscriber import BatchReactor, Reactor
from core.rows import execute, fetch_all

_STREAM = f"""
SELECT {COLUMNS} FROM log_event event WHERE bucket = %s AND stream_id = %s AND version > %s ORDER BY version LIMIT 1000
"""  # noqa: S608  constants only
_BUCKET = f"""
SELECT {COLUMNS}, event.position FROM log_event event WHERE bucket = %s AND position > %s ORDER BY position LIMIT 1000
"""  # noqa: S608  constants only
_VERSION = "SELECT version FROM log_stream WHERE bucket = %s AND stream_id = %s"
# Positions have no gaps, so the last ones add up to the number of events.
_COUNT = "SELECT COALESCE(sum(head), 0) FROM log_counter"
_CHECKPOINTS = "SELECT bucket, position FROM log_checkpoint WHERE subscriber = %s"


def export(stream: str | None = None, *, events_only: bool = False) -> Iterator[str]:
    """Yield the lines of an export of one stream or of the whole log, as of one moment, in one transaction.

    The whole log comes with the rows of its companions, unless `events_only`. Nonces and hidden cards are included.
    """
    with _one_moment():
        if stream is None:
            carried = [] if events_only else companions()
            header = _header(carried)
            yield header.line()
            yield from _whole_log()
            chain = RowChain(header)
            for companion in carried:
                yield from (chain.line(companion.name, row) for row in companion.dump())
        else:
            [(version,)] = fetch_all(_VERSION, [bucket_of(stream), stream]) or [(0,)]
            yield Header(exported_at=clock.now(), events=version, stream=stream).line()
            yield from _stream(stream)


def _header(carried: Iterable[Companion]) -> Header:
    reactors = [each.name for each in subscribers() if isinstance(each, Reactor | BatchReactor)]
    return Header(
        exported_at=clock.now(),
        events=int(fetch_all(_COUNT)[0][0]),
        # Projections are left out: their rows are rebuilt from the first event.
        subscribers={name: _positions(name) for name in reactors},
        companions={companion.name: companion.count() for companion in carried},
    )


def _positions(subscriber: str) -> list[int]:
    found = dict(fetch_all(_CHECKPOINTS, [subscriber]))
    return [found.get(bucket, 0) for bucket in range(BUCKETS)]


def _whole_log() -> Iterator[str]:
    for bucket in range(BUCKETS):
        position = 0
        while rows := fetch_all(_BUCKET, [bucket, position]):
            for row in rows:
                yield Sealed.of_row(row[:-1]).line()
            position = rows[-1][-1]


def _stream(stream: str) -> Iterator[str]:
    version = 0
    while rows := fetch_all(_STREAM, [bucket_of(stream), stream, version]):
        for row in rows:
            yield Sealed.of_row(row).line()
        version = rows[-1][1]


@contextmanager
def _one_moment() -> Iterator[None]:
    """A snapshot of the database for this connection; inside a transaction, that of the transaction."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # A reader of the lines may be slow: a disk, a pipe to another machine.
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield


_BATCH = 500


class Table:
    """A model's table as a `Companion`: each row is the JSON that PostgreSQL makes of it.

    Missing columns get their defaults, and those that are `gone` are passed over. An unknown column is an error, and so
    is a different row with the same key.
    """

    def __init__(self, model: type[models.Model], *gone: str) -> None:
        self._model, self._gone = model, gone
        self._table = _quoted(model._meta.db_table)  # noqa: SLF001  Django's public way to a model's fields
        self._key = _quoted(str(model._meta.pk.column))  # noqa: SLF001

    @property
    def name(self) -> str:
        return self._model._meta.db_table  # noqa: SLF001

    def count(self) -> int:
        [(count,)] = self._asked("SELECT count(*) FROM {table}")
        return int(count)

    def dump(self) -> Iterator[Any]:
        rows = self._asked("SELECT row_to_json(t)::text, {key} FROM {table} t ORDER BY {key} LIMIT %s", _BATCH)
        while rows:
            yield from (json.loads(text) for text, _ in rows)
            after = "SELECT row_to_json(t)::text, {key} FROM {table} t WHERE {key} > %s ORDER BY {key} LIMIT %s"
            rows = self._asked(after, rows[-1][1], _BATCH)

    def load(self, rows: Iterable[Any]) -> None:
        """Write missing rows. Raises DatabaseError, or ValueError for rows that do not fit."""
        waiting = iter(rows)
        while batch := list(islice(waiting, _BATCH)):
            self._write(batch)
        for statement in connection.ops.sequence_reset_sql(no_style(), [self._model]):
            execute(statement)

    def _write(self, batch: list[Any]) -> None:
        names = [name for name in batch[0] if name not in self._gone]
        here = {field.column for field in self._model._meta.concrete_fields}  # noqa: SLF001
        if unknown := sorted(set(names) - here):
            raise ValueError(f"there is no column {unknown[0]!r} here")
        columns, theirs, ours = (
            ", ".join(f"{prefix}{_quoted(name)}" for name in names) for prefix in ("", "new.", "t.")
        )
        new, text = f"json_populate_recordset(NULL::{self._table}, %s::json) new", json.dumps(batch)
        insert = f"INSERT INTO {self._table} ({columns}) SELECT {theirs} FROM {new} ON CONFLICT DO NOTHING"  # noqa: S608
        execute(insert, [text])
        same = f"t.{self._key} = new.{self._key} AND ({ours}) IS NOT DISTINCT FROM ({theirs})"
        missing = f"FROM {new} WHERE NOT EXISTS (SELECT 1 FROM {self._table} t WHERE {same})"  # noqa: S608
        if others := self._asked(f"SELECT new.{{key}} {missing}", text):
            raise ValueError(f"another row has the place of {others[0][0]}")

    def _asked(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return fetch_all(statement.format(table=self._table, key=self._key), values)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
