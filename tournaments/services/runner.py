"""The runner (LI6): it does the tournaments' local jobs from the queue and takes each tournament's next step.

It may be killed anywhere and may run on several workers at once: each job is one transaction that also removes it from
the queue, and first checks whether it is still needed. One that fails is retried for ever: a tournament cannot go on
without it.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core import log
from core.jobs import services as work
from games.selectors import row_of
from tournaments import models
from tournaments.services import no_shows, outcomes, queue, seating, tables
from tournaments.services.commands import Done, carry_out
from tournaments.stream import By, Fact, Tournament, rulings
from tournaments.stream.agenda import Kind, Work

SECONDS = 20.0
AT_ONCE = 500
# A step that failed is tried again after this delay.
PAUSE = timedelta(seconds=30)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Ran:
    """The result of a run: pieces of work done, steps taken, and failures."""

    pieces: int = 0
    steps: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        return self.pieces + self.steps


def run(*, now: datetime | None = None, seconds: float = SECONDS) -> Ran:
    """Do everything that is due, and what follows from it, until nothing is left or the time is up."""
    ran, ends = Ran(), monotonic() + seconds
    while monotonic() < ends:
        before = ran.done
        at = now or service_clock.now()
        done = work.do_all(kinds=queue.kinds(), now=at, seconds=ends - monotonic())
        ran.pieces += done.done
        ran.failed += done.failed
        for tournament_id in due_tournaments(at):
            outcome = run_step(tournament_id, now=at)
            ran.steps += outcome is True
            ran.failed += outcome is False
            if monotonic() > ends:
                return ran
        if ran.done == before:
            break
    return ran


def due_tournaments(now: datetime) -> list[UUID]:
    due = models.Tournament.objects.filter(look_at__lte=now).order_by("look_at", "id")
    return list(due.values_list("pk", flat=True)[:AT_ONCE])


def run_step(tournament_id: UUID, *, now: datetime) -> bool | None:
    """Take a tournament's next step. Return True if done, False if it failed, None if nothing was due."""
    try:
        return True if seating.move_on(tournament_id, now=now) is not None else None
    except Exception:
        logger.exception("the runner could not move tournament %s on", tournament_id)
        models.Tournament.objects.filter(pk=tournament_id).update(look_at=now + PAUSE)
        # As a piece of work it can be seen by organisers and operators (and their alarms) as long as it fails.
        queue.put(tournament_id, [Work(Kind.STEP, "step")], due_at=now)
        return False


def _runs(kind: Kind) -> Callable[[work.Do], work.Do]:
    return work.local(kind.value)


@_runs(Kind.OPEN)
def _open(piece: work.Job, now: datetime) -> None:
    tables.open_game(_tournament(piece), _game(piece), now=now)


@_runs(Kind.OUTCOME)
def _outcome(piece: work.Job, now: datetime) -> None:
    outcomes.take_in(_tournament(piece), _game(piece), ruling=piece.data.get("ruling"), now=now)


@_runs(Kind.CALL_OFF)
def _call_off(piece: work.Job, now: datetime) -> None:
    tables.call_off(_tournament(piece), _game(piece), piece.data["reason"], now=now)


@_runs(Kind.ADJUDICATE)
def _adjudicate(piece: work.Job, now: datetime) -> None:
    tables.adjudicate(_tournament(piece), _game(piece), now=now)


@_runs(Kind.RESIGN)
def _resign(piece: work.Job, now: datetime) -> None:
    tables.resign(_tournament(piece), piece.data["entrant"], _game_or_all(piece), now=now)


@_runs(Kind.SEATS)
def _seats(piece: work.Job, now: datetime) -> None:
    tables.sync_seats(_tournament(piece), piece.data["entrant"], _game_or_all(piece), now=now)


@_runs(Kind.WATCH)
def _watch(piece: work.Job, now: datetime) -> datetime | None:
    return no_shows.watch(_tournament(piece), _game(piece), now=now)


@_runs(Kind.ABSENT)
def _absent(piece: work.Job, now: datetime) -> None:
    no_shows.record_absence(_tournament(piece), _game(piece), piece.data["entrant"], now=now)


@_runs(Kind.ROOM)
def _room(piece: work.Job, now: datetime) -> None:
    outcomes.open_room(_tournament(piece), _game(piece), proposal=piece.data.get("proposal"), now=now)


@_runs(Kind.EXTENDED)
def _extended(piece: work.Job, now: datetime) -> None:
    record_extension(_tournament(piece), piece.data, now=now)


@_runs(Kind.STEP)
def _step(piece: work.Job, now: datetime) -> None:
    seating.move_on(_tournament(piece), now=now)


def _tournament(piece: work.Job) -> UUID:
    return UUID(piece.data["tournament"])


def _game(piece: work.Job) -> UUID:
    return UUID(piece.data["game"])


def _game_or_all(piece: work.Job) -> UUID | None:
    return UUID(piece.data["game"]) if "game" in piece.data else None


def record_extension(tournament_id: UUID, said: Mapping[str, Any], *, now: datetime) -> Done[None]:
    """Record an extension that the game has accepted. `said` has the game, seat, entrant, reason and `by`."""
    row = row_of(UUID(said["game"]))
    seat = row.seat_rows()[said["seat"]] if row is not None else None
    until = seat.due_at if seat is not None and seat.due_at is not None else now

    def decide(t: Tournament) -> tuple[None, Sequence[Fact]]:
        if t.is_over:
            return None, ()
        by = By(UUID(said["by"]), staff=True)
        return None, rulings.extend_turn(t, by, said["game"], said["entrant"], until=until, reason=said["reason"])

    return carry_out(tournament_id, decide, actor=log.Actor("organiser", said["by"]), reason=said["reason"], now=now)
