"""The runner's queue. Work is queued in the transaction that causes it, each piece once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from games.platform import log
from tournaments import models
from tournaments.stream.agenda import Kind, Work

# Namespace of task ids: the same work always has the same id.
TASKS = UUID("c4f0a0d6-58c7-5b0b-8c1a-6a2f4e9d7b10")


def write_down(tournament_id: UUID, work: Iterable[Work], *, due_at: datetime) -> None:
    """Queue work for the runner. Work already queued stays as it is."""
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
    """The id of a piece of work, derived from its contents."""
    return uuid5(TASKS, f"{tournament_id}/{kind}/{key}")


class RunnersList:
    """The list as an export of the log carries it (`games.platform.log.Companion`)."""

    name = "tournament-tasks"

    def dump(self) -> Any:
        """All that is to be done, also what waits for its time."""
        return [
            {
                "id": str(task.id),
                "kind": task.kind,
                "tournament": None if task.tournament is None else str(task.tournament),
                "data": task.data,
                "due_at": log.time_text(task.due_at),
            }
            for task in models.Task.objects.order_by("id")
        ]

    def check(self, value: Any) -> None:
        """Raise KeyError, TypeError or ValueError for what is no such list."""
        _tasks(value)

    def load(self, value: Any) -> None:
        """Put it on the list."""
        models.Task.objects.bulk_create(_tasks(value), ignore_conflicts=True, batch_size=1000)


def _tasks(value: Any) -> list[models.Task]:
    return [
        models.Task(
            id=UUID(one["id"]),
            kind=Kind(one["kind"]).value,
            tournament=None if one["tournament"] is None else UUID(one["tournament"]),
            data=dict(one["data"]),
            due_at=datetime.fromisoformat(one["due_at"]),
        )
        for one in value
    ]
