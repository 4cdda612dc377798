"""Writing an export: the log as of one moment, while writers go on."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from core import clock
from core.log.event import BUCKETS, bucket_of
from core.log.export_format import Header
from core.log.sealed import COLUMNS, Sealed
from core.rows import fetch_all

_STREAM = f"""
SELECT {COLUMNS} FROM log_event event WHERE bucket = %s AND stream_id = %s AND version > %s ORDER BY version LIMIT 1000
"""  # noqa: S608  constants only
_BUCKET = f"""
SELECT {COLUMNS}, event.position FROM log_event event WHERE bucket = %s AND position > %s ORDER BY position LIMIT 1000
"""  # noqa: S608  constants only
_VERSION = "SELECT version FROM log_stream WHERE bucket = %s AND stream_id = %s"
# Positions have no gaps, so the last ones add up to the number of events.
_COUNT = "SELECT COALESCE(sum(head), 0) FROM log_counter"


def export(stream: str | None = None) -> Iterator[str]:
    """Yield the lines of an export of one stream or of the whole log, as of one moment, in one transaction.

    Nonces and hidden cards are included.
    """
    with _one_moment():
        if stream is None:
            yield Header(exported_at=clock.now(), events=int(fetch_all(_COUNT)[0][0])).line()
            yield from _whole_log()
        else:
            [(version,)] = fetch_all(_VERSION, [bucket_of(stream), stream]) or [(0,)]
            yield Header(exported_at=clock.now(), events=version, stream=stream).line()
            yield from _stream(stream)


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
