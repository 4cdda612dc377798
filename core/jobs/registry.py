"""The kinds of work and their handlers. An app registers its own in modules that its `AppConfig.ready` imports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from core.jobs.pieces import Piece, Wait
from core.jobs.retries import Retries

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
    """Work outside, for several pieces at once; `Errand.one_by_one` makes one from steps for single pieces.

    prepare: in a transaction. Returns what to send for each piece; None: nothing, and the piece is done; `Wait`: not
    yet. If it fails for all pieces, it is called for each of them. send: one letter, without a transaction and without
    the database. It may raise Later, GaveUp or anything else. A letter that has not left by `until` (of
    `time.monotonic`) may be pointless by then: `send` raises Stale, and the piece is prepared again. settle: in the
    transaction that removes the rows; gets pieces, their letters, and what `send` returned. failed: in the transaction
    that puts a piece off; gets the error and when it is tried again (None: given up). together: the number of pieces of
    a lane that are prepared together and then sent one after the other.
    """

    prepare: Callable[[Sequence[Piece], datetime], Sequence[Letter | Wait | None]]
    send: Callable[[Letter, float], Reply]
    settle: Callable[[Sequence[tuple[Piece, Letter, Reply]], datetime], None]
    failed: Callable[[Piece, Exception, datetime | None, datetime], None] = lambda *_: None
    retries: Callable[[], Retries] = Retries
    together: int = 1

    @classmethod
    def one_by_one(
        cls,
        *,
        prepare: Callable[[Piece, datetime], Letter | Wait | None],
        send: Callable[[Letter], Reply],
        settle: Callable[[Piece, Letter, Reply, datetime], None],
        failed: Callable[[Piece, Exception, datetime | None, datetime], None] = lambda *_: None,
        retries: Callable[[], Retries] = Retries,
    ) -> "Errand[Letter, Reply]":
        """An errand whose steps take one piece each, and which is sent however long it has waited."""

        def settle_all(done: Sequence[tuple[Piece, Letter, Reply]], now: datetime) -> None:
            for piece, letter, reply in done:
                settle(piece, letter, reply, now)

        return cls(
            prepare=lambda pieces, now: [prepare(piece, now) for piece in pieces],
            send=lambda letter, _: send(letter),
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


def errands() -> dict[str, int]:
    """The kinds of work outside, and how many pieces of a lane each of them takes together."""
    return {kind: _errands[kind].together for kind in sorted(_errands)}


def kinds() -> list[str]:
    """All kinds of work."""
    return sorted([*_chores, *_errands])


def _check_free(kind: str) -> None:
    if kind in _chores or kind in _errands:
        raise ValueError(f"there is a handler of {kind!r} already")
