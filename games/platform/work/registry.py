"""The kinds of work and their handlers. An app registers its own in modules that its `AppConfig.ready` imports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from games.platform.work.pieces import Piece, Wait
from games.platform.work.retries import Retries

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

    prepare: in a transaction. What to send; None: nothing any more, and the piece is done; `Wait`: not yet.
    send: without a transaction and without the database. It may raise Later, GaveUp or anything else.
    settle: in the transaction that removes the row; gets what `send` returned. It may return when to do it again.
    failed: in the transaction that puts the piece off; gets the error and when it is tried again (None: given up).
    """

    prepare: Callable[[Piece, datetime], Letter | Wait | None]
    send: Callable[[Letter], Reply]
    settle: Callable[[Piece, Letter, Reply, datetime], datetime | None]
    failed: Callable[[Piece, Exception, datetime | None, datetime], None] = lambda *_: None
    retries: Callable[[], Retries] = Retries


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
