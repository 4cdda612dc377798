"""The runner (LI6): it does the tournaments' local jobs from the queue and takes each tournament's next step.

It may be killed anywhere and may run on several workers at once: each job is one transaction that also removes it from
the queue, and first checks whether it is still needed. One that fails is retried for ever: a tournament cannot go on
without it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import log
from core.jobs import services as work
from core.rows import fetch_all
from games.projections import load
from games.selectors import UNFINISHED, deadlines, games_of
from tournaments import models
from tournaments.projections import TOURNAMENT, TournamentKind
from tournaments.services import no_shows, outcomes, queue, seating, tables
from tournaments.services.commands import Done, carry_out, look
from tournaments.stream import By, Fact, Standing, Status, Tournament, rulings
from tournaments.stream.agenda import Kind, Work

SECONDS = 20.0
AT_ONCE = 500
# A step that failed is tried again after this delay.
PAUSE = timedelta(seconds=30)

_IS_TO_LOOK_AT = "SELECT EXISTS (SELECT FROM tournaments_tournament WHERE look_at <= %s)"

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


def run(*, seconds: float = SECONDS) -> Ran:
    ran, ends = Ran(), monotonic() + seconds
    while monotonic() < ends:
        before = ran.done
        at = service_clock.now()
        done = work.do_all(kinds=queue.kinds(), now=at, seconds=ends - monotonic())
        ran.pieces += done.done
        ran.failed += done.failed
        to_look_at = models.Tournament.objects.filter(look_at__lte=at).order_by("look_at", "id")
        for tournament_id in list(to_look_at.values_list("pk", flat=True)[:AT_ONCE]):
            outcome = run_step(tournament_id, now=at)
            ran.steps += outcome is True
            ran.failed += outcome is False
            if monotonic() > ends:
                return ran
        if ran.done == before:
            break
    return ran


def is_due() -> bool:
    """Return whether a tournament is to be looked at. The queue's own task does the jobs of tournaments, too."""
    return bool(fetch_all(_IS_TO_LOOK_AT, [service_clock.now()])[0][0])


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


def record_extension(tournament_id: UUID, said: Mapping[str, Any], *, now: datetime) -> Done:
    """Record an extension that the game has accepted. `said` has the game, seat, entrant, reason and `by`."""
    game = load(UUID(said["game"]))
    until = deadlines(game).get(said["seat"], now) if game is not None else now

    def decide(t: Tournament) -> Sequence[Fact]:
        if t.is_over:
            return ()
        by = By(UUID(said["by"]), staff=True)
        return rulings.extend_turn(t, by, said["game"], said["entrant"], until=until, reason=said["reason"])

    return carry_out(tournament_id, decide, actor=log.Actor("organiser", said["by"]), reason=said["reason"], now=now)


Does = Callable[[UUID, Any, Mapping[str, Any], datetime], object]
"""By the tournament, the game (None: all of the entrant's) and the data of the work; returns when to do it again."""


def _handler(does: Does) -> work.Do:
    def do(piece: work.Job, now: datetime) -> datetime | None:
        game = UUID(piece.data["game"]) if "game" in piece.data else None
        again = does(UUID(piece.data["tournament"]), game, piece.data, now)
        return again if isinstance(again, datetime) else None

    return do


