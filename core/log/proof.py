"""Proof that the log has not been changed: verifying it, and the heads to publish.

A file of heads grows: each run adds those of streams that have moved on (name, version, digest), and a comment: when
that was, and the position of the log in each bucket. `manage.py log verify --heads FILE` reads it.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from core.log.canonical import time_text
from core.log.event import BUCKETS, LogError, bucket_of
from core.log.sealed import COLUMNS, GENESIS, Sealed
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
_COMMENT = re.compile(r"# (\S+): (\d+) heads, the log is at ((?:\d+,){255}\d+)")

_COUNTERS = "SELECT head FROM log_counter ORDER BY bucket"
_NEWS = """
SELECT stream.stream_id, stream.version, stream.digest
FROM unnest(%s::smallint[], %s::bigint[]) AS since (bucket, position)
CROSS JOIN LATERAL (
    SELECT DISTINCT stream_id FROM log_event event
    WHERE event.bucket = since.bucket AND event.position > since.position
) AS news
JOIN log_stream stream ON stream.bucket = since.bucket AND stream.stream_id = news.stream_id
ORDER BY since.bucket, stream.stream_id
"""


@dataclass(frozen=True, slots=True)
class Head:
    """The last event of a stream when the head was taken. Published, it pins the stream up to that version."""

    stream: str
    version: int
    digest: str
    """64 hexadecimal digits."""


class Chains:
    """Checks events in the order of an export: versions without gaps, each digest that of its event and the one before.

    The heads in `published` must be met. Only the last events of the present bucket's streams are kept.
    """

    def __init__(self, published: Iterable[Head] = ()) -> None:
        self._bucket = -1
        self._last: dict[str, tuple[int, bytes] | None] = {}
        self._heads: dict[str, set[tuple[int, str]]] = {}
        for head in published:
            self._heads.setdefault(head.stream, set()).add((head.version, head.digest))

    def problem(self, event: Sealed, bucket: int) -> str | None:
        """Return the fault of the next event, or None. Only the first fault of each stream is reported."""
        self._heads.get(event.stream, set()).discard((event.version, event.digest.hex()))
        if bucket != self._bucket:
            self._bucket, self._last = bucket, {}
        last = self._last.get(event.stream, (0, GENESIS))
        if last is None:
            return None
        self._last[event.stream] = None
        version, digest = last
        if event.version <= version:
            return f"{event.stream}: version {event.version} comes again after version {version}"
        if event.version != version + 1:
            return f"{event.stream}: version {version + 1} is missing, {event.version} is in its place"
        if event.digest_after(digest) != event.digest:
            return f"{event.stream}: version {event.version} is not what was recorded, or an event before it is not"
        self._last[event.stream] = (event.version, event.digest)
        return None

    def missing(self) -> Iterator[str]:
        """The published heads that no event has met."""
        for stream, heads in self._heads.items():
            for version, _ in sorted(heads):
                yield f"{stream}: version {version} is not the one whose head was published"


def heads() -> Iterator[Head]:
    """Yield the head of every stream, bucket by bucket. They give nothing away: publish them outside."""
    for bucket in range(BUCKETS):
        for stream, version, digest in fetch_all(_HEADS, [bucket]):
            yield Head(stream, version, bytes(digest).hex())


def head(stream: str) -> Head | None:
    rows = fetch_all(_HEAD, [bucket_of(stream), stream])
    return Head(stream, rows[0][0], bytes(rows[0][1]).hex()) if rows else None


def verify(stream: str, published: Iterable[Head] = ()) -> list[str]:
    """What is wrong with the stored `stream`, in sentences: gaps, digests, its head, published heads not met."""
    chains = Chains(each for each in published if each.stream == stream)
    rows, bucket = fetch_all(_STREAM, [bucket_of(stream), stream]), bucket_of(stream)
    head_version, head_digest = rows[0][:2]
    events = [Sealed.of_row(row[2:]) for row in rows if row[2] is not None]
    problems = [problem for event in events if (problem := chains.problem(event, bucket))]
    last = (events[-1].version, events[-1].digest) if events else (0, GENESIS)
    if (head_version or 0, bytes(head_digest or GENESIS)) != last:
        problems.append(f"{stream}: the last event stored is version {last[0]}, which is not the stream's head")
    return [*problems, *chains.missing()]


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
                yield f"{stream}: lies in bucket {bucket} and belongs in {bucket_of(stream)}"
            yield from verify(stream, expected.pop(stream, ()))
    for stream in expected:
        yield f"{stream}: its head was published, and it is not in the log"


class CannotPublish(LogError):  # noqa: N818  named after what it says
    """The file is not one of heads, or the log is shorter than it was when the file was written."""


@dataclass(frozen=True, slots=True)
class Published:
    """The last run that wrote heads to a file: when, how many, and the position of the log in each bucket."""

    at: datetime
    heads: int
    positions: tuple[int, ...]


def publish_heads(file: Path, now: datetime) -> Published:
    """Append the heads of all streams that have moved on since the last time; return what was written.

    Remains of an interrupted run are cut off. Raises CannotPublish and OSError.
    """
    with file.open("a+b") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        last, end = _last(opened, file)
        opened.truncate(end)
        positions = tuple(head for (head,) in fetch_all(_COUNTERS))
        since = last.positions if last is not None else (0,) * BUCKETS
        if any(now_at < before for now_at, before in zip(positions, since, strict=True)):
            raise CannotPublish(
                f"The log is shorter than it was when {file} was written: events are lost, or an older backup was "
                "restored. If that was meant, move the file away; `manage.py log verify --heads` says what is missing."
            )
        count = 0
        for head in _news(since):
            opened.write(f"{head.stream} {head.version} {head.digest}\n".encode())
            count += 1
        opened.write(f"# {time_text(now)}: {count} heads, the log is at {','.join(map(str, positions))}\n".encode())
        opened.flush()
        os.fsync(opened.fileno())
    return Published(now, count, positions)


def last_published(file: Path) -> Published | None:
    """Return when the file was last written, or None if it is empty. Raises CannotPublish and OSError."""
    with file.open("rb") as opened:
        return _last(opened, file)[0]


def _last(opened: IO[bytes], file: Path) -> tuple[Published | None, int]:
    """The last comment, and where it ends."""
    opened.seek(0)
    found, end, at = None, 0, 0
    for line in opened:
        at += len(line)
        if line.startswith(b"#") and line.endswith(b"\n"):
            match = _COMMENT.fullmatch(line.decode(errors="replace").rstrip("\n"))
            if match is None:
                raise CannotPublish(f"{file} is not a file of heads: {line[:80]!r}")
            positions = tuple(map(int, match[3].split(",")))
            found, end = Published(datetime.fromisoformat(match[1]), int(match[2]), positions), at
    if found is None and at:
        raise CannotPublish(f"{file} is not a file of heads that `publish_heads` wrote.")
    return found, end


def _news(since: tuple[int, ...]) -> Iterator[Head]:
    for stream, version, digest in fetch_all(_NEWS, [list(range(BUCKETS)), list(since)]):
        yield Head(stream, version, bytes(digest).hex())
