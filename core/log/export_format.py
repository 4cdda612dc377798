"""The form of an export, and reading one: line by line, each checked, in constant memory whatever its size.

An export is a text of lines, each one JSON object. The first is the header. The events follow, bucket by bucket and
within a bucket in the order of their positions, which is also the order of each stream. The companions' rows come last.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from core.log.canonical import NotCanonical, canonical, time_text
from core.log.event import BUCKETS, LogError, bucket_of
from core.log.proof import Head
from core.log.sealed import GENESIS, BadLine, Sealed, json_object

FORMAT = "trey-log-export/1"
GZIP = b"\x1f\x8b"


class BadExport(LogError):  # noqa: N818  named after what it is
    """An export that `log export` cannot have written: the line (from 1) and the reason."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: what the export holds.

    `stream` is None for the whole log. `subscribers` says how far each one was, as a position for each bucket.
    `companions` are what else the service needs to go on (`core.log.registry.Companion`), with the number of
    rows of each.
    """

    exported_at: datetime
    events: int
    stream: str | None = None
    subscribers: dict[str, list[int]] = field(default_factory=dict)
    companions: dict[str, int] = field(default_factory=dict)

    def line(self) -> str:
        """The header as a line, without the line feed."""
        return canonical({**self._value(), "digest": self.digest})

    @property
    def digest(self) -> str:
        """The SHA-256 of the header without its digest, in hexadecimal digits."""
        return _digest(self._value())

    @property
    def rows(self) -> int:
        return sum(self.companions.values())

    def _value(self) -> dict[str, Any]:
        return {
            "companions": self.companions,
            "events": self.events,
            "exported_at": time_text(self.exported_at),
            "format": FORMAT,
            "stream": self.stream,
            "subscribers": self.subscribers,
        }

    @classmethod
    def of_line(cls, line: str) -> "Header":
        value = json_object(line)
        if value.get("format") != FORMAT:
            raise BadLine(f"an export begins with a header whose format is {FORMAT!r}, not {value.get('format')!r}")
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
        if not isinstance(header.companions, dict) or not all(
            type(count) is int and count >= 0 for count in (header.events, *header.companions.values())
        ):
            raise BadLine("the header is damaged")
        if not isinstance(header.subscribers, dict) or not all(map(_are_positions, header.subscribers.values())):
            raise BadLine("the header is damaged: a subscriber has one position for each bucket")
        return header


def _digest(value: dict[str, Any]) -> str:
    return sha256(canonical(value).encode()).hexdigest()


def _check_digest(header: dict[str, Any]) -> None:
    rest = {key: value for key, value in header.items() if key != "digest"}
    try:
        found = _digest(rest)
    except NotCanonical as error:
        raise BadLine(f"the header is damaged ({error})") from None
    if header.get("digest") != found:
        raise BadLine("the header is not what was written: it has another digest")


@dataclass(frozen=True, slots=True)
class Placed:
    """An event of an export, with its line there and its place in the log."""

    line: int
    event: Sealed
    bucket: int
    position: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a companion, with its line in the export."""

    line: int
    companion: str
    value: Any


class RowChain:
    """Makes the lines of rows. Each has a digest over itself and the previous digest; the first follows the header."""

    def __init__(self, header: Header) -> None:
        self._last = header.digest

    def line(self, companion: str, row: Any) -> str:
        """The next row as a line, without the line feed. Raises NotCanonical."""
        self._last = _digest({"companion": companion, "previous": self._last, "row": row})
        return canonical({"companion": companion, "digest": self._last, "row": row})


class Chains:
    """Checks events in the order of an export: versions without gaps, each digest that of its event and the one before.

    It remembers only the last event of each stream of the present bucket.
    """

    def __init__(self) -> None:
        self._bucket = -1
        self._last: dict[str, tuple[int, bytes] | None] = {}

    def problem(self, placed: Placed) -> str | None:
        """Return the fault of the next event, or None. Only the first fault of each stream is reported."""
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


@dataclass(frozen=True, slots=True)
class Export:
    """The contents of an export. Both parts are read on demand, rows after events, and raise BadExport."""

    header: Header
    events: Iterator[Placed]
    rows: Iterator[Row]


def read_export(lines: Iterable[bytes]) -> Export:
    """Read an export. Raises BadExport."""
    numbered = enumerate(lines, 1)
    first = next(numbered, None)
    if first is None:
        raise BadExport(1, "the file is empty")
    try:
        header = Header.of_line(_text(first[1]))
    except BadLine as error:
        raise BadExport(1, str(error)) from None
    return Export(header, _events(header, numbered), _rows(header, numbered))


def verify_export(lines: Iterable[bytes], published: Iterable[Head] = ()) -> Iterator[str]:
    """Yield what is wrong with an export, as `verify` does for the stored log.

    Needs no database. Raises BadExport if the rest cannot be read.
    """
    expected: dict[str, dict[int, str]] = {}
    for head in published:
        expected.setdefault(head.stream, {})[head.version] = head.digest
    chains = Chains()
    export = read_export(lines)
    for placed in export.events:
        if problem := chains.problem(placed):
            yield f"line {placed.line}: {problem}"
        heads = expected.get(placed.event.stream, {})
        if heads.get(placed.event.version) == placed.event.digest.hex():
            del heads[placed.event.version]
    for _ in export.rows:
        pass
    for stream, missing in expected.items():
        for version in sorted(missing):
            yield f"{stream}: version {version} is not the one whose head was published"


def _events(header: Header, lines: Iterable[tuple[int, bytes]]) -> Iterator[Placed]:
    bucket, position, count, number = -1, 0, 0, 1
    for number, raw in islice(lines, header.events):
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
        yield Placed(number, event, bucket, position)
    if count != header.events:
        raise BadExport(number, f"the file ends after {count} of {header.events} events; it was cut off")


def _rows(header: Header, lines: Iterator[tuple[int, bytes]]) -> Iterator[Row]:
    chain, number, count = RowChain(header), header.events + 1, 0
    for companion, rows in sorted(header.companions.items()):
        for number, raw in islice(lines, rows):
            count += 1
            try:
                row = json_object(_text(raw)).get("row")
                whole = chain.line(companion, row)
            except (BadLine, NotCanonical) as error:
                raise BadExport(number, str(error)) from None
            if whole != _text(raw):
                raise BadExport(number, f"this is not the row of {companion} that was written here")
            yield Row(number, companion, row)
    if count != header.rows:
        raise BadExport(number, f"the file ends after {count} of {header.rows} rows; it was cut off")
    for number, _ in lines:
        raise BadExport(number, f"there is more than the {header.events} events and {count} rows of the header")


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
