"""The games in which a bot has to move, by owner.

The owner of a game's bots is the player who opened it. A tournament's table is its own owner: it belongs to those who
play there.
"""

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
SELECT game_id FROM (
    SELECT owner, game_id, due_at, row_number() OVER (PARTITION BY owner ORDER BY due_at, game_id) AS place
    FROM ({_DUE}) AS due
) AS ranked ORDER BY place, due_at, game_id LIMIT %s
"""  # noqa: S608  constants only
_FIRST_ONES = f"""
SELECT game_id FROM (
    SELECT DISTINCT ON (owner) owner, game_id, due_at FROM ({_DUE}) AS due ORDER BY owner, due_at, game_id
) AS first ORDER BY due_at, game_id LIMIT %s
"""  # noqa: S608  constants only


def in_turn(now: datetime, limit: int) -> list[UUID]:
    """The first game of each owner, then the second of each; those due longest first."""
    return _games(_IN_TURN, now, limit)


def first_of_each_owner(now: datetime, limit: int) -> list[UUID]:
    """The game due longest of each owner; the owner who has waited longest comes first."""
    return _games(_FIRST_ONES, now, limit)


def _games(query: str, now: datetime, limit: int) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(query, [now, limit])
        return [game_id for (game_id,) in cursor.fetchall()]
