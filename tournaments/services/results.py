"""What ended is numbered: one list of games and tournaments, from which all readers of results get theirs."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Max

from core import log
from core.refusals import Refused
from core.rows import execute
from games import selectors as games
from games.events import CalledOff, Finished, Restored, Voided
from games.projections import load
from tournaments import selectors
from tournaments.models import Result
from tournaments.projections import TOURNAMENT

_ENDINGS = (Finished.type, CalledOff.type, Voided.type, Restored.type, "tournament.finished")


@log.batch_reactor("results", kinds=["game", "tournament"], types=_ENDINGS, batch=500)
def number_results(events: Sequence[log.Event]) -> None:
    """Give a number to each game that ended with places, was voided or restored, and to each finished tournament.

    The lock is held until the commit, so that who has read up to a number never finds a smaller one later.
    """
    execute("SELECT pg_advisory_xact_lock(hashtext('trey results'))")
    last = Result.objects.aggregate(last=Max("n"))["last"] or 0
    found = [row for event in events if (row := _result_of(event)) is not None]
    # Between buckets the log has no order. A tournament ends after its games.
    for row in sorted(found, key=lambda row: (row.at, row.type)):
        last += 1
        row.n = last
    Result.objects.bulk_create(found)


def _result_of(event: log.Event) -> Result | None:
    pk, kind = UUID(event.stream_key), event.stream.partition("-")[0]
    if event.type == CalledOff.type and event.data["placements"] is None:
        return None
    return Result(
        type=kind,
        subject=pk,
        game=_game_of(kind, pk),
        at=event.recorded_at,
        public=_is_public(kind, pk),
        places=event.data["placements"] if event.type == CalledOff.type else None,
    )


def _game_of(kind: str, pk: UUID) -> str:
    if kind == Result.Kind.TOURNAMENT:
        tournament = TOURNAMENT.load(pk, log.Lock.NONE)
        if tournament is not None:
            return tournament.plan.game
    elif (game := load(pk)) is not None:
        return game.game
    raise LookupError(f"there is no {kind} {pk}, which ended")


def _is_public(kind: str, pk: UUID) -> bool:
    """Whether somebody who has to do with nothing gets it by its address."""
    try:
        if kind == Result.Kind.TOURNAMENT:
            selectors.tournament_for(None, pk)
        else:
            games.game_for(None, pk)
    except Refused:
        return False
    return True
