"""The form of an export, and reading one: line by line, each checked, in constant memory whatever its size.

Each line is one JSON object. The first is the header. The events follow, by bucket and position, which is also the
order of each stream. The companions' rows come last.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from core.log.canonical import NotCanonical, canonical, time_text
from core.log.event import BUCKETS, LogError, bucket_of
from core.log.proof import Chains, Head
from core.log.sealed import BadLine, Sealed, json_object

FORMAT = "trey-log-export/1"
GZIP = b"\x1f\x8b"
_Count = Annotated[int, Meta(ge=0)]


class BadExport(LogError):  # noqa: N818  named after what it is
    """An export that `log export` cannot have written: the line (from 1) and the reason."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


class Header(Struct, frozen=True, kw_only=True):
    """The first line: what the export holds.

    `stream` is None for the whole log. `subscribers`: their positions by bucket; `companions`: how many rows of each.
    """

    exported_at: Annotated[datetime, Meta(tz=True)]
    events: _Count
    format: str = FORMAT
    stream: str | None = None
    subscribers: dict[str, Annotated[list[_Count], Meta(min_length=BUCKETS, max_length=BUCKETS)]] = {}
    companions: dict[str, _Count] = {}

    def line(self) -> str:
        return canonical({**self._value(), "digest": self.digest})

    @property
    def digest(self) -> str:
        """The SHA-256 of the header without its digest, in hexadecimal digits."""
        return _digest(self._value())

    @property
    def rows(self) -> int:
        return sum(self.companions.values())

    def _value(self) -> dict[str, Any]:
        return {**asdict(self), "exported_at": time_text(self.exported_at)}

    @classmethod
    def of_line(cls, line: str) -> "Header":
        """Raises BadLine."""
        value = json_object(line)
        if value.get("format") != FORMAT:
            raise BadLine(f"an export begins with a header whose format is {FORMAT!r}, not {value.get('format')!r}")
        digest = value.pop("digest", None)
        try:
            if digest != _digest(value):
                raise BadLine("the header is not what was written: it has another digest")
            return msgspec.convert(value, cls)
        except (NotCanonical, msgspec.ValidationError) as error:
            raise BadLine(f"the header is damaged ({error})") from None


def _digest(value: dict[str, Any]) -> str:
    return sha256(canonical(value).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Placed:
    line: int
    event: Sealed
    bucket: int
    position: int


@dataclass(frozen=True, slots=True)
class Row:
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


@dataclass(frozen=True, slots=True)
class Export:
    """The contents of an export. Both parts are read on demand, rows after events, and raise BadExport."""

    header: Header
    events: Iterator[Placed]
    rows: Iterator[Row]


def read_export(lines: Iterable[bytes]) -> Export:
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
    """Yield what is wrong with an export, without a database. Raises BadExport if the rest cannot be read."""
    chains, export = Chains(published), read_export(lines)
    for placed in export.events:
        if problem := chains.problem(placed.event, placed.bucket):
            yield f"line {placed.line}: {problem}"
    for _ in export.rows:
        pass
    yield from chains.missing()


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


def lines_of(file: Path) -> Iterator[bytes]:
    """The lines of a file, compressed by gzip or not. They end at line feeds alone, not at U+2028. Raises OSError."""
    try:
        with file.open("rb") as opened:
            compressed = opened.read(len(GZIP)) == GZIP
            opened.seek(0)
            yield from gzip.GzipFile(fileobj=opened) if compressed else opened
    except (EOFError, zlib.error) as error:
        raise OSError(str(error)) from None
