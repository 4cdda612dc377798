"""Restoring the runner's queue from the current state, after a rebuild or a loss."""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import log
from games.selectors import UNFINISHED, games_of
from tournaments import models
from tournaments.projections import TOURNAMENT, TOURNAMENT_ROWS, rebuild
from tournaments.services import queue
from tournaments.services.commands import look
from tournaments.stream import Standing, Status, Tournament
from tournaments.stream.agenda import Kind, Work
from tournaments.stream.evolve import SETTLE_EVERY

NO_RESULT = "It has no result in its tournament."

logger = logging.getLogger(__name__)


class Recoverable:
    """Tournaments, for `manage.py rebuild`: rebuild the rows, then queue the work that remains."""

    name = "tournament"

    def ids(self) -> Iterable[UUID]:
        return TOURNAMENT_ROWS.ids()

    def parse(self, key: str) -> UUID:
        return UUID(key)

    def behind(self) -> Iterable[UUID]:
        return TOURNAMENT_ROWS.behind()

    def rebuild(self, stream_id: UUID) -> log.Rebuilt:
        rebuilt = rebuild(stream_id)
        recover(stream_id, now=service_clock.now())
        return rebuilt

    def evolve(self, state: Tournament | None, event: log.Event) -> Tournament:
        after = TOURNAMENT.evolve(state, event)
        return after.settled() if event.version % SETTLE_EVERY == 0 else after


def recover_all(*, now: datetime | None = None) -> int:
    """Queue the remaining work of every running tournament; return how many there are."""
    running = models.Tournament.objects.filter(status__in=(Status.REGISTRATION, Status.RUNNING))
    ids = list(running.values_list("pk", flat=True))
    for tournament_id in ids:
        try:
            recover(tournament_id, now=now or service_clock.now())
        except (log.LogError, LookupError, ValueError):
            # A tournament whose log is damaged must not keep the others from going on.
            logger.exception("tournament %s cannot be read", tournament_id)
    return len(ids)


@transaction.atomic
def recover(tournament_id: UUID, *, now: datetime) -> None:
    """Queue the remaining work of one tournament, if there is one. Work already queued stays as it is."""
    t = TOURNAMENT.load(tournament_id, log.Lock.WAIT)
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
    """Resignations of entrants who withdrew, and seats that somebody else may have to take."""
    for entrant in t.entrants.values():
        about = {"entrant": entrant.key}
        if entrant.standing is Standing.WITHDRAWN and entrant.resigns:
            yield Work(Kind.RESIGN, f"{entrant.key}/{t.version}", about)
        if entrant.standing is Standing.REMOVED or entrant.former:
            yield Work(Kind.SEATS, f"{entrant.key}/{t.version}", about)
