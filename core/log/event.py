"""Events: decided (`NewEvent`), about to be stored (`PendingEvent`), and as the log returns them (`Event`)."""

import re
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Protocol
from uuid import UUID

from msgspec import Struct

BUCKETS = 256
STREAM_NAME = re.compile(r"(?=.{3,128}\Z)[a-z][a-z0-9_]*-[a-z0-9_-]+")
EVENT_TYPE = re.compile(r"(?=.{3,64}\Z)[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


class NewEvent(Struct, frozen=True):
    """An event that was decided and is to be appended.

    `type` names the kind of stream and what happened (`game.joined`), never a class path. `data` holds the facts, a
    JSON object without floats. `seat` is whose event it is, in a stream with seats. The log adds the newest schema
    itself.
    """

    type: str
    data: Mapping[str, Any]
    seat: int | None = None


class PendingEvent(NewEvent, frozen=True, kw_only=True):
    """An event with its place in the stream, just before it is appended."""

    stream: str
    version: int
    recorded_at: datetime


class Happened(Protocol):
    """The part of an event that `evolve` may read, whether stored or pending."""

    @property
    def stream(self) -> str:
        """The stream's name, `game-<id>`."""

    @property
    def version(self) -> int:
        """Its number in the stream, from 1."""

    @property
    def type(self) -> str:
        """The kind of the stream and the event's name, as in `game.joined`."""

    @property
    def seat(self) -> int | None:
        """The seat whose event it is, if the stream has seats."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The facts."""

    @property
    def recorded_at(self) -> datetime:
        """The time at which it was recorded."""


class Actor(Struct, frozen=True):
    """The cause of an event: `kind` is "player", "bot", "clock", "organiser", ...; `id` names which one."""

    kind: str
    id: str | None = None

    def as_json(self) -> dict[str, str]:
        """Return the actor as an event's meta keeps it."""
        return {"kind": self.kind} if self.id is None else {"kind": self.kind, "id": self.id}


class Event(Struct, frozen=True, array_like=True):
    """An event of the log, with `data` in its newest shape.

    `version` counts the events of the stream (1, 2, ...), `position` those of the bucket; both are without gaps.
    `meta` says who did it and why. `digest` (32 bytes) covers the stored event and the digest before it; `nonce`
    (16 bytes) is secret as long as anything in the event is.
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
        """The actor who caused it."""
        actor = self.meta.get("actor")
        return None if actor is None else Actor(actor["kind"], actor.get("id"))

    @property
    def reason(self) -> str | None:
        """The reason that was given, if any."""
        reason: str | None = self.meta.get("reason")
        return reason


def meta_of(actor: Actor | None, reason: str | None) -> dict[str, Any]:
    """The meta of an append's events."""
    meta: dict[str, Any] = {}
    if actor is not None:
        meta["actor"] = actor.as_json()
    if reason is not None:
        meta["reason"] = reason
    return meta


def bucket_of(stream: str) -> int:
    """Return the bucket of a stream: the first two bytes of SHA-256 of its name, modulo 256."""
    return int.from_bytes(sha256(stream.encode()).digest()[:2], "big") % BUCKETS
