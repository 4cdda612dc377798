"""Proof that the log has not been changed: verifying it, and the heads to publish."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.log.chain import GENESIS
from core.log.event import BUCKETS, bucket_of
from core.log.sealed import COLUMNS, Sealed
from core.rows import fetch_all

# One statement, so one snapshot: the head and the events belong together while writers go on.
_STREAM = f"""
SELECT head.version, head.digest, {COLUMNS}
FROM (SELECT %s::smallint AS bucket, %s::text COLLATE "C" AS stream_id) asked
LEFT JOIN log_stream head USING (bucket, stream_id)
LEFT JOIN log_event event USING (bucket, stream_id)
ORDER BY event.version
"""  # noqa: S608  constants only
_HEADS = "SELECT stream_id, version, digest FROM log_stream WHERE bucket = %s AND version > 0 ORDER BY stream_id"
_HEAD = "SELECT version, digest FROM log_stream WHERE bucket = %s AND stream_id = %s AND version > 0"
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


def heads() -> Iterator[Head]:
    """Yield the head of every stream, bucket by bucket. They give nothing away: publish them outside."""
    for bucket in range(BUCKETS):
        for stream, version, digest in fetch_all(_HEADS, [bucket]):
            yield Head(stream, version, bytes(digest).hex())


def head(stream: str) -> Head | None:
    """Return the head of one stream, or None if there is no such stream."""
    rows = fetch_all(_HEAD, [bucket_of(stream), stream])
    return Head(stream, rows[0][0], bytes(rows[0][1]).hex()) if rows else None


def verify(stream: str, published: Iterable[Head] = ()) -> list[str]:
    """Return what is wrong with the stored `stream`, in sentences; an empty list means that it is sound.

    Versions must be without gaps, every digest must be that of its event and the one before, the stream's head must
    be the last event, and every head of the stream in `published` (made by `heads` at any time) must still be there.
    """
    rows = fetch_all(_STREAM, [bucket_of(stream), stream])
    head_version, head_digest = rows[0][:2]
    events = [Sealed.of_row(row[2:]) for row in rows if row[2] is not None]
    problems = _broken_links(events)
    last = (events[-1].version, events[-1].digest) if events else (0, GENESIS)
    if (head_version or 0, bytes(head_digest or GENESIS)) != last:
        problems.append(f"{stream}: the last event stored is version {last[0]}, which is not the stream's head")
    return problems + _missing_heads(events, [each for each in published if each.stream == stream])


def verify_all(published: Iterable[Head] = ()) -> Iterator[str]:
    """Yield what is wrong with the whole log: every stream, the positions of every bucket, the published heads."""
    expected: dict[str, list[Head]] = {}
    for head in published:
        expected.setdefault(head.stream, []).append(head)
    for bucket in range(BUCKETS):
        [(counter, count, last)] = fetch_all(_POSITIONS, [bucket, bucket])
        if not counter == count == last:
            yield f"bucket {bucket}: the counter says {counter}, there are {count} events, the last at {last}"
        for (stream,) in fetch_all(_NAMES, [bucket, bucket]):
            if bucket_of(stream) != bucket:
                yield f"{stream}: lies in bucket {bucket} and belongs into {bucket_of(stream)}"
            yield from verify(stream, expected.pop(stream, ()))
    for stream in expected:
        yield f"{stream}: its head was published, and it is not in the log"


def _broken_links(events: list[Sealed]) -> list[str]:
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


def _missing_heads(events: list[Sealed], published: list[Head]) -> list[str]:
    stored = {event.version: event.digest.hex() for event in events}
    return [
        f"{head.stream}: version {head.version} is not the one whose head was published"
        for head in published
        if stored.get(head.version) != head.digest
    ]
