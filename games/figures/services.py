"""Playing the simulated games of some rules on the queue, a slice at a time, and telling how far it is."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from time import monotonic, thread_time
from typing import Any

from celery import shared_task
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from core import clock as service_clock
from core.jobs import services as work
from games.figures.models import Figures
from games.figures.told import Told
from games.lab.counting import Counted
from games.lab.playing import Side
from games.lab.runs import Run, play_all

JOB = "house.figures"
GAMES = 200
MOST_SECONDS, SLICE = 20.0, 1.0
"""Seconds: of processor time that the games of some rules may take in all (HG22), and by the clock for each slice."""
FORGOTTEN = timedelta(days=90)
KEPT = ("moves", "hand_overs", "points.1", "ended", "closings")


class Asked:
    """The figures of some rules, for the page of a house game (`games.hooks.Figured`)."""

    games = GAMES

    def __init__(self, digest: str, rules: Mapping[str, Any], seats: int) -> None:
        self.digest, self.rules, self.seats = digest, rules, seats

    @cached_property
    def _row(self) -> Figures | None:
        return Figures.objects.filter(pk=self.digest).first()

    @property
    def played(self) -> int | None:
        return None if self._row is None else len(self._row.counted)

    @property
    def html(self) -> str:
        if self._row is None or not self._row.is_done:
            return ""
        told = Told([_counted(one) for one in self._row.counted], self.seats)
        context = {"told": told, "picture": mark_safe(told.picture())}  # noqa: S308  numbers alone
        return render_to_string("figures/figures.html", context)

    def ask(self) -> None:
        """Have the games played, once for all who ask."""
        with transaction.atomic():
            asked = {"asked_at": service_clock.now()}
            self._row, is_new = Figures.objects.get_or_create(asked, pk=self.digest)
            if is_new:
                work.put(JOB, self.digest, {"rules": self.rules, "seats": self.seats})


@work.local(JOB)
def _play(job: work.Job, now: datetime) -> datetime | None:
    row = Figures.objects.filter(pk=job.key).first()
    if row is None:
        return None
    seats = job.data["seats"]
    run = Run([Side("house", seats, "house", {"rules": job.data["rules"]})], GAMES, job.key, ["plain"] * seats)
    ends, used, spent = monotonic() + SLICE, thread_time(), 0.0
    for played in play_all(run, begin=len(row.counted)):
        row.counted.append(_stored(played.figures[0]))
        spent = thread_time() - used
        if monotonic() >= ends or row.seconds + spent >= MOST_SECONDS:
            break
    row.seconds += spent
    row.is_done = len(row.counted) == GAMES or row.seconds >= MOST_SECONDS
    row.save()
    return None if row.is_done else now


@shared_task(name="figures.sweep")
def sweep() -> int:
    """Forget what was asked for long ago: whoever wants to know has the games played anew."""
    return Figures.objects.filter(asked_at__lt=service_clock.now() - FORGOTTEN).delete()[0]


def _stored(figures: Counted) -> dict[str, int | str]:
    kept = {name: value for name, value in figures.items() if name.startswith(KEPT)}
    return {name: value if isinstance(value, int) else str(value) for name, value in kept.items()}


def _counted(stored: Mapping[str, int | str]) -> Counted:
    return {name: value if isinstance(value, int) else Fraction(value) for name, value in stored.items()}
