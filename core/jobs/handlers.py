"""Pieces of work, the handlers of each kind, and when a failed piece is tried again.

An app registers its handlers in modules that its `AppConfig.ready` imports.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import UUID

if TYPE_CHECKING:
    from core.jobs.models import Work


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of work. `tries` counts the tries that failed before this one."""

    id: int
    kind: str
    key: str
    lane: str
    data: Mapping[str, Any]
    due_at: datetime
    queued_at: datetime
    tries: int
    failing_since: datetime | None
    holder: UUID | None

    @classmethod
    def of(cls, row: "Work") -> "Piece":
        """The piece of a row."""
        return cls(
            id=row.pk,
            kind=row.kind,
            key=row.key,
            lane=row.lane,
            data=row.data,
            due_at=row.due_at,
            queued_at=row.queued_at,
            tries=row.tries,
            failing_since=row.failing_since,
            holder=row.holder,
        )


@dataclass(frozen=True, slots=True)
class Wait:
    """The value that an errand's `prepare` returns for a piece that may not go out before `until`."""

    until: datetime


class Later(Exception):  # noqa: N818  it may be no error at all
    """This try failed. `after`: the seconds for which the receiver asks to be left alone (`Retry-After`)."""

    def __init__(self, why: str, *, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class GaveUp(Exception):  # noqa: N818  a decision
    """The piece will never succeed: it is not tried again, and the row stays for people to see."""


@dataclass(frozen=True, slots=True)
class Retries:
    """The pauses between tries: from `first`, doubling, to `longest`; given up after `give_up` (None: never)."""

    first: timedelta = timedelta(seconds=5)
    longest: timedelta = timedelta(hours=1)
    give_up: timedelta | None = None

    def next_try(
        self, tries: int, failing_since: datetime, now: datetime, *, after: float | None = None
    ) -> datetime | None:
        """Return when to try again after the `tries`-th failure; None: never.

        A receiver's own wish (`after`, seconds) is respected, up to `longest`.
        """
        if self.give_up is not None and now - failing_since >= self.give_up:
            return None
        pause = pause_after(tries, self)
        if after is not None:
            pause = max(pause, min(timedelta(seconds=max(0.0, after)), self.longest))
        at = now + pause
        # The last try is at the end of the whole time, not before it.
        return at if self.give_up is None else min(at, max(failing_since + self.give_up, now + self.first))


def pause_after(tries: int, retries: Retries) -> timedelta:
    """The pause after failure number `tries`: `first`, doubled each time, a quarter more or less at random."""
    pause = min(retries.first * 2 ** min(max(tries, 1) - 1, 20), retries.longest)
    jittered: timedelta = pause * random.uniform(0.75, 1.25)  # noqa: S311  not a secret
    return min(max(jittered, retries.first), retries.longest)


Letter = TypeVar("Letter")
Reply = TypeVar("Reply")

Do = Callable[[Piece, datetime], datetime | None]


@dataclass(frozen=True, slots=True)
class Chore:
    """Work within the database: `do` returns when to do it again, or None when it is done."""

    do: Do
    retries: Retries


@dataclass(frozen=True, slots=True)
class Errand(Generic[Letter, Reply]):
    """Work outside.

    prepare: in a transaction, for several pieces at once. Returns what to send for each; None: nothing, and the piece
    is done; `Wait`: not yet. If it fails for all pieces, it is called for each of them. send: one letter, without a
    transaction and without the database. It may raise Later, GaveUp or anything else. settle: in the transaction that
    removes the rows; gets pieces, their letters, and what `send` returned. failed: in the transaction that puts a piece
    off; gets the error and when it is tried again (None: given up).
    """

    prepare: Callable[[Sequence[Piece], datetime], Sequence[Letter | Wait | None]]
    send: Callable[[Letter], Reply]
    settle: Callable[[Sequence[tuple[Piece, Letter, Reply]], datetime], None] = lambda *_: None
    failed: Callable[[Piece, Exception, datetime | None, datetime], None] = lambda *_: None
    retries: Callable[[], Retries] = Retries

    @classmethod
    def one_by_one(
        cls,
        *,
        prepare: Callable[[Piece, datetime], Letter | Wait | None],
        send: Callable[[Letter], Reply],
        settle: Callable[[Piece, Letter, Reply, datetime], None] = lambda *_: None,
        failed: Callable[[Piece, Exception, datetime | None, datetime], None] = lambda *_: None,
        retries: Callable[[], Retries] = Retries,
    ) -> "Errand[Letter, Reply]":
        """An errand whose steps take one piece each."""

        def settle_all(done: Sequence[tuple[Piece, Letter, Reply]], now: datetime) -> None:
            for piece, letter, reply in done:
                settle(piece, letter, reply, now)

        return cls(
            prepare=lambda pieces, now: [prepare(piece, now) for piece in pieces],
            send=send,
            settle=settle_all,
            failed=failed,
            retries=retries,
        )


_chores: dict[str, Chore] = {}
_errands: dict[str, Errand[Any, Any]] = {}


def chore(kind: str, *, retries: Retries | None = None) -> Callable[[Do], Do]:
    """Register a function as the handler of a kind of work within the database. Raises ValueError for a taken name."""

    def register(do: Do) -> Do:
        _check_free(kind)
        _chores[kind] = Chore(do, retries or Retries())
        return do

    return register


def errand(kind: str, handler: Errand[Any, Any]) -> None:
    """Register the handler of a kind of work outside. Raises ValueError for a name that is taken."""
    _check_free(kind)
    _errands[kind] = handler


def chore_of(kind: str) -> Chore:
    """The handler of a kind. Raises LookupError."""
    return _chores[kind]


def errand_of(kind: str) -> Errand[Any, Any]:
    """The handler of a kind. Raises LookupError."""
    return _errands[kind]


def chores() -> list[str]:
    """The kinds of work within the database."""
    return sorted(_chores)


def errands() -> list[str]:
    """The kinds of work outside."""
    return sorted(_errands)


def kinds() -> list[str]:
    """All kinds of work."""
    return sorted([*_chores, *_errands])


def _check_free(kind: str) -> None:
    if kind in _chores or kind in _errands:
        raise ValueError(f"there is a handler of {kind!r} already")
