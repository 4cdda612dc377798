"""The runner's list: work is written down with whatever asked for it, each piece once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID, uuid5

from tournaments import models
from tournaments.stream.agenda import Work

# Ids of tasks: the same work has the same id, whoever writes it down.
TASKS = UUID("c4f0a0d6-58c7-5b0b-8c1a-6a2f4e9d7b10")


def write_down(tournament_id: UUID, work: Iterable[Work], *, due_at: datetime) -> None:
    """Put work on the runner's list; what is there already stays as it is."""
    tasks = [
        models.Task(
            id=task_id(tournament_id, one.kind, one.key),
            kind=one.kind.value,
            tournament=tournament_id,
            data=dict(one.data),
            due_at=due_at,
        )
        for one in work
    ]
    if tasks:
        models.Task.objects.bulk_create(tasks, ignore_conflicts=True, batch_size=1000)


def task_id(tournament_id: UUID, kind: str, key: str) -> UUID:
    """The id of a piece of work, derived from what it is."""
    return uuid5(TASKS, f"{tournament_id}/{kind}/{key}")
