"""Reading the log: a stream by versions, a bucket by positions."""

import json
from typing import Any

from django.db import connection

from games.log.errors import Gap
from games.log.event import Event, bucket_of
from games.log.upcasts import newest

_COLUMNS = """stream_id, version, type, seat, schema, data::text, meta::text, command_id, recorded_at, bucket, position,
       digest, nonce"""
_STREAM = f"""
SELECT {_COLUMNS} FROM log_event
WHERE bucket = %s AND stream_id = %s AND version > %s AND version <= %s ORDER BY version
"""  # noqa: S608  constants only
_BUCKET = f"SELECT {_COLUMNS} FROM log_event WHERE bucket = %s AND position > %s ORDER BY position LIMIT %s"  # noqa: S608

_LAST = 2**31 - 1


def read(stream: str, after: int = 0, upto: int | None = None) -> list[Event]:
    """Return the events of `stream` with after < version <= upto, in order, in their newest shape.

    A stream that does not exist has no events. Raises Gap if a version is missing.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STREAM, [bucket_of(stream), stream, after, _LAST if upto is None else upto])
        events = [_event(row) for row in cursor.fetchall()]
    for expected, event in enumerate(events, max(after, 0) + 1):
        if event.version != expected:
            raise Gap(f"stream {stream!r} has no version {expected}: the next one stored is {event.version}")
    return events


def tail(bucket: int, after: int, limit: int = 500) -> list[Event]:
    """Return at most `limit` events of a bucket behind position `after`, in the order of their commits.

    Positions have no gaps and appear in order, so whoever goes on from the last one misses nothing. Raises Gap if
    that should ever not hold.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BUCKET, [bucket, after, limit])
        events = [_event(row) for row in cursor.fetchall()]
    for expected, event in enumerate(events, after + 1):
        if event.position != expected:
            raise Gap(f"bucket {bucket} has no position {expected}: the next one stored is {event.position}")
    return events


def _event(row: tuple[Any, ...]) -> Event:
    stream, version, type_, seat, schema, data, meta, command_id, recorded_at, bucket, position, digest, nonce = row
    schema, upcasted = newest(type_, schema, json.loads(data))
    return Event(
        stream=stream,
        version=version,
        type=type_,
        seat=seat,
        data=upcasted,
        schema=schema,
        meta=json.loads(meta),
        command_id=command_id,
        recorded_at=recorded_at,
        bucket=bucket,
        position=position,
        digest=bytes(digest),
        nonce=bytes(nonce),
    )
