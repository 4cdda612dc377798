"""Append: the only way into the log. Two statements, whatever the number of events."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from secrets import token_bytes
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from core.log.canonical import canonical
from core.log.event import (
    EVENT_TYPE,
    STREAM_NAME,
    Actor,
    LogError,
    Misuse,
    NewEvent,
    VersionConflict,
    bucket_of,
    meta_of,
    newest_schema,
)  # fmt: skip
from core.log.sealed import GENESIS, NONCE_BYTES, Sealed
from core.rows import execute
from core.wakeups import Channel

# Wakes the readers of the log; a message is the bucket that has new events.
signals = Channel("log", lost="no wake-up signal for readers of the log, they poll meanwhile")

# Both take the stream for this transaction: a rival waits here, and then sees the version that won.
_OPEN_STREAM = """
INSERT INTO log_stream (bucket, stream_id, version, digest) VALUES (%s, %s, 0, %s)
ON CONFLICT DO NOTHING
RETURNING version, digest, current_setting('trey.log_stream', true)
"""
_TAKE_STREAM = """
SELECT version, digest, current_setting('trey.log_stream', true)
FROM log_stream WHERE bucket = %s AND stream_id = %s FOR NO KEY UPDATE
"""
_VERSION = "SELECT version FROM log_stream WHERE bucket = %s AND stream_id = %s"

# The counter row is locked from here to the commit, so that positions in a bucket have the order of commits.
_WRITE = """
WITH counter AS (
    UPDATE log_counter SET head = head + %(count)s WHERE bucket = %(bucket)s
    RETURNING head - %(count)s AS before, set_config('trey.log_stream', %(bound)s, true)
), stream AS (
    UPDATE log_stream SET version = %(version)s, digest = %(digest)s
    WHERE bucket = %(bucket)s AND stream_id = %(stream)s
)
INSERT INTO log_event (bucket, stream_id, version, position, type, seat, schema, data, meta, command_id, recorded_at,
                       nonce, digest)
SELECT %(bucket)s, %(stream)s, new.version, before + new.version - %(expected)s, new.type, new.seat, new.schema,
       new.data::json, %(meta)s::json, %(command_id)s::uuid, %(recorded_at)s::timestamptz,
       decode(new.nonce, 'hex'), decode(new.digest, 'hex')
FROM counter, json_to_recordset(%(events)s::json) AS new (version integer, type text, seat smallint, schema smallint,
                                                    data text, nonce text, digest text)
RETURNING position
"""


def append(
    stream: str,
    expected_version: int,
    events: Sequence[NewEvent],
    *,
    recorded_at: datetime,
    actor: Actor | None = None,
    reason: str | None = None,
    command_id: UUID | None = None,
) -> None:
    """Append `events` to `stream`, which must be at `expected_version` (0: no event yet); `core.log.execute` calls it.

    In transaction.atomic, as the last thing before the commit: until then it holds the counter of the stream's bucket,
    for which other writers wait. Raises VersionConflict (nothing was written), NotCanonical, Misuse.
    """
    _check_call(stream, events, recorded_at)
    bucket = bucket_of(stream)
    meta = canonical(meta_of(actor, reason))
    texts = [canonical(dict(event.data)) for event in events]
    with connection.cursor() as cursor:
        previous = _take(cursor, bucket, stream, expected_version)
        sealed: list[Sealed] = []
        for version, (new, data) in enumerate(zip(events, texts, strict=True), expected_version + 1):
            one = Sealed(
                stream, version, new.type, new.seat, newest_schema(new.type), data, meta, command_id, recorded_at,
                token_bytes(NONCE_BYTES),
            )  # fmt: skip
            previous = one.digest_after(previous)
            sealed.append(replace(one, digest=previous))
        cursor.execute(
            _WRITE,
            {
                "bucket": bucket,
                "stream": stream,
                "expected": expected_version,
                "count": len(sealed),
                "version": sealed[-1].version,
                "digest": previous,
                "command_id": command_id,
                "recorded_at": recorded_at,
                "events": json.dumps([_row(event) for event in sealed]),
                "meta": meta,
                "bound": _bound(stream),
            },
        )
        written = len(cursor.fetchall())
    if written != len(sealed):
        raise LogError(f"the counter of bucket {bucket} is missing; run `manage.py migrate`, which restores it")
    # robust: readers also poll, so a failed signal must not raise an error after the commit.
    transaction.on_commit(partial(signals.publish, bucket), robust=True)


def _row(event: Sealed) -> dict[str, Any]:
    return {
        "version": event.version,
        "type": event.type,
        "seat": event.seat,
        "schema": event.schema,
        "data": event.data,
        "nonce": event.nonce.hex(),
        "digest": event.digest.hex(),
    }


def _take(cursor: CursorWrapper, bucket: int, stream: str, expected: int) -> bytes:
    """Hold the stream at the expected version until the end of the transaction; return the digest of its last event."""
    if expected == 0:
        cursor.execute(_OPEN_STREAM, [bucket, stream, GENESIS])
    else:
        cursor.execute(_TAKE_STREAM, [bucket, stream])
    row = cursor.fetchone()
    if row is None and expected == 0:
        cursor.execute(_VERSION, [bucket, stream])
        row = cursor.fetchone()
        # A rival's row is a conflict even if the isolation level hides it from this transaction.
        raise VersionConflict(stream, expected, row[0] if row else 1)
    version, digest, bound = row or (0, GENESIS, None)
    if version != expected:
        raise VersionConflict(stream, expected, version)
    _check_bound(stream, bound)
    return bytes(digest)


def _check_bound(stream: str, bound: str | None) -> None:
    """Refuse a second stream in one transaction, and any stream in a projection's."""
    scope, _, held = (bound or "").partition(" ")
    if not held or scope != _scope() or held == stream:
        return
    if held.startswith(NO_APPENDS):
        raise Misuse(f"{held.removeprefix(NO_APPENDS)!r} is a projection: it never appends")
    raise Misuse(f"this transaction appended to {held!r} already: one transaction writes to one stream")


NO_APPENDS = "no-appends:"


def forbid_appends(name: str) -> None:
    """For the rest of this transaction, the projection `name`'s, refuse every append."""
    execute("SELECT set_config('trey.log_stream', %s, true)", [_bound(NO_APPENDS + name)])


def _bound(stream: str) -> str:
    scope = _scope()
    return "" if scope is None else f"{scope} {stream}"


def _scope() -> str | None:
    """The name of this transaction of the service within PostgreSQL's, which tests replace; None: nothing is bound."""
    return "-"


def _check_call(stream: str, events: Sequence[NewEvent], recorded_at: datetime) -> None:
    if not connection.in_atomic_block:
        raise Misuse("append needs a transaction: call it inside transaction.atomic()")
    if not STREAM_NAME.fullmatch(stream):
        raise Misuse(f"{stream!r} cannot name a stream: it is like 'game-1', in lower case, 128 characters at most")
    if recorded_at.utcoffset() is None:
        raise Misuse("recorded_at needs a time zone")
    for event in events:
        if not EVENT_TYPE.fullmatch(event.type):
            raise Misuse(
                f"{event.type!r} cannot name a type of event: it is like 'game.joined', in lower case, 64 at most"
            )