_DOES: Mapping[Kind, Does] = {
    Kind.OPEN: lambda t, game, _, now: tables.open_table(t, game, now=now),
    Kind.OUTCOME: lambda t, game, data, now: outcomes.take_in(t, game, ruling=data.get("ruling"), now=now),
    Kind.CALL_OFF: lambda t, game, data, now: tables.call_off(t, game, data["reason"], now=now),
    Kind.ADJUDICATE: lambda t, game, _, now: tables.adjudicate(t, game, now=now),
    Kind.RESIGN: lambda t, game, data, now: tables.resign(t, data["entrant"], game, now=now),
    Kind.SEATS: lambda t, game, data, now: tables.sync_seats(t, data["entrant"], game, now=now),
    Kind.WATCH: lambda t, game, _, now: no_shows.watch(t, game, now=now),
    Kind.ABSENT: lambda t, game, data, now: no_shows.record_absence(t, game, data["entrant"], now=now),
    Kind.ROOM: lambda t, game, data, now: outcomes.open_room(t, game, proposal=data.get("proposal"), now=now),
    Kind.EXTENDED: lambda t, _, data, now: record_extension(t, data, now=now),
    Kind.STEP: lambda t, _, __, now: seating.move_on(t, now=now),
}
for _kind, _does in _DOES.items():
    work.local(_kind.value)(_handler(_does))


NO_RESULT = "It has no result in its tournament."


class Recoverable(TournamentKind):
    """Tournaments, for `manage.py rebuild`: rebuild the rows, then queue the work that remains."""

    def rebuild(self, stream_id: UUID) -> log.Rebuilt:
        rebuilt = super().rebuild(stream_id)
        _recover(stream_id)
        return rebuilt


def recover_all() -> int:
    """Queue the remaining work of every running tournament; return how many there are."""
    running = models.Tournament.objects.filter(status__in=(Status.REGISTRATION, Status.RUNNING))
    ids = list(running.values_list("pk", flat=True))
    for tournament_id in ids:
        try:
            _recover(tournament_id)
        except (log.LogError, LookupError, ValueError):
            # A tournament whose log is damaged must not keep the others from going on.
            logger.exception("tournament %s cannot be read", tournament_id)
    return len(ids)


@transaction.atomic
def _recover(tournament_id: UUID) -> None:
    """Queue the remaining work of one tournament, if there is one. Work already queued stays as it is."""
    t, now = TOURNAMENT.load(tournament_id, log.Lock.WAIT), service_clock.now()
    if t is not None:
        queue.put(tournament_id, _missing(t), due_at=now)
        look(t, now)


def _missing(t: Tournament) -> Iterator[Work]:
    rows = {row.game: row for row in models.TournamentGame.objects.filter(tournament=t.id)}
    statuses = dict(games_of(t.id).values_list("pk", "status"))
    for game_id, row in rows.items():
        yield from _about_game(t, row, statuses.get(game_id))
    if t.status is Status.RUNNING:
        for game_id in statuses.keys() - rows.keys():
            yield Work(Kind.ROOM, str(game_id), {"game": str(game_id)})
            if statuses[game_id] not in UNFINISHED:
                yield Work(Kind.OUTCOME, str(game_id), {"game": str(game_id)})
    yield from _about_entrants(t)


def _about_game(t: Tournament, row: models.TournamentGame, status: str | None) -> Iterator[Work]:
    """`status` is the game's own; None if it was never opened."""
    key = str(row.game)
    if row.outcome == "open" and t.status is Status.RUNNING:
        if status is None and row.round is not None:
            yield Work(Kind.OPEN, key, {"game": key})
        elif status not in (None, *UNFINISHED):
            yield Work(Kind.OUTCOME, key, {"game": key})
        elif row.round is not None and t.plan.no_show != "play":
            yield Work(Kind.WATCH, key, {"game": key})
    elif status in UNFINISHED and (row.outcome == "none" or t.status is Status.CANCELLED):
        yield Work(Kind.CALL_OFF, key, {"game": key, "reason": t.ended_why or NO_RESULT})


def _about_entrants(t: Tournament) -> Iterator[Work]:
    """Resignations and rooms of entrants who are out, and seats that somebody else may have to take."""
    for entrant in t.entrants.values():
        about = {"entrant": entrant.key}
        if entrant.standing in tables.OUT:
            yield Work(Kind.RESIGN, f"{entrant.key}/{t.version}", about)
        if entrant.standing is Standing.REMOVED or entrant.former:
            yield Work(Kind.SEATS, f"{entrant.key}/{t.version}", about)
