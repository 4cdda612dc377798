"""Tournaments as a kind of stream: the executor loads, folds and saves them through `TOURNAMENT`."""

from collections.abc import Sequence
from uuid import UUID

from core import log
from tournaments import models
from tournaments.models import stream_of
from tournaments.projections.rows import columns, held, save_parts, whole
from tournaments.stream import Tournament, evolve, fold_all
from tournaments.stream.evolve import Happened

PREFIX = "tournament."


def happened(event: log.Happened) -> Happened:
    return Happened(event.type.removeprefix(PREFIX), event.data, event.version, event.recorded_at)


class TournamentKind:
    name = "tournament"

    def load(self, stream_id: UUID, lock: log.Lock) -> Tournament | None:
        """Lost rows are rebuilt from the log. A locked state (WAIT, SKIP) reads its parts when they are needed."""
        found = _look(stream_id, lock)
        if found is None and lock is not log.Lock.SKIP and log.read(stream_of(stream_id), upto=1):
            self.rebuild(stream_id)
            found = _look(stream_id, lock)
        return found

    def evolve(self, state: Tournament | None, event: log.Happened) -> Tournament:
        tournament_id = state.id if state is not None else UUID(event.stream.removeprefix("tournament-"))
        return evolve(tournament_id, state, happened(event))

    def save(self, before: Tournament | None, after: Tournament) -> None:
        """Raises LostRace."""
        new = columns(after)
        if before is None:
            log.insert_row(models.Tournament(id=after.id, **new))
        else:
            old = columns(before)
            changed = {name: value for name, value in new.items() if value != old[name]}
            rows = models.Tournament.objects.filter(pk=after.id, version=before.version)
            if not rows.update(**changed):
                raise log.LostRace(f"tournament {after.id} has moved on")
        save_parts(after)

    def rebuild(self, stream_id: UUID) -> log.Rebuilt:
        return rebuild(stream_id)


def _look(tournament_id: UUID, lock: log.Lock) -> Tournament | None:
    if lock is log.Lock.NONE:
        return whole(tournament_id)
    return held(tournament_id, skip_locked=lock is log.Lock.SKIP)


TOURNAMENT_ROWS = log.StreamRows(
    kind="tournament",
    table="tournaments_tournament",
    parts=[
        "tournaments_elector",
        "tournaments_proposal",
        "tournaments_tournamentgame",
        "tournaments_table",
        "tournaments_round",
        "tournaments_entrant",
    ],
    column="tournament_id",
    texts="""
SELECT 'tournament', (to_jsonb(t) - 'look_at')::text FROM tournaments_tournament t WHERE t.id = %(id)s
UNION ALL SELECT 'entrant e' || e.number, to_jsonb(e)::text FROM tournaments_entrant e WHERE e.tournament_id = %(id)s
UNION ALL SELECT 'round ' || r.number, to_jsonb(r)::text FROM tournaments_round r WHERE r.tournament_id = %(id)s
UNION ALL SELECT 'table ' || t.round || '/' || t.number, to_jsonb(t)::text
    FROM tournaments_table t WHERE t.tournament_id = %(id)s
UNION ALL SELECT 'game ' || g.game, to_jsonb(g)::text FROM tournaments_tournamentgame g WHERE g.tournament_id = %(id)s
UNION ALL SELECT 'proposal ' || p.n, to_jsonb(p)::text FROM tournaments_proposal p WHERE p.tournament_id = %(id)s
UNION ALL SELECT 'elector ' || e.proposal || '/e' || e.number, to_jsonb(e)::text
    FROM tournaments_elector e WHERE e.tournament_id = %(id)s
""",
)


def rebuild(tournament_id: UUID) -> log.Rebuilt:
    """Drop a tournament's rows and make them again, in one transaction. A row without a stream is a difference."""

    def write(events: Sequence[log.Event]) -> None:
        state = fold_all(tournament_id, (happened(event) for event in events))
        if state is not None:
            TOURNAMENT.save(None, state.unsettled())

    return TOURNAMENT_ROWS.rebuild(tournament_id, write)


TOURNAMENT = TournamentKind()
