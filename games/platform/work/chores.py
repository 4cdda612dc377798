"""Doing chores: each is one transaction that also removes it from the queue, so it is done exactly once."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from django.db import transaction

from games.platform import clock as service_clock
from games.platform.work import queue, registry
from games.platform.work.models import Work
from games.platform.work.pieces import GaveUp, Piece

SECONDS = 20.0
AT_ONCE = 200

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Done:
    """The result of a run: chores done, and chores that failed."""

    done: int = 0
    failed: int = 0


def do_all(*, now: datetime | None = None, seconds: float = SECONDS) -> Done:
    """Do every chore that is due, and what it puts into the queue, until nothing is left or the time is up.

    Any number may run at once: a chore that somebody else does at the moment is passed over.
    """
    total, ends = Done(), monotonic() + seconds
    while monotonic() < ends:
        at = now or service_clock.now()
        before = total.done
        for piece_id in _due(at):
            outcome = do(piece_id, now=at)
            total.done += outcome is True
            total.failed += outcome is False
            if monotonic() > ends:
                return total
        if total.done == before:
            break
    return total


def do(piece_id: int, *, now: datetime | None = None) -> bool | None:
    """Do one chore. Return True if done, False if it failed, None if it is gone or held by somebody else."""
    at = now or service_clock.now()
    try:
        with transaction.atomic():
            row = queue.hold(piece_id)
            if row is None or row.due_at > at:
                return None
            queue.finish(row, registry.chore_of(row.kind).do(Piece.of(row), at))
            return True
    except Exception as error:
        logger.exception("the chore %s failed", piece_id)
        _put_off(piece_id, error, at)
        return False


def _due(now: datetime) -> list[int]:
    rows = Work.objects.filter(kind__in=registry.chores(), due_at__lte=now, given_up_at__isnull=True)
    return list(rows.order_by("due_at", "pk").values_list("pk", flat=True)[:AT_ONCE])


def _put_off(piece_id: int, error: Exception, now: datetime) -> None:
    with transaction.atomic():
        row = queue.hold(piece_id)
        if row is None:
            return
        if isinstance(error, GaveUp):
            queue.give_up(row, error, now)
        else:
            queue.put_off(row, error, registry.chore_of(row.kind).retries, now)
