"""The single write path for every kind of stream: load, decide, evolve, save, append, in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from functools import partial
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from django.db import OperationalError, transaction
from psycopg.errors import LockNotAvailable

from core.log.appending import Saving, append
from core.log.event import Actor, Happened, LostRace, NewEvent, PendingEvent, VersionConflict, bucket_of
from core.rows import fetch_all

# The first try takes no lock. The second does, so that no rival can win again. The third follows a rebuild of rows that
# were older than their log.
TRIES = 3
# With `Lock.SKIP`: the wait for a bucket, whose writers hold it for milliseconds, and for how many seconds this process
# leaves one alone that was held for longer.
PATIENCE, REST = "300ms", 5.0
_resting: dict[int, float] = {}


class Lock(Enum):
    """The ways to load a stream that others may be writing to."""

    NONE = "none"
    """Does not lock: the save finds out. A try that loses is repeated with WAIT."""
    WAIT = "wait"
    """Waits until they are done."""
    SKIP = "skip"
    """Leaves the stream alone while somebody else holds it, or its bucket."""


class Versioned(Protocol):
    @property
    def version(self) -> int: ...


Id = TypeVar("Id", contravariant=True)  # noqa: PLC0105  the name says what it is
S = TypeVar("S", bound=Versioned)
R = TypeVar("R")
T = TypeVar("T")


class Kind(Protocol[Id, S]):
    """A kind of stream: how its state is loaded, follows from events, and is saved. Streams are `name-<id>`."""

    @property
    def name(self) -> str:
        """`game`, `tournament`, `league`: lower-case letters, digits and underscores."""

    def load(self, stream_id: Id, lock: Lock) -> S | None:
        """The current state; None if there is no such stream, or with SKIP if somebody holds it."""

    def evolve(self, state: S | None, event: Happened) -> S:
        """The state after one more event (None before the first). Copies facts and makes no decisions."""

    def save(self, before: S | None, after: S) -> Saving | None:
        """Write the rows if they are still at the version of `before` (None: there are none). Raises LostRace.

        Or return what writes them, for the statement that appends the events.
        """

    def rebuild(self, stream_id: Id) -> object: ...


@dataclass(frozen=True, slots=True)
class Decided(Generic[R]):
    """The decision of a command: its events (perhaps none) and the result for the caller.

    `after`: the state after the events, if `decide` had to compute it; `actor`: theirs, if only `decide` knows it.
    """

    events: Sequence[NewEvent]
    result: R
    after: Any = None
    actor: Actor | None = None


@dataclass(frozen=True, slots=True)
class Executed(Generic[S, R]):
    """A command that was carried out.

    All but `result` are empty if it ran before (`replayed`) or somebody else held the stream (`skipped`: no result).
    """

    before: S | None
    after: S | None
    events: Sequence[PendingEvent]
    result: R
    replayed: bool = False
    skipped: bool = False


_SKIPPED: Executed[Any, Any] = Executed(None, None, (), None, skipped=True)


class Receipt(Protocol[R]):
    def claim(self) -> R | None:
        """First in the transaction: the result, if the command was carried out before; else None."""

    def keep(self, executed: Executed[Any, R]) -> R:
        """Before the append: keep the result for a repeated command, and return it."""


def execute(
    kind: Kind[Id, S],
    stream_id: Id,
    decide: Callable[[S | None], Decided[R]],
    *,
    actor: Actor,
    now: datetime,
    command_id: UUID | None = None,
    reason: str | None = None,
    lock: Lock = Lock.NONE,
    receipt: Receipt[R] | None = None,
) -> Executed[S, R]:
    """Let `decide` judge the current state of a stream, and append the events it returns, in one transaction.

    `decide` gets None if there is no such stream yet. It may run more than once: a command that loses a race is rolled
    back and decided again on the new state. It raises an exception to refuse the command. `actor`, `reason` and
    `command_id` are stored with the events, `now` (aware) as their time. With Lock.SKIP nothing is done with a missing
    stream or one that somebody else holds; the result then is None.

    Raises what `decide` and the receipt raise, and LostRace or VersionConflict if the third try fails too.
    """

    def once(lock: Lock) -> Executed[S, Any]:
        if receipt is not None and (earlier := receipt.claim()) is not None:
            return Executed(None, None, (), earlier, replayed=True)
        before = kind.load(stream_id, lock)
        if before is None and lock is Lock.SKIP:
            return _SKIPPED
        decided = decide(before)
        stream = f"{kind.name}-{stream_id}"
        events = pending(stream, before, decided.events, now)
        after = before
        if events:
            after = decided.after if decided.after is not None else evolved(kind, before, events)
            saving = kind.save(before, after)
        executed = Executed(before, after, events, decided.result)
        if receipt is not None:
            executed = replace(executed, result=receipt.keep(executed))
        if events:
            append(
                stream,
                events[0].version - 1,
                decided.events,
                recorded_at=now,
                actor=decided.actor or actor,
                reason=reason,
                command_id=command_id,
                saving=saving,
                patience=PATIENCE if lock is Lock.SKIP else None,
            )
        return executed

    act = partial(_repeated, once, lock, rebuild=lambda: kind.rebuild(stream_id))
    return _unless_held(bucket_of(f"{kind.name}-{stream_id}"), act) if lock is Lock.SKIP else act()


def _unless_held(bucket: int, act: Callable[[], Executed[S, R]]) -> Executed[S, R]:
    """Act, unless somebody else holds the bucket: then other buckets' games need not wait for it."""
    try:
        if _resting.get(bucket, 0.0) <= monotonic():
            return act()
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
        _resting[bucket] = monotonic() + REST
    return _SKIPPED


def _repeated(once: Callable[[Lock], T], lock: Lock, *, rebuild: Callable[[], object]) -> T:
    """Try, each time in a transaction, until nobody else has written meanwhile. Raises LostRace and VersionConflict."""
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return once(lock)
        except LostRace:
            if attempt == TRIES:
                raise
        except VersionConflict:
            # The rows had not changed, yet the log is at another version: the rows are outdated.
            if attempt == TRIES:
                raise
            rebuild()
        if lock is Lock.NONE:
            lock = Lock.WAIT
    raise AssertionError("unreachable")


def pending(stream: str, before: Versioned | None, events: Sequence[NewEvent], now: datetime) -> list[PendingEvent]:
    first = (before.version if before is not None else 0) + 1
    return [
        PendingEvent(event.type, event.data, event.seat, stream=stream, version=version, recorded_at=now)
        for version, event in enumerate(events, first)
    ]


def evolved(kind: Kind[Any, S], before: S | None, events: Sequence[Happened]) -> S:
    after = before
    for event in events:
        after = kind.evolve(after, event)
    if after is None:
        raise ValueError("no events")
    return after


_RAN = "SELECT 1 FROM log_event WHERE bucket = %s AND stream_id = %s AND command_id = %s LIMIT 1"


@dataclass(frozen=True, slots=True)
class OncePerCommand:
    """A receipt by the log itself: a command whose id is in the stream is not carried out again; no result is kept."""

    stream: str
    command_id: UUID

    def claim(self) -> Any:
        return True if fetch_all(_RAN, [bucket_of(self.stream), self.stream, self.command_id]) else None

    def keep(self, executed: Executed[Any, R]) -> R:
        return executed.result
