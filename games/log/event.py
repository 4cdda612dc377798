"""What an event is: what a writer hands in (`NewEvent`) and what the log gives back (`Event`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

BUCKETS = 256


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to append.

    `type` is an explicit name (`played`), never a class path; `schema` numbers the shape of `data` (1, 2, ...).
    `data` holds the facts, `meta` who and why; both are JSON objects without floats. `seat` is whose event it is.
    """

    type: str
    data: Mapping[str, Any]
    seat: int | None = None
    schema: int = 1
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the log, with `data` in the newest shape there is.

    `version` counts the events of the stream (1, 2, ...), `position` those of the bucket; both are without gaps.
    `digest` (32 bytes) covers the stored event and the digest before it; `nonce` (16 bytes) is secret as long as
    anything in the event is.
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
    nonce: bytes = field(repr=False)


def bucket_of(stream: str) -> int:
    """Return the bucket of a stream: the first two bytes of SHA-256 of its name, modulo 256."""
    return int.from_bytes(sha256(stream.encode()).digest()[:2], "big") % BUCKETS
