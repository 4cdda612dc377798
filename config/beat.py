"""Beat, which sends a task that has a look in DUE (core.hooks) only when there is something to do."""

from typing import Any

from celery import beat
from django.db import DatabaseError, connection

from core.hooks import DUE


class Scheduler(beat.Scheduler):
    def adjust(self, n: float, drift: float = 0.0) -> float:  # noqa: ARG002
        """Return how long to wait for what is next, to the end: Celery wakes 10 ms early, and asks until it is time."""
        return n

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send the task of an entry, if it has something to do, or if that cannot be known."""
        if _is_due(entry.task):
            super().apply_entry(entry, producer)


def _is_due(task: str) -> bool:
    try:
        return task not in DUE or bool(DUE[task]())
    except DatabaseError:
        # It may be back at the next look, on another connection.
        connection.close()
        return True
