"""The form of an export, and reading one: line by line, each checked, in constant memory whatever its size.

Each line is one JSON object. The first is the header. The events follow, by bucket and position, which is also the
order of each stream. Until 0.1.0 the positions of subscribers and rows of other tables (`companions`) came along.
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

    `stream` is None for the whole log. Of older exports, `companions` says how many rows of each table follow.
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


def read_export(lines: Iterable[bytes]) -> Iterator[Placed]:
    """Yield the events of an export, and check the rows after them. Raises BadExport."""
    numbered = enumerate(lines, 1)
    first = next(numbered, None)
    if first is None:
        raise BadExport(1, "the file is empty")
    try:
        header = Header.of_line(_text(first[1]))
    except BadLine as error:
        raise BadExport(1, str(error)) from None
    yield from _events(header, numbered)
    _check_rows(header, numbered)


def verify_export(lines: Iterable[bytes], published: Iterable[Head] = ()) -> Iterator[str]:
    """Yield what is wrong with an export, without a database. Raises BadExport if the rest cannot be read."""
    chains = Chains(published)
    for placed in read_export(lines):
        if problem := chains.problem(placed.event, placed.bucket):
            yield f"line {placed.line}: {problem}"
    yield from chains.missing()


def _events(header: Header, lines: Iterable[tuple[int, bytes]]) -> Iterator[Placed]:
    bucket, count, number = -1, 0, 1
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
        bucket, count = found, count + 1
        yield Placed(number, event, bucket)
    if count != header.events:
        raise BadExport(number, f"the file ends after {count} of {header.events} events; it was cut off")


def _check_rows(header: Header, lines: Iterator[tuple[int, bytes]]) -> None:
    """Check the rows of an older export: each digest covers the row and the digest before it, first the header's."""
    number, count, last = header.events + 1, 0, header.digest
    for companion, rows in sorted(header.companions.items()):
        for number, raw in islice(lines, rows):
            count += 1
            try:
                row = json_object(_text(raw)).get("row")
                last = _digest({"companion": companion, "previous": last, "row": row})
                whole = canonical({"companion": companion, "digest": last, "row": row})
            except (BadLine, NotCanonical) as error:
                raise BadExport(number, str(error)) from None
            if whole != _text(raw):
                raise BadExport(number, f"this is not the row of {companion} that was written here")
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
