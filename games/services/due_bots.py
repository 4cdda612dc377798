"""The games in which a bot has to move, by owner. `games.services.shares` says who the owner of a bot is."""

from datetime import datetime
from uuid import UUID

from django.db import connection

_DUE = """
SELECT coalesce(game.opener_id, game.id) AS owner, seat.game_id, min(seat.due_at) AS due_at
FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
WHERE seat.bot IS NOT NULL AND seat.due_at <= %s
GROUP BY seat.game_id, owner
"""
_IN_TURN = f"""
SELECT owner, game_id FROM (
    SELECT owner, game_id, due_at, row_number() OVER (PARTITION BY owner ORDER BY due_at, game_id) AS place
    FROM ({_DUE}) AS due
) AS ranked ORDER BY place, due_at, game_id LIMIT %s
"""  # noqa: S608  constants only
_FIRST_ONES = f"""
SELECT owner, game_id FROM (
    SELECT DISTINCT ON (owner) owner, game_id, due_at FROM ({_DUE}) AS due ORDER BY owner, due_at, game_id
) AS first ORDER BY due_at, game_id LIMIT %s
"""  # noqa: S608  constants only


def in_turn(now: datetime, limit: int) -> list[tuple[str, UUID]]:
    """Owners and games: the first game of each owner, then the second of each; those due longest first."""
    return _rows(_IN_TURN, now, limit)


def first_of_each_owner(now: datetime, limit: int) -> dict[str, UUID]:
    """For each owner the game due longest; the owner who has waited longest comes first."""
    return dict(_rows(_FIRST_ONES, now, limit))


def _rows(query: str, now: datetime, limit: int) -> list[tuple[str, UUID]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [now, limit])
        return [(str(owner), game_id) for owner, game_id in cursor.fetchall()]
