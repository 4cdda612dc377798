"""Rebuilding a game's rows from the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from games.models import Game, stream_of
from games.platform import log
from games.projections.rows import insert
from games.projections.snapshot import evolve_all

# As text: byte for byte what the database holds.
_ROWS = """
SELECT 'game', to_jsonb(g)::text FROM games_game g WHERE g.id = %(id)s
UNION ALL
SELECT 'seat ' || s.index, to_jsonb(s)::text FROM games_seat s WHERE s.game_id = %(id)s ORDER BY 1
"""
_BEHIND = """
SELECT COALESCE(game.id, substr(stream.stream_id, 6)::uuid)
FROM (SELECT * FROM log_stream WHERE stream_id LIKE 'game-%' AND version > 0) AS stream
FULL JOIN games_game game ON stream.stream_id = 'game-' || game.id
WHERE game.version IS DISTINCT FROM stream.version
ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild: the number of events, and the rows that differed ("seat 1: was ..., is ...")."""

    id: UUID
    events: int
    differences: tuple[str, ...]


def game_ids() -> Iterator[UUID]:
    """Every game that has a row or a stream."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM games_game"
            " UNION SELECT substr(stream_id, 6)::uuid FROM log_stream WHERE stream_id LIKE 'game-%'"
            " ORDER BY 1"
        )
        ids = [row[0] for row in cursor.fetchall()]
    yield from ids


def games_behind() -> Iterator[UUID]:
    """Every game whose row is missing, or is not at the version of its stream."""
    with connection.cursor() as cursor:
        cursor.execute(_BEHIND)
        ids = [row[0] for row in cursor.fetchall()]
    yield from ids


def rebuild(game_id: UUID) -> Rebuilt:
    """Drop a game's rows and rebuild them from its events, in one transaction; players notice nothing.

    A row without a stream is dropped and reported as a difference.
    """
    with transaction.atomic():
        # One rebuild of a game at a time: a row lock would be lost when the row is replaced.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"rebuild {game_id}"])
        # Writers of this game wait, so that the events match the row.
        Game.objects.select_for_update().filter(pk=game_id).first()
        before = _rows(game_id)
        events = log.read(stream_of(game_id))
        with connection.cursor() as cursor:
            # Not by the ORM, which would also delete what belongs to the game but is not made from its log.
            cursor.execute("DELETE FROM games_seat WHERE game_id = %s", [game_id])
            cursor.execute("DELETE FROM games_game WHERE id = %s", [game_id])
        snapshot = evolve_all(events)
        if snapshot is not None:
            insert(snapshot)
        after = _rows(game_id)
    differences = tuple(
        f"{name}: was {before.get(name, 'missing')}, is {after.get(name, 'missing')}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    )
    return Rebuilt(game_id, len(events), differences)


def _rows(game_id: UUID) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, {"id": game_id})
        return dict(cursor.fetchall())
