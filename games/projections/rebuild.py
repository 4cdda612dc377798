"""Rebuilding a game's rows from the log."""

from collections.abc import Sequence
from uuid import UUID

from core import log
from games.projections.rows import insert
from games.projections.snapshot import evolve_all

GAME_ROWS = log.StreamRows(
    kind="game",
    table="games_game",
    parts=["games_seat"],
    column="game_id",
    texts="""
SELECT 'game', to_jsonb(g)::text FROM games_game g WHERE g.id = %(id)s
UNION ALL
SELECT 'seat ' || s.index, to_jsonb(s)::text FROM games_seat s WHERE s.game_id = %(id)s ORDER BY 1
""",
)


def rebuild(game_id: UUID) -> log.Rebuilt:
    """Drop a game's rows and rebuild them from its events, in one transaction; players notice nothing.

    A row without a stream is dropped and reported as a difference.
    """
    return GAME_ROWS.rebuild(game_id, _insert)


def _insert(events: Sequence[log.Event]) -> None:
    snapshot = evolve_all(events)
    if snapshot is not None:
        insert(snapshot)
