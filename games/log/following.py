"""Following the log in a process of its own (`manage.py follow`): all subscribers, one after the other."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event as Stop
from time import monotonic

from django.db import DatabaseError, close_old_connections

from games.log.subscriber import Subscriber
from games.log.wake import Listener

# A subscriber that is far behind lets the others have a turn after so many seconds.
TURN = 2.0
# A burst of signals is one piece of news.
GATHER = 0.02
# A bucket that fails is tried again after a second, then after two, four, ...
FIRST_REST, LONGEST_REST = 1.0, 60.0

logger = logging.getLogger(__name__)


@dataclass
class _Rest:
    """A bucket of a subscriber that failed, and until when it is left alone."""

    seconds: float
    until: float


@dataclass
class Follower:
    """Keeps subscribers up with the log."""

    subscribers: Sequence[Subscriber]
    first_rest: float = FIRST_REST
    _rests: dict[tuple[str, int], _Rest] = field(default_factory=dict)

    def follow(self, stop: Stop, poll_seconds: float = 1.0) -> None:
        """Keep up until `stop` is set: woken by Redis, and looking every `poll_seconds` without it."""
        listener = Listener(stop)
        listener.wait(0)  # listening before the first look, so that nothing falls in between
        try:
            while not stop.is_set():
                close_old_connections()
                if self.look():
                    continue
                listener.wait(self._pause(poll_seconds))
                stop.wait(GATHER)
        finally:
            listener.close()

    def look(self) -> bool:
        """Let every subscriber handle what is new; return whether one of them has more to do."""
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
        """How long to wait for a signal: until the next poll, or until a bucket that failed is tried again."""
        now = monotonic()
        return min([poll_seconds, *(rest.until - now for rest in self._rests.values() if rest.until > now)])

    def _resting(self, name: str) -> set[int]:
        now = monotonic()
        return {bucket for (whose, bucket), rest in self._rests.items() if whose == name and rest.until > now}

    def _let_rest(self, name: str, bucket: int) -> None:
        now, last = monotonic(), self._rests.get((name, bucket))
        # Long after its last rest it is a new failure.
        again = last is not None and now < last.until + LONGEST_REST
        seconds = min(last.seconds * 2, LONGEST_REST) if last is not None and again else self.first_rest
        self._rests[name, bucket] = _Rest(seconds, now + seconds)
