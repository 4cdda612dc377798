"""Figures of the work that waits in the queue. Every registered kind has its row from the start."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q

from core import clock as service_clock
from core.jobs import handlers
from core.jobs.models import Work


@dataclass(frozen=True, slots=True)
class Figures:
    """One kind of work: how much waits, how much is due and since when, how much failed."""

    kind: str
    waiting: int
    due: int
    oldest: timedelta
    retrying: int
    given_up: int


def figures(now: datetime | None = None) -> list[Figures]:
    """A row for each kind that is registered or in the queue, by name; one query."""
    at = now or service_clock.now()
    waits = Q(given_up_at__isnull=True)
    due = waits & Q(due_at__lte=at)
    rows = Work.objects.values("kind").annotate(
        waiting=Count("pk", filter=waits),
        due=Count("pk", filter=due),
        since=Min("due_at", filter=due),
        retrying=Count("pk", filter=waits & Q(tries__gt=0)),
        given_up=Count("pk", filter=~waits),
    )
    found = {row["kind"]: row for row in rows}
    return [_figures(kind, found.get(kind), at) for kind in sorted({*found, *handlers.kinds()})]


def _figures(kind: str, row: Mapping[str, Any] | None, now: datetime) -> Figures:
    if row is None:
        return Figures(kind, 0, 0, timedelta(), 0, 0)
    since: datetime | None = row["since"]
    oldest = now - since if since is not None else timedelta()
    return Figures(kind, row["waiting"], row["due"], oldest, row["retrying"], row["given_up"])
