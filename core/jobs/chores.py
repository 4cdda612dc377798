"""Doing chores: each is one transaction that also removes it from the queue, so it is done exactly once."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from django.db import transaction

from core import clock as service_clock
from core.jobs import queue, registry
from core.jobs.models import Work
from core.jobs.pieces import GaveUp, Piece

SECONDS = 20.0
AT_ONCE = 200

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Done:
    """The result of a run: chores done, and chores that failed."""

    done: int = 0
    failed: int = 0


def do_all(*, kinds: Collection[str] | None = None, now: datetime | None = None, seconds: float = SECONDS) -> Done:
    """Do every chore (of these kinds) that is due, and what it queues, until nothing is left or the time is up.

    Any number of these may run at once: a chore that somebody else is doing is passed over.
    """
    total, ends = Done(), monotonic() + seconds
    while monotonic() < ends:
        at = now or service_clock.now()
        before = total.done
        for piece_id in _due(registry.chores() if kinds is None else kinds, at):
            outcome = _do(at, pk=piece_id, due_at__lte=at)
            total.done += outcome is True
            total.failed += outcome is False
            if monotonic() > ends:
                return total
        if total.done == before:
            break
    return total


def do(kind: str, key: str, *, now: datetime | None = None) -> bool | None:
    """Do one chore now, even if it is not due yet or waits for a retry.

    Return True if done, False if it failed, None if it is gone or held by somebody else.
    """
    return _do(now or service_clock.now(), kind=kind, key=key)


def _do(now: datetime, **which: Any) -> bool | None:
    try:
        with transaction.atomic():
            row = queue.hold(**which)
            if row is None:
                return None
            queue.finish(row, registry.chore_of(row.kind).do(Piece.of(row), now))
            return True
    except Exception as error:
        logger.exception("the chore %s failed", " ".join(str(value) for value in which.values()))
        _put_off(error, now, **which)
        return False


def _due(kinds: Collection[str], now: datetime) -> list[int]:
    rows = Work.objects.filter(kind__in=kinds, due_at__lte=now, given_up_at__isnull=True)
    return list(rows.order_by("due_at", "pk").values_list("pk", flat=True)[:AT_ONCE])


def _put_off(error: Exception, now: datetime, **which: Any) -> None:
    with transaction.atomic():
        row = queue.hold(**which)
        if row is None:
            return
        if isinstance(error, GaveUp):
            queue.give_up(row, error, now)
        else:
            queue.put_off(row, error, registry.chore_of(row.kind).retries, now)
