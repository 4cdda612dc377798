"""Subscribers' checkpoints: finding new events, moving on, recording failures."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.log.event import CheckpointMoved
from core.log.reading import MATCHES, Only
from core.rows import execute, fetch_all

# The counters are the poll index: 256 rows, whatever the length of the log.
_BEHIND = """
SELECT counter.bucket, counter.head, mark.position
FROM log_counter counter
LEFT JOIN log_checkpoint mark ON mark.bucket = counter.bucket AND mark.subscriber = %s
WHERE counter.head > COALESCE(mark.position, 0)
ORDER BY counter.bucket
"""
_BEGIN = """
INSERT INTO log_checkpoint (subscriber, bucket, position, error)
SELECT %s, bucket, 0, '' FROM log_counter ON CONFLICT DO NOTHING
"""
# Skips unwanted events in all buckets at once: for a subscriber that only wants the ends of games, the moves of a
# thousand games cost one statement. A bucket stops before a wanted event and before a gap.
_SKIP = f"""
WITH behind AS (
    SELECT mark.bucket, mark.position, LEAST(counter.head, mark.position + %(window)s) AS upto, counter.head
    FROM log_checkpoint mark JOIN log_counter counter ON counter.bucket = mark.bucket
    WHERE mark.subscriber = %(name)s AND counter.head > mark.position
    FOR UPDATE OF mark SKIP LOCKED
), looked AS (
    SELECT behind.bucket, behind.position, behind.upto, behind.head,
           count(event.position) = behind.upto - behind.position AS whole,
           min(event.position) FILTER (WHERE {MATCHES}) AS wanted
    FROM behind LEFT JOIN log_event event
        ON event.bucket = behind.bucket AND event.position > behind.position AND event.position <= behind.upto
    GROUP BY behind.bucket, behind.position, behind.upto, behind.head
), moved AS (
    UPDATE log_checkpoint mark SET position = COALESCE(looked.wanted - 1, looked.upto)
    FROM looked
    WHERE mark.subscriber = %(name)s AND mark.bucket = looked.bucket AND looked.whole
          AND COALESCE(looked.wanted - 1, looked.upto) > mark.position
)
SELECT bucket, head, wanted IS NOT NULL OR NOT whole, upto < head FROM looked ORDER BY bucket
"""  # noqa: S608  constants only
_HOLD = """
SELECT bucket, position FROM log_checkpoint WHERE subscriber = %s AND bucket = ANY(%s)
ORDER BY bucket FOR UPDATE SKIP LOCKED
"""
_MOVE = """
UPDATE log_checkpoint mark SET position = moved.after, failing_since = NULL, error = ''
FROM unnest(%(buckets)s::int[], %(before)s::bigint[], %(after)s::bigint[]) AS moved (bucket, before, after)
WHERE mark.subscriber = %(name)s AND mark.bucket = moved.bucket AND mark.position = moved.before
"""
_FAILED = """
UPDATE log_checkpoint SET failing_since = COALESCE(failing_since, statement_timestamp()), error = %s
WHERE subscriber = %s AND bucket = %s AND position = %s
"""
_LAG = """
SELECT subscriber.name, sum(counter.head - COALESCE(mark.position, 0)), min(next.recorded_at),
       count(mark.failing_since)
FROM unnest(%s::text[]) WITH ORDINALITY AS subscriber (name, place)
CROSS JOIN log_counter counter
LEFT JOIN log_checkpoint mark ON mark.subscriber = subscriber.name AND mark.bucket = counter.bucket
LEFT JOIN log_event next ON next.bucket = counter.bucket AND next.position = COALESCE(mark.position, 0) + 1
GROUP BY subscriber.name, subscriber.place ORDER BY subscriber.place
"""
# The number of positions in each bucket that one statement looks at.
_WINDOW = 5_000
_STUCK = """
SELECT subscriber, bucket, failing_since, error FROM log_checkpoint WHERE failing_since IS NOT NULL
ORDER BY failing_since LIMIT 10
"""
_LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Lag:
    """How far a subscriber is behind: events not handled yet, the time of the oldest, buckets that are stuck."""

    subscriber: str
    events: int
    waiting_since: datetime | None
    stuck: int

    def age(self, now: datetime) -> timedelta:
        return timedelta() if self.waiting_since is None else max(now - self.waiting_since, timedelta())


def lags(subscribers: Sequence[str]) -> list[Lag]:
    rows = fetch_all(_LAG, [list(subscribers)])
    return [Lag(name, int(events), since, stuck) for name, events, since, stuck in rows]


@dataclass(frozen=True, slots=True)
class StuckBucket:
    subscriber: str
    bucket: int
    since: datetime
    error: str


def stuck_buckets() -> list[StuckBucket]:
    return [StuckBucket(*row) for row in fetch_all(_STUCK)]


def behind(subscriber: str) -> dict[int, int]:
    """The buckets that have news, each with the log's last position there. Makes the subscriber's checkpoints."""
    rows = fetch_all(_BEHIND, [subscriber])
    if any(position is None for _, _, position in rows):
        execute(_BEGIN, [subscriber])
    return {bucket: head for bucket, head, _ in rows}


def skip_unwanted(subscriber: str, only: Only) -> dict[int, int]:
    """Move every bucket up to its next wanted event; return the buckets with such an event or a gap, as above."""
    while True:
        rows = fetch_all(_SKIP, {"name": subscriber, "window": _WINDOW, **only.parameters})
        if not any(further and not wanted for _, _, wanted, further in rows):
            return {bucket: head for bucket, head, wanted, _ in rows if wanted}


def hold(subscriber: str, buckets: Collection[int]) -> dict[int, int]:
    """Lock buckets for this transaction and return their checkpoints, without those that another worker has."""
    return dict(fetch_all(_HOLD, [subscriber, list(buckets)]))


def move(subscriber: str, before: Mapping[int, int], after: Mapping[int, int]) -> None:
    """Move the checkpoints of buckets by compare-and-set. Raises CheckpointMoved."""
    values: dict[str, Any] = {
        "name": subscriber,
        "buckets": list(after),
        "before": [before[bucket] for bucket in after],
        "after": list(after.values()),
    }
    if execute(_MOVE, values) != len(after):
        raise CheckpointMoved(f"{subscriber!r}: the checkpoints of {sorted(after)} are no longer where they were")


def write_down_failure(subscriber: str, bucket: int, position: int, error: Exception) -> None:
    """Record that the bucket is stuck at a position until it moves, if it is there still."""
    execute(_FAILED, [f"{type(error).__name__}: {error}"[:_LONGEST_ERROR], subscriber, bucket, position])
