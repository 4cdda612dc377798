"""Proof that the log is what it was: verifying it, the heads to publish, and an export that anyone can verify."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from games.log.canonical import canonical
from games.log.chain import GENESIS, digest_of, time_text
from games.log.event import BUCKETS, bucket_of

_COLUMNS = """event.stream_id, event.version, event.type, event.seat, event.schema, event.data::text, event.meta::text,
       event.command_id, event.recorded_at, event.nonce, event.digest"""
# One statement, so one snapshot: the head and the events belong together while writers go on.
_STREAM = f"""
SELECT head.version, head.digest, {_COLUMNS}
FROM (SELECT %s::smallint AS bucket, %s::text COLLATE "C" AS stream_id) asked
LEFT JOIN log_stream head USING (bucket, stream_id)
LEFT JOIN log_event event USING (bucket, stream_id)
ORDER BY event.version
"""  # noqa: S608  constants only
_BUCKET = f"""
SELECT {_COLUMNS}, event.position FROM log_event event WHERE bucket = %s AND position > %s ORDER BY position LIMIT 1000
"""  # noqa: S608  constants only
_HEADS = "SELECT stream_id, version, digest FROM log_stream WHERE bucket = %s AND version > 0 ORDER BY stream_id"
_NAMES = """
SELECT stream_id FROM log_stream WHERE bucket = %s UNION SELECT stream_id FROM log_event WHERE bucket = %s ORDER BY 1
"""
_POSITIONS = """
SELECT (SELECT head FROM log_counter WHERE bucket = %s), count(*), COALESCE(max(position), 0)
FROM log_event WHERE bucket = %s
"""


@dataclass(frozen=True, slots=True)
class Head:
    """The last event of a stream when the head was taken. Published, it pins the stream up to that version."""

    stream: str
    version: int
    digest: str
    """64 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class _Sealed:
    """An event as stored: texts, not values."""

    stream: str
    version: int
    type: str
    seat: int | None
    schema: int
    data: str
    meta: str
    command_id: UUID | None
    recorded_at: datetime
    nonce: bytes
    digest: bytes

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> "_Sealed":
        values: list[Any] = [bytes(value) if isinstance(value, memoryview) else value for value in row]
        return cls(*values)

    def digest_after(self, previous: bytes) -> bytes:
        return digest_of(
            previous,
            self.nonce,
            stream=self.stream,
            version=self.version,
            event_type=self.type,
            seat=self.seat,
            schema=self.schema,
            data=self.data,
            meta=self.meta,
            command_id=self.command_id,
            recorded_at=self.recorded_at,
        )


def heads() -> Iterator[Head]:
    """Return the head of every stream, bucket by bucket. They give nothing away: publish them outside."""
    for bucket in range(BUCKETS):
        for stream, version, digest in _rows(_HEADS, [bucket]):
            yield Head(stream, version, bytes(digest).hex())


def verify(stream: str, published: Iterable[Head] = ()) -> list[str]:
    """Return what is wrong with the stored `stream`, in sentences; nothing is wrong with an empty list.

    Versions must be without gaps, every digest must be that of its event and the one before, the stream's head must
    be the last event, and every head of the stream in `published` (made by `heads` at any time) must still be there.
    """
    rows = _rows(_STREAM, [bucket_of(stream), stream])
    head_version, head_digest = rows[0][:2]
    events = [_Sealed.of_row(row[2:]) for row in rows if row[2] is not None]
    problems = _broken_links(events)
    last = (events[-1].version, events[-1].digest) if events else (0, GENESIS)
    if (head_version or 0, bytes(head_digest or GENESIS)) != last:
        problems.append(f"{stream}: the last event stored is version {last[0]}, which is not the stream's head")
    return problems + _missing_heads(events, [head for head in published if head.stream == stream])


def verify_all(published: Iterable[Head] = ()) -> Iterator[str]:
    """Return what is wrong with the whole log: every stream, the positions of every bucket, the published heads."""
    expected: dict[str, list[Head]] = {}
    for head in published:
        expected.setdefault(head.stream, []).append(head)
    for bucket in range(BUCKETS):
        [(counter, count, last)] = _rows(_POSITIONS, [bucket, bucket])
        if not counter == count == last:
            yield f"bucket {bucket}: the counter says {counter}, there are {count} events, the last at {last}"
        for (stream,) in _rows(_NAMES, [bucket, bucket]):
            if bucket_of(stream) != bucket:
                yield f"{stream}: lies in bucket {bucket} and belongs into {bucket_of(stream)}"
            yield from verify(stream, expected.pop(stream, ()))
    for stream in expected:
        yield f"{stream}: its head was published, and it is not in the log"


def export(stream: str | None = None) -> Iterator[str]:
    """Return the events of one stream, or of all, as lines of canonical JSON, complete and in order.

    The lines hold everything, nonces and hidden cards included: for a backup, or for an auditor who may see it all.
    What they hold is checked without a database by `verify_export`.
    """
    if stream is not None:
        for row in _rows(_STREAM, [bucket_of(stream), stream]):
            if row[2] is not None:
                yield _line(_Sealed.of_row(row[2:]))
        return
    for bucket in range(BUCKETS):
        position = 0
        while rows := _rows(_BUCKET, [bucket, position]):
            for row in rows:
                yield _line(_Sealed.of_row(row[:-1]))
            position = rows[-1][-1]


def verify_export(lines: Iterable[str], published: Iterable[Head] = ()) -> list[str]:
    """Return what is wrong with exported lines, as `verify` does for what is stored. Needs no database."""
    streams: dict[str, list[_Sealed]] = {}
    for line in lines:
        event = _of_line(line)
        streams.setdefault(event.stream, []).append(event)
    problems = [problem for events in streams.values() for problem in _broken_links(events)]
    for head in published:
        problems += _missing_heads(streams.get(head.stream, []), [head])
    return problems


def _broken_links(events: list[_Sealed]) -> list[str]:
    problems = []
    previous = GENESIS
    for version, event in enumerate(events, 1):
        if event.version != version:
            problems.append(f"{event.stream}: version {version} is missing, {event.version} is in its place")
            break
        if event.digest_after(previous) != event.digest:
            problems.append(f"{event.stream}: version {version} is not what was recorded, or an event before it is not")
            break
        previous = event.digest
    return problems


def _missing_heads(events: list[_Sealed], published: list[Head]) -> list[str]:
    stored = {event.version: event.digest.hex() for event in events}
    return [
        f"{head.stream}: version {head.version} is not the one whose head was published"
        for head in published
        if stored.get(head.version) != head.digest
    ]


def _line(event: _Sealed) -> str:
    return canonical(
        {
            "at": time_text(event.recorded_at),
            "command": None if event.command_id is None else str(event.command_id),
            "data": json.loads(event.data),
            "digest": event.digest.hex(),
            "meta": json.loads(event.meta),
            "nonce": event.nonce.hex(),
            "schema": event.schema,
            "seat": event.seat,
            "stream": event.stream,
            "type": event.type,
            "version": event.version,
        }
    )


def _of_line(line: str) -> _Sealed:
    value = json.loads(line)
    return _Sealed(
        stream=value["stream"],
        version=value["version"],
        type=value["type"],
        seat=value["seat"],
        schema=value["schema"],
        data=canonical(value["data"]),
        meta=canonical(value["meta"]),
        command_id=None if value["command"] is None else UUID(value["command"]),
        recorded_at=datetime.fromisoformat(value["at"]),
        nonce=bytes.fromhex(value["nonce"]),
        digest=bytes.fromhex(value["digest"]),
    )


def _rows(query: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
