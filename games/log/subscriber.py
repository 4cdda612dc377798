"""Subscribers: whoever reacts to the log, each event once, in the order of its bucket, across crashes."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event as Stop

from django.db import close_old_connections, connection, transaction

from games.log.errors import LogError
from games.log.event import Event
from games.log.reading import tail
from games.log.wake import Listener

# The counters are the poll index: 256 rows, whatever the length of the log.
_BEHIND = """
SELECT counter.bucket, mark.position
FROM log_counter counter
LEFT JOIN log_checkpoint mark ON mark.bucket = counter.bucket AND mark.subscriber = %s
WHERE counter.head > COALESCE(mark.position, 0)
ORDER BY counter.bucket
"""
_BEGIN = """
INSERT INTO log_checkpoint (subscriber, bucket, position) SELECT %s, unnest(%s::smallint[]), 0 ON CONFLICT DO NOTHING
"""
_HOLD = "SELECT position FROM log_checkpoint WHERE subscriber = %s AND bucket = %s FOR UPDATE SKIP LOCKED"
_MOVE = "UPDATE log_checkpoint SET position = %s WHERE subscriber = %s AND bucket = %s AND position = %s"

logger = logging.getLogger(__name__)


class CheckpointMoved(LogError):  # noqa: N818  named after what happened
    """Somebody else moved the checkpoint of a bucket that this worker holds: nothing of the batch was kept."""


@dataclass(frozen=True)
class Subscriber:
    """Feeds every event of the log to `handler`, in gap-free order within a bucket (so within a stream).

    `name` names the checkpoints and never changes. `handler` gets one Event after the other, inside a transaction
    that also moves the checkpoint: what it writes to this database is there exactly once. What it does elsewhere (mail,
    Redis) may be done again after a crash, so it writes down what is to be done instead. An error in it keeps the
    bucket where it is, and comes again until it is mended. It may append, to one stream only.

    `batch` is the largest number of events in one transaction.
    """

    name: str
    handler: Callable[[Event], None]
    batch: int = 200

    def catch_up(self) -> int:
        """Handle all that is in the log now and return how many events that were.

        Buckets that another worker holds are left to it.

        A bucket whose handler fails does not stop the others; the errors come at the end, as one ExceptionGroup.
        Must not be called inside a transaction.
        """
        done = 0
        errors: list[Exception] = []
        for bucket, _ in self.behind():
            try:
                handled = self.batch
                while handled == self.batch:
                    handled = self._handle_batch(bucket)
                    done += handled
            except Exception as error:  # noqa: BLE001  whatever it is, it is raised below, after the other buckets
                error.add_note(f"subscriber {self.name!r} stays where it was in bucket {bucket}")
                errors.append(error)
        if errors:
            raise ExceptionGroup(f"subscriber {self.name!r} failed in {len(errors)} of the log's buckets", errors)
        return done

    def follow(self, stop: Stop, poll_seconds: float = 1.0) -> None:
        """Keep up with the log until `stop` is set: woken by Redis, and looking every `poll_seconds` without it.

        Errors of handlers are logged, and tried again at the next look.
        """
        listener = Listener(stop)
        listener.wait(0)  # listening before the first look, so that nothing falls in between
        try:
            while not stop.is_set():
                close_old_connections()
                try:
                    self.catch_up()
                except* Exception:
                    logger.exception("subscriber %s could not handle all events", self.name)
                listener.wait(poll_seconds)
        finally:
            listener.close()

    def lag(self) -> int:
        """Return how many events of the log are not handled yet."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT COALESCE((SELECT sum(head) FROM log_counter), 0)"
                " - COALESCE((SELECT sum(position) FROM log_checkpoint WHERE subscriber = %s), 0)",
                [self.name],
            )
            return int(cursor.fetchone()[0])

    def behind(self) -> list[tuple[int, int]]:
        """Return the buckets that have news, and the position handled last in each; read off the counters alone."""
        with connection.cursor() as cursor:
            cursor.execute(_BEHIND, [self.name])
            rows = cursor.fetchall()
            if new := [bucket for bucket, position in rows if position is None]:
                cursor.execute(_BEGIN, [self.name, new])
        return [(bucket, position or 0) for bucket, position in rows]

    def handle(self, bucket: int, position: int) -> int:
        """Inside the caller's transaction, handle one batch behind `position` and move the checkpoint from there."""
        events = tail(bucket, position, self.batch)
        if not events:
            return 0
        for event in events:
            self.handler(event)
        with connection.cursor() as cursor:
            cursor.execute(_MOVE, [events[-1].position, self.name, bucket, position])
            if cursor.rowcount != 1:
                raise CheckpointMoved(f"{self.name!r}, bucket {bucket}: the checkpoint is no longer at {position}")
        return len(events)

    def _handle_batch(self, bucket: int) -> int:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute(_HOLD, [self.name, bucket])
            row = cursor.fetchone()
            return 0 if row is None else self.handle(bucket, row[0])
