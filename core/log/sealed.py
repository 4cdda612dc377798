"""An event as stored, and as a line of an export: texts, not values, so that its digest can be checked."""

import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from core.log.canonical import canonical, time_text
from core.log.event import EVENT_TYPE, STREAM_NAME

# Of the digest. Its form, byte by byte, is in docs/contribute/log.md and must never change under this name.
FORM = b"trey-log/1\n"
GENESIS = bytes(32)
NONCE_BYTES = 16
COLUMNS = """event.stream_id, event.version, event.type, event.seat, event.schema, event.data::text, event.meta::text,
       event.command_id, event.recorded_at, event.nonce, event.digest"""


class BadLine(ValueError):  # noqa: N818  named after what it is
    """A line of an export that is not an event; the message says why."""


class _Line(Struct, forbid_unknown_fields=True):
    at: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z\Z")]
    command: Annotated[str, Meta(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")] | None
    data: dict[str, Any]
    digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    meta: dict[str, Any]
    nonce: Annotated[str, Meta(pattern=rf"^[0-9a-f]{{{2 * NONCE_BYTES}}}\Z")]
    schema: Annotated[int, Meta(ge=1, lt=2**15)]
    seat: Annotated[int, Meta(ge=0, lt=2**15)] | None
    stream: Annotated[str, Meta(pattern=f"^{STREAM_NAME.pattern}\\Z")]
    type: Annotated[str, Meta(pattern=f"^{EVENT_TYPE.pattern}\\Z")]
    version: Annotated[int, Meta(ge=1, lt=2**31)]


@dataclass(frozen=True, slots=True)
class Sealed:
    """An event as stored; `data` and `meta` are canonical texts."""

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
    digest: bytes = b""

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> "Sealed":
        """The event in a row of `COLUMNS`."""
        values: list[Any] = [bytes(value) if isinstance(value, memoryview) else value for value in row]
        return cls(*values)

    @classmethod
    def of_line(cls, line: str) -> "Sealed":
        try:
            value = msgspec.convert(json_object(line), _Line)
            return cls(
                value.stream,
                value.version,
                value.type,
                value.seat,
                value.schema,
                canonical(value.data),
                canonical(value.meta),
                None if value.command is None else UUID(value.command),
                datetime.fromisoformat(value.at),
                bytes.fromhex(value.nonce),
                bytes.fromhex(value.digest),
            )
        except BadLine:
            raise
        except ValueError as error:
            raise BadLine(f"this is not an event ({error})") from None

    def line(self) -> str:
        """The event as a line of an export: canonical JSON, without the line feed."""
        return canonical(
            {
                "at": time_text(self.recorded_at),
                "command": None if self.command_id is None else str(self.command_id),
                "data": json.loads(self.data),
                "digest": self.digest.hex(),
                "meta": json.loads(self.meta),
                "nonce": self.nonce.hex(),
                "schema": self.schema,
                "seat": self.seat,
                "stream": self.stream,
                "type": self.type,
                "version": self.version,
            }
        )

    @property
    def document(self) -> str:
        """What the digest covers besides the digest before it and the nonce.

        It has the texts as they are, so a changed byte shows even if the JSON value is the same.
        """
        command = "null" if self.command_id is None else f'"{self.command_id}"'
        return (
            f'{{"at":"{time_text(self.recorded_at)}",'
            f'"command":{command},'
            f'"data":{self.data},'
            f'"meta":{self.meta},'
            f'"schema":{self.schema},'
            f'"seat":{"null" if self.seat is None else self.seat},'
            f'"stream":{canonical(self.stream)},'
            f'"type":{canonical(self.type)},'
            f'"version":{self.version}}}'
        )

    def digest_after(self, previous: bytes) -> bytes:
        """The SHA-256 that it must have if the event before it has the digest `previous`."""
        return sha256(FORM + previous + self.nonce + self.document.encode()).digest()


def json_object(line: str) -> dict[str, Any]:
    """The JSON object in a line. Raises BadLine."""
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadLine(f"this is not JSON ({error})") from None
    except RecursionError:
        raise BadLine("objects and arrays are nested too deeply") from None
    if not isinstance(value, dict):
        raise BadLine("this is not a JSON object")
    return value
