"""The digest of an event. Its form, byte by byte, is in docs/log.md and must never change under the name below."""

from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

from core.log.canonical import canonical

FORM = b"trey-log/1\n"
GENESIS = bytes(32)
NONCE_BYTES = 16


def time_text(moment: datetime) -> str:
    """Return the moment in UTC with exactly six fractional digits: 2026-11-21T08:00:00.000000Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def digest_of(
    previous: bytes,
    nonce: bytes,
    *,
    stream: str,
    version: int,
    event_type: str,
    seat: int | None,
    schema: int,
    data: str,
    meta: str,
    command_id: UUID | None,
    recorded_at: datetime,
) -> bytes:
    """Return the SHA-256 digest (32 bytes) of one event.

    `data` and `meta` are the canonical texts as stored: they are hashed as they are, so a changed byte shows even if
    the JSON value is the same. The keys below stand in canonical order, so the whole is canonical JSON.
    """
    command = "null" if command_id is None else f'"{command_id}"'
    document = (
        f'{{"at":"{time_text(recorded_at)}",'
        f'"command":{command},'
        f'"data":{data},'
        f'"meta":{meta},'
        f'"schema":{schema},'
        f'"seat":{"null" if seat is None else seat},'
        f'"stream":{canonical(stream)},'
        f'"type":{canonical(event_type)},'
        f'"version":{version}}}'
    )
    return sha256(FORM + previous + nonce + document.encode()).digest()
