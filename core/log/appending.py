"""Append: the only way into the log. One statement, whatever the number of events; one more for a new stream."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from secrets import token_bytes
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from core.log.canonical import canonical
from core.log.event import (
    EVENT_TYPE,
    STREAM_NAME,
    Actor,
    LogError,
    LostRace,
    Misuse,
    NewEvent,
    VersionConflict,
    bucket_of,
    meta_of,
    newest_schema,
)  # fmt: skip
from core.log.sealed import FORM, GENESIS, NONCE_BYTES, Sealed
from core.rows import execute, fetch_all
from core.wakeups import Channel

# Wakes the readers of the log; a message is the bucket that has new events.
signals = Channel("log", lost="no wake-up signal for readers of the log, they poll meanwhile")

_OPEN_STREAM = """
INSERT INTO log_stream (bucket, stream_id, version, digest) VALUES (%s, %s, 0, %s) ON CONFLICT DO NOTHING
"""

# It takes the stream for this transaction: a rival waits here, and then sees the version that won. Nothing is written
# at another version. The counter row is locked from here to the commit, so that positions in a bucket have the order
# of commits.
_WRITE = """
WITH RECURSIVE {saving}, stream AS (
    SELECT version, digest, current_setting('trey.log_stream', true) AS bound,
           set_config('lock_timeout', coalesce(%(patience)s::text, current_setting('lock_timeout')), true)
    FROM saved, log_stream WHERE bucket = %(bucket)s AND stream_id = %(stream)s FOR NO KEY UPDATE OF log_stream
), new AS (
    SELECT * FROM json_to_recordset(%(events)s::json) AS new (version integer, type text, seat smallint,
                                                              schema smallint, data text, nonce text, document text)
), sealed AS (
    SELECT version, digest FROM stream WHERE version = %(expected)s AND (
        coalesce(bound, '') IN ('', %(bound)s) OR split_part(bound, ' ', 1) <> split_part(%(bound)s, ' ', 1)
    )
    UNION ALL
    SELECT new.version, sha256(%(form)s || digest || decode(nonce, 'hex') || convert_to(document, 'UTF8'))
    FROM sealed JOIN new ON new.version = sealed.version + 1
), counter AS (
    UPDATE log_counter SET head = head + %(count)s WHERE bucket = %(bucket)s AND EXISTS (SELECT FROM sealed)
    RETURNING head - %(count)s AS before, set_config('trey.log_stream', %(bound)s, true)
), moved AS (
    UPDATE log_stream SET version = sealed.version, digest = sealed.digest FROM counter, sealed
    WHERE bucket = %(bucket)s AND stream_id = %(stream)s AND sealed.version = %(expected)s::integer + %(count)s
), written AS (
    INSERT INTO log_event (bucket, stream_id, version, position, type, seat, schema, data, meta, command_id,
                           recorded_at, nonce, digest)
    SELECT %(bucket)s, %(stream)s, version, before + version - %(expected)s, type, seat, schema, data::json,
           %(meta)s::json, %(command_id)s::uuid, %(recorded_at)s::timestamptz, decode(nonce, 'hex'), digest
    FROM counter, sealed JOIN new USING (version)
    RETURNING position
)
SELECT (SELECT count(*) FROM saved), version, bound, (SELECT count(*) FROM written)
FROM (SELECT) AS once LEFT JOIN stream ON true
"""


class Saving(NamedTuple):
    """The statement that saves the rows of a stream, as common table expressions for that of `append`.

    `saved` has one row if the rows were at the expected version, else none. The names of its values are its own.
    """

    sql: str = "saved AS (SELECT)"
    values: Mapping[str, Any] = {}


def append(
    stream: str,
    expected_version: int,
    events: Sequence[NewEvent],
    *,
    recorded_at: datetime,
    actor: Actor | None = None,
    reason: str | None = None,
    command_id: UUID | None = None,
    saving: Saving | None = None,
    patience: str | None = None,
) -> None:
    """Append `events` to `stream`, which must be at `expected_version` (0: no event yet); `core.log.execute` calls it.

    In transaction.atomic, as the last thing before the commit: until then it holds the counter of the stream's bucket,
    for which other writers wait, and it waits no longer than `patience` (a `lock_timeout`; None: as always). Raises
    VersionConflict (nothing was appended), LostRace, NotCanonical, Misuse.
    """
    _check_call(stream, events, recorded_at)
    bucket = bucket_of(stream)
    meta = canonical(meta_of(actor, reason))
    new = [
        Sealed(
            stream, version, event.type, event.seat, newest_schema(event.type), canonical(dict(event.data)), meta,
            command_id, recorded_at, token_bytes(NONCE_BYTES),
        )
        for version, event in enumerate(events, expected_version + 1)
    ]  # fmt: skip
    if expected_version == 0:
        execute(_OPEN_STREAM, [bucket, stream, GENESIS])
    saving = saving or Saving()
    values = {
        "bucket": bucket,
        "stream": stream,
        "expected": expected_version,
        "count": len(new),
        "command_id": command_id,
        "recorded_at": recorded_at,
        "events": json.dumps([_row(event) for event in new]),
        "meta": meta,
        "bound": _bound(stream),
        "form": FORM,
        "patience": patience,
        **saving.values,
    }
    [(saved, version, bound, written)] = fetch_all(_WRITE.format(saving=saving.sql), values)
    if not saved:
        raise LostRace(f"the rows of {stream!r} are no longer at version {expected_version}")
    if version != expected_version:
        raise VersionConflict(stream, expected_version, version or 0)
    _check_bound(stream, bound)
    if written != len(new):
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
        "document": event.document,
    }


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
