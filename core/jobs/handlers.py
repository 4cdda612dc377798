"""The handlers of each kind of job, and when a failed job is tried again.

An app registers its handlers in modules that its `AppConfig.ready` imports.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from core.jobs.models import Work as Job


@dataclass(frozen=True, slots=True)
class Wait:
    """The value that an outbound job's `prepare` returns for a job that may not go out before `until`."""

    until: datetime


class Later(Exception):  # noqa: N818  it may be no error at all
    """This try failed. `after`: the seconds for which the receiver asks to be left alone (`Retry-After`)."""

    def __init__(self, why: str, *, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class GaveUp(Exception):  # noqa: N818  a decision
    """The job will never succeed: it is not tried again, and the row stays for people to see."""


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
        doubled = min(self.first * 2 ** min(max(tries, 1) - 1, 20), self.longest)
        # A quarter more or less, at random.
        jittered: timedelta = doubled * random.uniform(0.75, 1.25)  # noqa: S311  not a secret
        pause = min(max(jittered, self.first), self.longest)
        if after is not None:
            pause = max(pause, min(timedelta(seconds=max(0.0, after)), self.longest))
        at = now + pause
        # The last try is at the end of the whole time, not before it.
        return at if self.give_up is None else min(at, max(failing_since + self.give_up, now + self.first))


Letter = TypeVar("Letter")
Reply = TypeVar("Reply")

Do = Callable[[Job, datetime], datetime | None]
"""Work within the database: returns when to do it again, or None when it is done."""
LOCAL_RETRIES = Retries()


@dataclass(frozen=True, slots=True)
class Outbound(Generic[Letter, Reply]):
    """Work outside.

    prepare: in a transaction, for several jobs at once. Returns what to send for each; None: nothing, and the job is
    done; `Wait`: not yet. If it fails for all jobs, it is called for each of them. send: one letter, without a
    transaction and without the database. It may raise Later, GaveUp or anything else. settle: in the transaction that
    removes the rows; gets jobs, their letters, and what `send` returned. failed: in the transaction that puts a job
    off; gets the error and when it is tried again (None: given up).
    """

    prepare: Callable[[Sequence[Job], datetime], Sequence[Letter | Wait | None]]
    send: Callable[[Letter], Reply]
    settle: Callable[[Sequence[tuple[Job, Letter, Reply]], datetime], None] = lambda *_: None
    failed: Callable[[Job, Exception, datetime | None, datetime], None] = lambda *_: None
    retries: Callable[[], Retries] = Retries


#: By kind.
LOCAL: dict[str, Do] = {}
OUTBOUND: dict[str, Outbound[Any, Any]] = {}


def local(kind: str) -> Callable[[Do], Do]:
    """Register a function as the handler of a kind of work within the database. Raises ValueError for a taken name."""

    def register(do: Do) -> Do:
        _check_free(kind)
        LOCAL[kind] = do
        return do

    return register


def outbound(kind: str, handler: Outbound[Any, Any]) -> None:
    """Register the handler of a kind of work outside. Raises ValueError for a name that is taken."""
    _check_free(kind)
    OUTBOUND[kind] = handler


def kinds() -> list[str]:
    return sorted([*LOCAL, *OUTBOUND])


def _check_free(kind: str) -> None:
    if kind in kinds():
        raise ValueError(f"there is a handler of {kind!r} already")
