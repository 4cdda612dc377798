"""The form of an export, and reading one: line by line, each checked, whatever its size in constant memory.

An export is a text of lines, each one JSON object. The first is the header; the others are the events, bucket by bucket
and within a bucket in the order of their positions, which is also the order of each stream.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.platform.log.canonical import NotCanonical, canonical
from games.platform.log.chain import GENESIS, time_text
from games.platform.log.errors import LogError
from games.platform.log.event import BUCKETS, bucket_of
from games.platform.log.proof import Head
from games.platform.log.sealed import BadLine, Sealed, json_object

FORMAT = "trey-log-export/2"
FIRST_FORMAT = "trey-log-export/1"
"""Has no digest of the header."""
GZIP = b"\x1f\x8b"


class BadExport(LogError):  # noqa: N818  named after what it is
    """An export that cannot be what `log export` wrote: in which line (from 1), and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: what the export holds.

    `stream` is None for the whole log. `subscribers` says how far each was, a position for each bucket. `companions`
    are what else the rows are made from (`games.platform.log.registry.Companion`).
    """

    exported_at: datetime
    events: int
    stream: str | None = None
    subscribers: dict[str, list[int]] = field(default_factory=dict)
    companions: dict[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        """The header as a line, without the line feed."""
        value = {
            "companions": self.companions,
            "events": self.events,
            "exported_at": time_text(self.exported_at),
            "format": FORMAT,
            "stream": self.stream,
            "subscribers": self.subscribers,
        }
        return canonical({**value, "digest": _digest(value)})

    @classmethod
    def of_line(cls, line: str) -> "Header":
        """The header in a line. Raises BadLine."""
        value = json_object(line)
        if value.get("format") not in (FORMAT, FIRST_FORMAT):
            raise BadLine(f"an export begins with a header whose format is {FORMAT!r}")
        _check_digest(value)
        try:
            header = cls(
                datetime.fromisoformat(value["exported_at"]),
                value["events"],
                value["stream"],
                value["subscribers"],
                value["companions"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadLine(f"the header is damaged ({error!r})") from None
        if type(header.events) is not int or header.events < 0 or not isinstance(header.companions, dict):
            raise BadLine("the header is damaged")
        if not isinstance(header.subscribers, dict) or not all(map(_are_positions, header.subscribers.values())):
            raise BadLine("the header is damaged: a subscriber has one position for each bucket")
        return header


def _digest(header: dict[str, Any]) -> str:
    """The SHA-256 of a header without its digest, companions and all, in hexadecimal digits."""
    return sha256(canonical(header).encode()).hexdigest()


def _check_digest(header: dict[str, Any]) -> None:
    rest = {key: value for key, value in header.items() if key != "digest"}
    try:
        found = _digest(rest)
    except NotCanonical as error:
        raise BadLine(f"the header is damaged ({error})") from None
    if header["format"] != FIRST_FORMAT and header.get("digest") != found:
        raise BadLine("the header is not what was written: it has another digest")


@dataclass(frozen=True, slots=True)
class Placed:
    """An event of an export: in which line it stands, and which place it has in the log."""

    line: int
    event: Sealed
    bucket: int
    position: int


class Chains:
    """Checks events in the order of an export: versions without gaps, each digest that of its event and the one before.

    It remembers the last event of each stream of one bucket, and nothing of the buckets before.
    """

    def __init__(self) -> None:
        self._bucket = -1
        self._last: dict[str, tuple[int, bytes] | None] = {}

    def problem(self, placed: Placed) -> str | None:
        """What is wrong with the next event. Of each stream only the first fault is reported."""
        event = placed.event
        if placed.bucket != self._bucket:
            self._bucket, self._last = placed.bucket, {}
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


def read_export(lines: Iterable[bytes]) -> tuple[Header, Iterator[Placed]]:
    """Return the header and the events, which are read as they are asked for. Both raise BadExport."""
    numbered = enumerate(lines, 1)
    first = next(numbered, None)
    if first is None:
        raise BadExport(1, "the file is empty")
    try:
        header = Header.of_line(_text(first[1]))
    except BadLine as error:
        raise BadExport(1, str(error)) from None
    return header, _events(header, numbered)


def verify_export(lines: Iterable[bytes], published: Iterable[Head] = ()) -> Iterator[str]:
    """Return what is wrong with an export, as `verify` does for what is stored. Needs no database.

    Raises BadExport where it cannot be read on.
    """
    expected: dict[str, dict[int, str]] = {}
    for head in published:
        expected.setdefault(head.stream, {})[head.version] = head.digest
    chains = Chains()
    _, events = read_export(lines)
    for placed in events:
        if problem := chains.problem(placed):
            yield f"line {placed.line}: {problem}"
        heads = expected.get(placed.event.stream, {})
        if heads.get(placed.event.version) == placed.event.digest.hex():
            del heads[placed.event.version]
    for stream, missing in expected.items():
        for version in sorted(missing):
            yield f"{stream}: version {version} is not the one whose head was published"


def _events(header: Header, lines: Iterable[tuple[int, bytes]]) -> Iterator[Placed]:
    bucket, position, count, number = -1, 0, 0, 1
    for number, raw in lines:
        try:
            event = Sealed.of_line(_text(raw))
        except BadLine as error:
            raise BadExport(number, str(error)) from None
        if header.stream is not None and event.stream != header.stream:
            raise BadExport(number, f"{event.stream} is not the stream {header.stream} that the header names")
        found = bucket_of(event.stream)
        if found < bucket:
            raise BadExport(number, f"{event.stream} is out of order: its bucket {found} comes before bucket {bucket}")
        position = position + 1 if found == bucket else 1
        bucket, count = found, count + 1
        if count > header.events:
            raise BadExport(number, f"there are more events than the {header.events} that the header counts")
        yield Placed(number, event, bucket, position)
    if count != header.events:
        raise BadExport(number, f"the file ends after {count} of {header.events} events; it was cut off")


def _text(raw: bytes) -> str:
    try:
        return raw.decode().removesuffix("\n")
    except UnicodeDecodeError:
        raise BadLine("this is not UTF-8") from None


def _are_positions(value: Any) -> bool:
    return isinstance(value, list) and len(value) == BUCKETS and all(type(one) is int and one >= 0 for one in value)


def lines_of(file: Path) -> Iterator[bytes]:
    """Yield the lines of a file, compressed by gzip or not, each with its line feed. Raises OSError.

    They end at line feeds alone: canonical JSON holds other separators, such as U+2028, as they are.
    """
    try:
        with file.open("rb") as opened:
            compressed = opened.read(len(GZIP)) == GZIP
            opened.seek(0)
            yield from gzip.GzipFile(fileobj=opened) if compressed else opened
    except (EOFError, zlib.error) as error:
        raise OSError(str(error)) from None
