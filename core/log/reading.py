"""Reading the log: a stream by versions, a bucket by positions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from core.log.event import Event, Gap, bucket_of, in_newest_shape
from core.rows import fetch_all

# An event as a JSON array in the order of its fields: msgspec decodes one in half the time that psycopg and Python take
# to make it of columns.
_EVENT = """json_build_array(
    event.stream_id, event.version, event.type, event.seat, event.data, event.schema, event.meta, event.command_id,
    event.recorded_at, event.bucket, event.position, encode(event.digest, 'base64'), encode(event.nonce, 'base64')
)::text"""
_STREAM = f"""
SELECT {_EVENT} FROM log_event event
WHERE bucket = %(bucket)s AND stream_id = %(stream)s AND version > %(after)s AND version <= %(upto)s
  AND (%(types)s::text[] IS NULL OR type = ANY (%(types)s)) ORDER BY version
"""  # noqa: S608  constants only
_STREAMS = f"""
SELECT {_EVENT}
FROM unnest(%(buckets)s::int[], %(streams)s::text[], %(after)s::int[]) AS wanted (bucket, stream, after)
JOIN log_event event
    ON event.bucket = wanted.bucket AND event.stream_id = wanted.stream AND event.version > wanted.after
ORDER BY event.stream_id, event.version
"""  # noqa: S608  constants only
MATCHES = """(%(kinds)s::text[] IS NULL OR split_part(event.stream_id, '-', 1) = ANY (%(kinds)s))
         AND (%(types)s::text[] IS NULL OR event.type = ANY (%(types)s))"""
# Only the position of unwanted events is read, to prove that there is no gap.
_BUCKETS = f"""
SELECT event.bucket, event.position, CASE WHEN {MATCHES} THEN {_EVENT} END
FROM unnest(%(buckets)s::int[], %(after)s::bigint[]) AS mark (bucket, position)
CROSS JOIN LATERAL (
    SELECT * FROM log_event WHERE log_event.bucket = mark.bucket AND log_event.position > mark.position
    ORDER BY log_event.position LIMIT %(limit)s
) event
ORDER BY event.bucket, event.position LIMIT %(limit)s
"""  # noqa: S608  constants only

_DIGEST = "SELECT digest FROM log_event WHERE bucket = %s AND stream_id = %s AND version = %s"
_NEWEST = """
SELECT event.stream_id FROM log_counter counter
JOIN log_event event ON event.bucket = counter.bucket AND event.position > counter.head - %s
GROUP BY event.stream_id ORDER BY max(event.recorded_at) DESC, event.stream_id LIMIT %s
"""

_LAST = 2**31 - 1
_decoder = msgspec.json.Decoder(Event)


@dataclass(frozen=True, slots=True)
class Only:
    """The events a reader wants: of these kinds of stream and types; None means all."""

    kinds: Collection[str] | None = None
    types: Collection[str] | None = None

    @property
    def parameters(self) -> dict[str, list[str] | None]:
        return {
            "kinds": None if self.kinds is None else sorted(self.kinds),
            "types": None if self.types is None else sorted(self.types),
        }


EVERYTHING = Only()


def read(stream: str, after: int = 0, upto: int | None = None, *, types: Collection[str] | None = None) -> list[Event]:
    """The events of `stream` with after < version <= upto, in order. Raises Gap, but not with `types`."""
    events = events_in(fetch_all(*statement(stream, after, upto, types=types)))
    if types is None:
        _check_gapless(stream, after, events)
    return events


def read_all(streams: Mapping[str, int]) -> dict[str, list[Event]]:
    """Return the events of several streams, each after a version, in their newest shape. One query. Raises Gap."""
    found: dict[str, list[Event]] = {stream: [] for stream in streams}
    values: dict[str, Any] = {
        "buckets": [bucket_of(stream) for stream in streams],
        "streams": list(streams),
        "after": list(streams.values()),
    }
    for event in events_in(fetch_all(_STREAMS, values)):
        found[event.stream].append(event)
    for stream, after in streams.items():
        _check_gapless(stream, after, found[stream])
    return found


def digest_at(stream: str, version: int) -> str:
    """The digest, in hexadecimal digits, of the event at a version; "" if there is none.

    It stands for the stream up to that version, which a version alone does not: a restore may lose the last events.
    """
    rows = fetch_all(_DIGEST, [bucket_of(stream), stream, version])
    return bytes(rows[0][0]).hex() if rows else ""


def statement(
    stream: str, after: int = 0, upto: int | None = None, *, types: Collection[str] | None = None
) -> tuple[str, dict[str, Any]]:
    """The SQL of `read` with its values, for a reader with its own connection; `events_in` reads the rows."""
    return _STREAM, {
        "bucket": bucket_of(stream),
        "stream": stream,
        "after": after,
        "upto": _LAST if upto is None else upto,
        "types": None if types is None else sorted(types),
    }


def events_in(rows: Iterable[tuple[Any, ...]]) -> list[Event]:
    return [_event(text) for (text,) in rows]


def _check_gapless(stream: str, after: int, events: Iterable[Event]) -> None:
    for expected, event in enumerate(events, max(after, 0) + 1):
        if event.version != expected:
            raise Gap(f"stream {stream!r} has no version {expected}: the next one stored is {event.version}")


def tails(
    after: Mapping[int, int], limit: int = 500, *, only: Only = EVERYTHING, most: int | None = None
) -> tuple[list[Event], dict[int, int]]:
    """The next events of several buckets, each after a position, `limit` in all, and the positions to continue from.

    Of those that `only` wants, at most `most` are returned, bucket by bucket. Raises Gap if a position is missing.
    """
    values: dict[str, Any] = {
        "buckets": list(after), "after": list(after.values()), "limit": limit, **only.parameters,
    }  # fmt: skip
    events: list[Event] = []
    reached: dict[int, int] = {}
    for bucket, position, text in fetch_all(_BUCKETS, values):
        expected = reached.get(bucket, after[bucket]) + 1
        if position != expected:
            raise Gap(f"bucket {bucket} has no position {expected}: the next one stored is {position}")
        reached[bucket] = position
        if text is not None:
            events.append(_event(text))
            if len(events) == most:
                break
    return events, reached


def newest_streams(count: int) -> list[str]:
    """Return the names of about the last `count` streams that were written, newest first."""
    # A bucket holds few of them. More than its share is read, since they are spread unevenly and a stream has many
    # events.
    return [stream for (stream,) in fetch_all(_NEWEST, [max(4, count // 8), count])]


def _event(text: str) -> Event:
    return in_newest_shape(_decoder.decode(text))
