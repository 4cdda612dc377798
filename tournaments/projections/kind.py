"""Tournaments as a kind of stream: the executor loads, folds and saves them through `TOURNAMENT`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from games.platform import log
from tournaments import models, upcasts  # noqa: F401  what was stored before is read in its newest shape
from tournaments.models import stream_of
from tournaments.projections.rows import columns, save_parts, state_of
from tournaments.stream import Tournament, evolve, fold_all

PREFIX = "tournament."


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of a tournament's stream in the fold's form: the type without its prefix."""

    type: str
    data: Any
    version: int
    recorded_at: datetime


def happened(event: log.Happened) -> Happened:
    """The event in the fold's form."""
    return Happened(event.type.removeprefix(PREFIX), event.data, event.version, event.recorded_at)


class TournamentKind:
    """`games.platform.log.Kind` of tournaments."""

    name = "tournament"

    def load(self, stream_id: UUID, lock: log.Lock) -> Tournament | None:
        """The current state. Lost rows are rebuilt from the log."""
        found = self._look(stream_id, lock)
        if found is None and lock is not log.Lock.SKIP and log.read(stream_of(stream_id), upto=1):
            self.rebuild(stream_id)
            found = self._look(stream_id, lock)
        return found

    def evolve(self, state: Tournament | None, event: log.Happened) -> Tournament:
        """The state after one more event."""
        tournament_id = state.id if state is not None else UUID(event.stream.removeprefix("tournament-"))
        return evolve(tournament_id, state, happened(event))

    def save(self, before: Tournament | None, after: Tournament) -> None:
        """Write what has changed. Raises LostRace."""
        new = columns(after)
        if before is None:
            row = models.Tournament(id=after.id, **new)
            if not models.Tournament.objects.bulk_create([row], ignore_conflicts=True):
                raise log.LostRace(f"tournament {after.id} is there already")
        else:
            old = columns(before)
            changed = {name: value for name, value in new.items() if value != old[name]}
            rows = models.Tournament.objects.filter(pk=after.id, version=before.version)
            if not rows.update(**changed):
                raise log.LostRace(f"tournament {after.id} has moved on")
        save_parts(after)

    def rebuild(self, stream_id: UUID) -> Rebuilt:
        """Rebuild the rows from the log."""
        return rebuild(stream_id)

    def _look(self, stream_id: UUID, lock: log.Lock) -> Tournament | None:
        rows = models.Tournament.objects.filter(pk=stream_id)
        if lock is not log.Lock.NONE:
            rows = rows.select_for_update(no_key=True, skip_locked=lock is log.Lock.SKIP)
        row = rows.first()
        return None if row is None else state_of(row)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild: the number of events, and the rows that differed."""

    id: UUID
    events: int
    differences: tuple[str, ...]


# As text: byte for byte what the database holds.
_ROWS = """
SELECT 'tournament', (to_jsonb(t) - 'look_at')::text FROM tournaments_tournament t WHERE t.id = %(id)s
UNION ALL SELECT 'entrant e' || e.number, to_jsonb(e)::text FROM tournaments_entrant e WHERE e.tournament_id = %(id)s
UNION ALL SELECT 'round ' || r.number, to_jsonb(r)::text FROM tournaments_round r WHERE r.tournament_id = %(id)s
UNION ALL SELECT 'table ' || t.round || '/' || t.number, to_jsonb(t)::text
    FROM tournaments_table t WHERE t.tournament_id = %(id)s
UNION ALL SELECT 'game ' || g.game, to_jsonb(g)::text FROM tournaments_tournamentgame g WHERE g.tournament_id = %(id)s
UNION ALL SELECT 'proposal ' || p.n, to_jsonb(p)::text FROM tournaments_proposal p WHERE p.tournament_id = %(id)s
UNION ALL SELECT 'elector ' || e.proposal || '/e' || e.number, to_jsonb(e)::text
    FROM tournaments_elector e WHERE e.tournament_id = %(id)s
"""
_TABLES = (
    "tournaments_elector",
    "tournaments_proposal",
    "tournaments_tournamentgame",
    "tournaments_table",
    "tournaments_round",
    "tournaments_entrant",
)
_IDS = """
SELECT id FROM tournaments_tournament
UNION SELECT substr(stream_id, 12)::uuid FROM log_stream WHERE stream_id LIKE 'tournament-%'
ORDER BY 1
"""
_BEHIND = """
SELECT COALESCE(tournament.id, substr(stream.stream_id, 12)::uuid)
FROM (SELECT * FROM log_stream WHERE stream_id LIKE 'tournament-%' AND version > 0) AS stream
FULL JOIN tournaments_tournament tournament ON stream.stream_id = 'tournament-' || tournament.id
WHERE tournament.version IS DISTINCT FROM stream.version
ORDER BY 1
"""


def tournament_ids() -> Iterator[UUID]:
    """Every tournament that has a row or a stream."""
    with connection.cursor() as cursor:
        cursor.execute(_IDS)
        ids = [row[0] for row in cursor.fetchall()]
    yield from ids


def tournaments_behind() -> Iterator[UUID]:
    """Every tournament whose row is missing, or is not at the version of its stream."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND)
        ids = [row[0] for row in cursor.fetchall()]
    yield from ids


def rebuild(tournament_id: UUID) -> Rebuilt:
    """Drop a tournament's rows and rebuild them from its events, in one transaction.

    A row without a stream is dropped and reported as a difference.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # One rebuild at a time: a row lock would be lost when the row is replaced.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [stream_of(tournament_id)])
        list(models.Tournament.objects.select_for_update().filter(pk=tournament_id).values_list("pk"))
        before = _rows(tournament_id)
        for table in _TABLES:
            # Not by the ORM, which would also delete what belongs to the tournament but is not made from its log.
            cursor.execute(f"DELETE FROM {table} WHERE tournament_id = %s", [tournament_id])  # noqa: S608  constants
        cursor.execute("DELETE FROM tournaments_tournament WHERE id = %s", [tournament_id])
        events = log.read(stream_of(tournament_id))
        state = fold_all(tournament_id, (happened(event) for event in events))
        if state is not None:
            TOURNAMENT.save(None, state.unsettled())
        after = _rows(tournament_id)
    names = sorted(before.keys() | after.keys())
    differences = [
        f"{name}: was {before.get(name)}, is {after.get(name)}" for name in names if before.get(name) != after.get(name)
    ]
    return Rebuilt(tournament_id, len(events), tuple(differences))


def _rows(tournament_id: UUID) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, {"id": tournament_id})
        return dict(cursor.fetchall())


TOURNAMENT = TournamentKind()
