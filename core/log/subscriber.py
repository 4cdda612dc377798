"""Subscribers: they handle each event of the log once, in the order of its bucket, across crashes.

A *projection* gets batches and writes rows. A *reactor* gets one event per transaction and may append to one stream; a
*batch reactor* gets batches, too, and never appends.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from threading import Event as Stop
from time import monotonic
from typing import Any
from uuid import UUID, uuid5

from django.db import DatabaseError, close_old_connections, transaction

from core.log import checkpoints
from core.log.appending import forbid_appends, signals
from core.log.event import Actor, Event, Gap
from core.log.executing import Decided, Executed, Id, Kind, Lock, OncePerCommand, R, S, execute
from core.log.reading import Only, tails
from core.wakeups import Listener

# Namespace of command ids, each derived from reactor and event, so that a repeated delivery causes the same command.
COMMANDS = UUID("6f1e4f0e-54f1-5c0f-9b57-0a0f8b1d2c3e")

# The number of unwanted events that a reactor skips in one step.
_WINDOW = 500


@dataclass(slots=True)
class Look:
    """One look for new events: how many were handled, the failures by bucket, and whether time ran out."""

    handled: int = 0
    failures: dict[int, Exception] = field(default_factory=dict)
    unfinished: bool = False


@dataclass(frozen=True)
class Subscriber(ABC):
    """Follows the log under a name, which never changes; of it, only events of these `kinds` of stream and `types`."""

    name: str
    kinds: Collection[str] | None = None
    types: Collection[str] | None = None

    @property
    def only(self) -> Only:
        return Only(self.kinds, self.types)

    def catch_up(self) -> int:
        """Handle all that is in the log now, outside a transaction; return the number of events.

        Buckets that another worker holds are skipped. Failures are raised at the end, as one ExceptionGroup.
        """
        look = self.look()
        if look.failures:
            raise ExceptionGroup(
                f"subscriber {self.name!r} failed in {len(look.failures)} of the log's buckets",
                list(look.failures.values()),
            )
        return look.handled

    def look(self, leave_out: Collection[int] = (), seconds: float | None = None) -> Look:
        """Handle new events for about `seconds` at most, except in `leave_out`. Failures are returned, and recorded."""
        look = Look()
        ends = None if seconds is None else monotonic() + seconds
        buckets = checkpoints.behind(self.name)
        if buckets and (self.kinds is not None or self.types is not None):
            buckets = checkpoints.skip_unwanted(self.name, self.only)
        buckets = {bucket: head for bucket, head in buckets.items() if bucket not in leave_out}
        if buckets and self._handle_together(buckets, ends, look):
            return look
        for bucket, head in buckets.items():
            if ends is not None and monotonic() > ends:
                look.unfinished = True
                break
            self._handle_bucket(bucket, head, ends, look)
        return look

    def _handle_together(self, buckets: Mapping[int, int], ends: float | None, look: Look) -> bool:  # noqa: ARG002
        """Handle several buckets in one transaction, if this subscriber can; return False if it cannot."""
        return False

    def _handle_bucket(self, bucket: int, head: int, ends: float | None, look: Look) -> None:
        """Handle events up to position `head`, one transaction at a time, until the time is up."""
        position, held = 0, None
        while position < head and (ends is None or monotonic() <= ends):
            try:
                with transaction.atomic(durable=True):
                    held = checkpoints.hold(self.name, [bucket]).get(bucket)
                    if held is None:
                        return  # Another worker has it.
                    handled, position = self.handle(bucket, held) if held < head else (0, held)
                    if position < head and position == held:
                        raise Gap(f"bucket {bucket} has no position {held + 1}, though its counter is at {head}")
            except Exception as error:  # noqa: BLE001  any error stops this bucket only, and is returned
                error.add_note(f"subscriber {self.name!r} stays where it was in bucket {bucket}")
                look.failures[bucket] = error
                if held is not None:
                    checkpoints.write_down_failure(self.name, bucket, held, error)
                return
            look.handled += handled

    @abstractmethod
    def handle(self, bucket: int, position: int) -> tuple[int, int]:
        """In the caller's transaction, handle the next events after `position` and move the checkpoint.

        Return the number of events handled and the new position.
        """


@dataclass(frozen=True)
class Projection(Subscriber):
    """Makes rows out of events: `handler` gets lists of events, all of one bucket, in order; it never appends.

    Its rows and its checkpoint are one transaction. `batch` is the most positions that one transaction passes.
    """

    handler: Callable[[Sequence[Event]], None] = field(kw_only=True)
    batch: int = field(default=500, kw_only=True)

    def handle(self, bucket: int, position: int) -> tuple[int, int]:
        events, after = tails({bucket: position}, self.batch, only=self.only)
        if events:
            forbid_appends(self.name)
            self.handler(events)
        if after:
            checkpoints.move(self.name, {bucket: position}, after)
        return len(events), after.get(bucket, position)


@dataclass(frozen=True)
class Delivery:
    """One event for one reactor, with the id of the command it causes."""

    event: Event
    reactor: str

    @property
    def command_id(self) -> UUID:
        """The same for every delivery of the event; also a good primary key for a row that is written."""
        return uuid5(COMMANDS, f"{self.reactor} {self.event.stream} {self.event.version}")

    def execute(
        self,
        kind: Kind[Id, S],
        stream_id: Id,
        decide: Callable[[S | None], Decided[R]],
        *,
        now: datetime,
        reason: str | None = None,
    ) -> Executed[S, Any]:
        """`core.log.execute` on behalf of the reactor, once: does nothing if the stream has this command."""
        return execute(
            kind,
            stream_id,
            decide,
            actor=Actor("reactor", self.reactor),
            now=now,
            command_id=self.command_id,
            reason=reason,
            lock=Lock.WAIT,
            receipt=OncePerCommand(f"{kind.name}-{stream_id}", self.command_id),
        )


@dataclass(frozen=True)
class Reactor(Subscriber):
    """Acts on events: `handler` gets one delivery per transaction, in which it may append to one stream."""

    handler: Callable[[Delivery], None] = field(kw_only=True)

    def handle(self, bucket: int, position: int) -> tuple[int, int]:
        events, after = tails({bucket: position}, _WINDOW, only=self.only, most=1)
        if after:
            # Before the handler: an append is the last thing in a transaction.
            checkpoints.move(self.name, {bucket: position}, after)
        for event in events:
            self.handler(Delivery(event, self.name))
        return len(events), after.get(bucket, position)


@dataclass(frozen=True)
class BatchReactor(Projection):
    """Acts on many events at once, of several buckets, each in order; it never appends.

    If the handler fails, each bucket is handled separately.
    """

    def _handle_together(self, buckets: Mapping[int, int], ends: float | None, look: Look) -> bool:
        """Handle one batch after the other, until nothing is left or the time is up."""
        left = dict(buckets)
        try:
            while left:
                if ends is not None and monotonic() > ends:
                    look.unfinished = True
                    break
                # Each has at least one event; what a batch cannot reach is left to other workers.
                heads = dict(islice(left.items(), self.batch))
                handled, reached = self._handle_batch(heads)
                look.handled += handled
                for bucket, head in heads.items():
                    if reached.get(bucket, head) >= head:
                        del left[bucket]
        except Exception:  # noqa: BLE001  handling buckets separately shows which one it is
            return False
        return True

    def _handle_batch(self, heads: Mapping[int, int]) -> tuple[int, Mapping[int, int]]:
        """Handle one batch in one transaction; return the number of events handled, and the buckets' new positions."""
        with transaction.atomic(durable=True):
            before = checkpoints.hold(self.name, heads)
            events, after = tails(before, self.batch, only=self.only)
            if not after and any(position < heads[bucket] for bucket, position in before.items()):
                raise Gap(f"positions of the buckets {sorted(before)} are missing, though their counters are further")
            if events:
                forbid_appends(self.name)
                self.handler(events)
            checkpoints.move(self.name, before, after)
        return len(events), {**before, **after}


# The time (seconds) that a subscriber that is far behind may run before the others get a turn.
TURN = 2.0
# A burst of signals counts as one, and a look, which costs the same for one event as for twenty, begins so long after
# the one before at the earliest.
GATHER, APART = 0.02, 0.2
# Seconds between two polls as long as signals come: one may be lost.
RARELY = 5.0
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
        """Follow until `stop` is set: woken by Redis, and polling every `poll_seconds` without it."""
        listener = Listener(signals, stop)
        listener.wait(0)  # listen before the first look, so that no signal is missed
        try:
            while not stop.is_set():
                close_old_connections()
                began = monotonic()
                if self.look():
                    continue
                poll = max(poll_seconds, RARELY) if listener.listens else poll_seconds
                listener.wait(self._pause(poll))
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
