"""An event as stored, and as a line of an export: texts, not values, so that its digest can be checked."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.log.canonical import NotCanonical, canonical
from core.log.chain import NONCE_BYTES, digest_of, time_text
from core.log.event import EVENT_TYPE, STREAM_NAME

COLUMNS = """event.stream_id, event.version, event.type, event.seat, event.schema, event.data::text, event.meta::text,
       event.command_id, event.recorded_at, event.nonce, event.digest"""

_KEYS = {"at", "command", "data", "digest", "meta", "nonce", "schema", "seat", "stream", "type", "version"}
_SMALL, _INTEGER = 2**15 - 1, 2**31 - 1


class BadLine(ValueError):  # noqa: N818  named after what it is
    """A line of an export that is not an event; the message says why."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """An event as stored."""

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
    def of_row(cls, row: tuple[Any, ...]) -> "Sealed":
        """The event in a row of `COLUMNS`."""
        values: list[Any] = [bytes(value) if isinstance(value, memoryview) else value for value in row]
        return cls(*values)

    @classmethod
    def of_line(cls, line: str) -> "Sealed":
        """The event in a line of an export. Raises BadLine."""
        value = json_object(line)
        _check_keys(value)
        return cls(
            stream=_text(value, "stream", STREAM_NAME),
            version=_integer(value, "version", 1, _INTEGER),
            type=_text(value, "type", EVENT_TYPE),
            seat=None if value["seat"] is None else _integer(value, "seat", 0, _SMALL),
            schema=_integer(value, "schema", 1, _SMALL),
            data=_object(value, "data"),
            meta=_object(value, "meta"),
            command_id=None if value["command"] is None else _uuid(value, "command"),
            recorded_at=_moment(value, "at"),
            nonce=_bytes(value, "nonce", NONCE_BYTES),
            digest=_bytes(value, "digest", 32),
        )

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

    def digest_after(self, previous: bytes) -> bytes:
        """The digest that it must have if the event before it has the digest `previous`."""
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


def _check_keys(value: dict[str, Any]) -> None:
    if missing := sorted(_KEYS - value.keys()):
        raise BadLine(f"the event has no key {missing[0]!r}")
    if unknown := sorted(value.keys() - _KEYS):
        raise BadLine(f"an event has no key {unknown[0]!r}")


def _text(value: dict[str, Any], key: str, form: re.Pattern[str]) -> str:
    text = value[key]
    if not isinstance(text, str) or not form.fullmatch(text):
        raise BadLine(f"{text!r} cannot be the {key} of an event")
    return text


def _integer(value: dict[str, Any], key: str, least: int, most: int) -> int:
    number = value[key]
    if type(number) is not int or not least <= number <= most:
        raise BadLine(f"{number!r} cannot be the {key} of an event")
    return number


def _object(value: dict[str, Any], key: str) -> str:
    if not isinstance(value[key], dict):
        raise BadLine(f"the {key} of an event is an object")
    try:
        return canonical(value[key])
    except NotCanonical as error:
        raise BadLine(f"the {key} of the event cannot be stored ({error})") from None


def _uuid(value: dict[str, Any], key: str) -> UUID:
    try:
        found = UUID(value[key])
    except (ValueError, TypeError, AttributeError):
        found = None
    if found is None or str(found) != value[key]:
        raise BadLine(f"{value[key]!r} cannot be the {key} of an event")
    return found


def _moment(value: dict[str, Any], key: str) -> datetime:
    try:
        found = datetime.fromisoformat(value[key])
    except (ValueError, TypeError):
        found = None
    if found is None or found.tzinfo is None or time_text(found) != value[key]:
        raise BadLine(f"{value[key]!r} is not a time like 2026-11-21T08:00:00.000000Z")
    return found


def _bytes(value: dict[str, Any], key: str, length: int) -> bytes:
    text = value[key]
    if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text):
        raise BadLine(f"the {key} of an event has {2 * length} hexadecimal digits")
    return bytes.fromhex(text)
