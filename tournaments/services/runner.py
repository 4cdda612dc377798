"""The runner (LI6): it works off the queue and takes each tournament's next step.

It may be killed anywhere and may run on several workers at once: each piece of work is one transaction that also
removes it from the queue, and first checks whether it is still needed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction

from games.platform import clock as service_clock
from tournaments import models
from tournaments.services import extensions, no_shows, outcomes, seating, tables
from tournaments.stream.agenda import Kind

SECONDS = 20.0
AT_ONCE = 500
# Failed work is retried after this delay, which doubles each time.
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(hours=1)

logger = logging.getLogger(__name__)

Piece = Callable[[models.Task, datetime], datetime | None]


@dataclass(slots=True)
class Ran:
    """The result of a run: pieces of work done, steps taken, and failures."""

    pieces: int = 0
    steps: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """Everything that was done."""
        return self.pieces + self.steps


def run(*, now: datetime | None = None, seconds: float = SECONDS) -> Ran:
    """Do everything that is due, and what follows from it, until nothing is left or the time is up."""
    ran, ends = Ran(), monotonic() + seconds
    while monotonic() < ends:
        before = ran.done
        at = now or service_clock.now()
        for task_id in due_tasks(at):
            _count(ran, run_task(task_id, now=at), "pieces")
            if monotonic() > ends:
                return ran
        for tournament_id in due_tournaments(at):
            _count(ran, run_step(tournament_id, now=at), "steps")
            if monotonic() > ends:
                return ran
        if ran.done == before:
            break
    return ran


def due_tasks(now: datetime) -> list[UUID]:
    """The pieces of work that are due, longest first."""
    due = models.Task.objects.filter(due_at__lte=now).order_by("due_at", "id")
    return list(due.values_list("pk", flat=True)[:AT_ONCE])


def due_tournaments(now: datetime) -> list[UUID]:
    """The tournaments whose own next step is due."""
    due = models.Tournament.objects.filter(look_at__lte=now).order_by("look_at", "id")
    return list(due.values_list("pk", flat=True)[:AT_ONCE])


def run_task(task_id: UUID, *, now: datetime | None = None) -> bool | None:
    """Do one piece of work. Return True if done, False if it failed, None if it is gone or held by another worker."""
    at = now or service_clock.now()
    try:
        with transaction.atomic():
            task = models.Task.objects.select_for_update(skip_locked=True).filter(pk=task_id).first()
            if task is None:
                return None
            again = PIECES[Kind(task.kind)](task, at)
            if again is None:
                task.delete()
            else:
                models.Task.objects.filter(pk=task_id).update(due_at=again, tries=0, error=None)
            return True
    except Exception as error:
        logger.exception("the runner could not do %s", task_id)
        _put_off_task(task_id, error, at)
        return False


def run_step(tournament_id: UUID, *, now: datetime | None = None) -> bool | None:
    """Take a tournament's next step. Return True if done, False if it failed, None if nothing was due."""
    at = now or service_clock.now()
    try:
        return True if seating.move_on(tournament_id, now=at) is not None else None
    except Exception:
        logger.exception("the runner could not move tournament %s on", tournament_id)
        models.Tournament.objects.filter(pk=tournament_id).update(look_at=at + FIRST_PAUSE * 6)
        return False


def _put_off_task(task_id: UUID, error: Exception, now: datetime) -> None:
    task = models.Task.objects.filter(pk=task_id).first()
    if task is None:
        return
    pause = min(FIRST_PAUSE * 2 ** min(task.tries, 12), LONGEST_PAUSE)
    models.Task.objects.filter(pk=task_id).update(
        due_at=now + pause, tries=task.tries + 1, error=f"{type(error).__name__}: {error}"[:2000]
    )


def _count(ran: Ran, outcome: bool | None, what: str) -> None:
    if outcome is False:
        ran.failed += 1
    elif outcome:
        setattr(ran, what, getattr(ran, what) + 1)


def _open(task: models.Task, now: datetime) -> None:
    tables.open_game(_tournament(task), _game(task), now=now)


def _outcome(task: models.Task, now: datetime) -> None:
    outcomes.take_in(_tournament(task), _game(task), ruling=task.data.get("ruling"), now=now)


def _call_off(task: models.Task, now: datetime) -> None:
    tables.call_off(_tournament(task), _game(task), task.data["reason"], now=now)


def _adjudicate(task: models.Task, now: datetime) -> None:
    tables.adjudicate(_tournament(task), _game(task), now=now)


def _resign(task: models.Task, now: datetime) -> None:
    tables.resign(_tournament(task), task.data["entrant"], _game_or_all(task), now=now)


def _seats(task: models.Task, now: datetime) -> None:
    tables.sync_seats(_tournament(task), task.data["entrant"], _game_or_all(task), now=now)


def _watch(task: models.Task, now: datetime) -> datetime | None:
    return no_shows.watch(_tournament(task), _game(task), now=now)


def _absent(task: models.Task, now: datetime) -> None:
    no_shows.record_absence(_tournament(task), _game(task), task.data["entrant"], now=now)


def _room(task: models.Task, now: datetime) -> None:
    outcomes.open_room(_tournament(task), _game(task), proposal=task.data.get("proposal"), now=now)


def _extended(task: models.Task, now: datetime) -> None:
    extensions.record_extension(_tournament(task), task.data, now=now)


PIECES: dict[Kind, Any] = {
    Kind.OPEN: _open,
    Kind.OUTCOME: _outcome,
    Kind.CALL_OFF: _call_off,
    Kind.ADJUDICATE: _adjudicate,
    Kind.RESIGN: _resign,
    Kind.SEATS: _seats,
    Kind.WATCH: _watch,
    Kind.ABSENT: _absent,
    Kind.ROOM: _room,
    Kind.EXTENDED: _extended,
}


def _tournament(task: models.Task) -> UUID:
    if task.tournament is None:
        raise ValueError(f"task {task.pk} names no tournament")
    return task.tournament


def _game(task: models.Task) -> UUID:
    return UUID(task.data["game"])


def _game_or_all(task: models.Task) -> UUID | None:
    return UUID(task.data["game"]) if "game" in task.data else None
