"""Events: decided, about to be stored, and as the log returns them in their newest shape; and the errors of the log."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

BUCKETS = 256
STREAM_NAME = re.compile(r"(?=.{3,128}\Z)[a-z][a-z0-9_]*-[a-z0-9_-]+")
EVENT_TYPE = re.compile(r"(?=.{3,64}\Z)[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")

Data = dict[str, Any]
Upcast = Callable[[Data], Data]

_upcasts: dict[tuple[str, int], Upcast] = {}


class LogError(Exception):
    """Any error of the log itself."""


class VersionConflict(LogError):  # noqa: N818  named after what happened
    """The stream has moved on: it is at version `found`, not at `expected`. Decide again on the new state."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"stream {stream!r} is at version {found}, not at {expected}")
        self.stream = stream
        self.expected = expected
        self.found = found


class LostRace(LogError):  # noqa: N818  named after what happened
    """The rows of a stream are no longer at the version that was loaded: another command came first."""


class Misuse(LogError):  # noqa: N818  named after what happened
    """The caller broke a rule of the log: a bug, never an error of a user."""


class Gap(LogError):  # noqa: N818  named after what happened
    """Positions or versions read are not consecutive: the log is damaged, and nobody may read past it."""


class CheckpointMoved(LogError):  # noqa: N818  named after what happened
    """Somebody else moved the checkpoint of a bucket that this worker holds; the whole batch is rolled back."""


class NewEvent(Struct, frozen=True):
    """An event to be appended: its type (`game.joined`), its facts (JSON without floats), and whose seat it is."""

    type: str
    data: Mapping[str, Any]
    seat: int | None = None


class PendingEvent(NewEvent, frozen=True, kw_only=True):
    stream: str
    version: int
    recorded_at: datetime


class Actor(Struct, frozen=True):
    """The cause of an event: `kind` is "player", "bot", "clock", "organiser", ...; `id` names which one."""

    kind: str
    id: str | None = None

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind} if self.id is None else {"kind": self.kind, "id": self.id}


class Event(Struct, frozen=True, array_like=True):
    """An event of the log, with `data` in its newest shape.

    `version` counts the events of the stream, `position` those of the bucket, without gaps. `digest` (32 bytes) covers
    the stored event and the digest before it; `nonce` (16 bytes) is as secret as anything in the event.
    """

    stream: str
    version: int
    type: str
    seat: int | None
    data: dict[str, Any]
    schema: int
    meta: dict[str, Any]
    command_id: UUID | None
    recorded_at: datetime
    bucket: int
    position: int
    digest: bytes
    nonce: bytes

    def __repr__(self) -> str:
        # Neither the facts, which may be hidden, nor the nonce, which would let them be guessed.
        return f"Event({self.stream!r}, {self.version}, {self.type!r})"

    @property
    def kind(self) -> str:
        """The kind of the stream: what stands before the first hyphen of its name."""
        return self.stream.partition("-")[0]

    @property
    def stream_key(self) -> str:
        """The id within the kind: what follows the first hyphen in the stream's name."""
        return self.stream.partition("-")[2]

    @property
    def actor(self) -> Actor | None:
        actor = self.meta.get("actor")
        return None if actor is None else Actor(actor["kind"], actor.get("id"))

    @property
    def reason(self) -> str | None:
        reason: str | None = self.meta.get("reason")
        return reason


# What `evolve` may read.
Happened = PendingEvent | Event


def meta_of(actor: Actor | None, reason: str | None) -> dict[str, Any]:
    meta: dict[str, Any] = {}
    if actor is not None:
        meta["actor"] = actor.as_json()
    if reason is not None:
        meta["reason"] = reason
    return meta


def bucket_of(stream: str) -> int:
    """Return the bucket of a stream: the first two bytes of SHA-256 of its name, modulo 256."""
    return int.from_bytes(sha256(stream.encode()).digest()[:2], "big") % BUCKETS


def upcast(event_type: str, from_schema: int) -> Callable[[Upcast], Upcast]:
    """Register what turns a type's data at a schema into that of the next; new events get the newest number."""

    def register(function: Upcast) -> Upcast:
        if (event_type, from_schema) in _upcasts:
            raise ValueError(f"{event_type!r} has an upcast from schema {from_schema} already")
        _upcasts[event_type, from_schema] = function
        return function

    return register


def newest(event_type: str, schema: int, data: Data) -> tuple[int, Data]:
    """The newest schema to which `data` at `schema` can be converted, and its data in that shape."""
    while step := _upcasts.get((event_type, schema)):
        schema, data = schema + 1, step(data)
    return schema, data


def in_newest_shape(event: Event) -> Event:
    schema, data = newest(event.type, event.schema, event.data)
    return event if schema == event.schema else replace(event, schema=schema, data=data)


def newest_schema(event_type: str) -> int:
    """The number that new events of the type are stored with."""
    schema = 1
    while (event_type, schema) in _upcasts:
        schema += 1
    return schema
