"""Publishing heads in a growing file: each time only those of streams that have moved on, to keep it small.

The file is text. A line is a head (name, version, digest) or, after the heads of one run, a comment that says when that
was and how far the log was, as the position in each bucket. `manage.py log verify --heads FILE` reads it.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from core.log.chain import time_text
from core.log.errors import LogError
from core.log.event import BUCKETS
from core.log.proof import Head
from core.rows import fetch_all

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

    A new file gets all heads. Remains of an interrupted run after the last comment are cut off. Raises
    CannotPublish and OSError.
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
