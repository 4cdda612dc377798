"""Following the log in a separate process (`manage.py follow`), one subscriber after the other."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event as Stop
from time import monotonic

from django.db import DatabaseError, close_old_connections

from core.log.appending import signals
from core.log.subscriber import Subscriber
from core.wakeups import Listener

# The time (seconds) that a subscriber that is far behind may run before the others get a turn.
TURN = 2.0
# A burst of signals counts as one, and a look, which costs the same for one event as for twenty, begins so long after
# the one before at the earliest.
GATHER, APART = 0.02, 0.2
# A failed bucket is retried after one second, then two, four, ...
FIRST_REST, LONGEST_REST = 1.0, 60.0

logger = logging.getLogger(__name__)


@dataclass
class _Rest:
    seconds: float
    until: float


@dataclass
class Follower:
    subscribers: Sequence[Subscriber]
    first_rest: float = FIRST_REST
    _rests: dict[tuple[str, int], _Rest] = field(default_factory=dict)

    def follow(self, stop: Stop, poll_seconds: float = 1.0) -> None:
        """Follow until `stop` is set: woken by Redis, and polling every `poll_seconds` regardless."""
        listener = Listener(signals, stop)
        listener.wait(0)  # listen before the first look, so that no signal is missed
        try:
            while not stop.is_set():
                close_old_connections()
                began = monotonic()
                if self.look():
                    continue
                listener.wait(self._pause(poll_seconds))
                stop.wait(max(GATHER, began + APART - monotonic()))
        finally:
            listener.close()

    def look(self) -> bool:
        """Let every subscriber handle new events; return whether any has more to do."""
        unfinished = False
        for subscriber in self.subscribers:
            try:
                look = subscriber.look(self._resting(subscriber.name), TURN)
            except DatabaseError:
                logger.exception("subscriber %s cannot read the log", subscriber.name)
                continue
            unfinished = unfinished or look.unfinished
            for bucket, error in look.failures.items():
                self._let_rest(subscriber.name, bucket)
                logger.error(
                    "subscriber %s is stuck in bucket %s and tries again: %s",
                    subscriber.name,
                    bucket,
                    error,
                    exc_info=error,
                )
        return unfinished

    def _pause(self, poll_seconds: float) -> float:
        """Return the seconds to wait for a signal: until the next poll or the next retry."""
        now = monotonic()
        return min([poll_seconds, *(rest.until - now for rest in self._rests.values() if rest.until > now)])

    def _resting(self, name: str) -> set[int]:
        now = monotonic()
        return {bucket for (whose, bucket), rest in self._rests.items() if whose == name and rest.until > now}

    def _let_rest(self, name: str, bucket: int) -> None:
        now, last = monotonic(), self._rests.get((name, bucket))
        # Long after the last failure it counts as a new one.
        again = last is not None and now < last.until + LONGEST_REST
        seconds = min(last.seconds * 2, LONGEST_REST) if last is not None and again else self.first_rest
        self._rests[name, bucket] = _Rest(seconds, now + seconds)
