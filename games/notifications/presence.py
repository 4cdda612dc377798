"""The players who are at a table: with a stream of the game, *seen* within two minutes, and willing to show it.

The processes that hold streams record them (`Watching`), and the API records *seen* (`Seen`); one statement works out
who is present.
"""

from datetime import datetime, timedelta
from uuid import UUID

from core.rows import fetch_all
from games.projections import Snapshot, load

SEEN_FOR = timedelta(minutes=2)
# A table of one person and bots is never together.
FEWEST = 2

OF_ALL = """
SELECT seat.game_id, seat.player_id
FROM notifications_seen seen
JOIN games_seat seat ON seat.game_id = seen.subject_id AND seat.player_id = seen.player_id
JOIN games_game game ON game.id = seat.game_id
JOIN accounts_player player ON player.id = seat.player_id
WHERE seen.at > %(since)s
  AND CASE coalesce(player.preferences ->> 'presence', 'private')
      WHEN 'always' THEN TRUE WHEN 'never' THEN FALSE ELSE game.visibility = 'private' END
  AND EXISTS (
      SELECT 1 FROM notifications_watching watching
      WHERE watching.subject_id = seen.subject_id AND watching.player_id = seen.player_id AND watching.until > %(now)s
  )
"""
OF_ONE = f"{OF_ALL} AND seen.subject_id = %(game)s"


def values(now: datetime) -> dict[str, datetime]:
    return {"now": now, "since": now - SEEN_FOR}


def present(game_id: UUID, now: datetime) -> set[UUID]:
    return {row[1] for row in fetch_all(OF_ONE, {**values(now), "game": game_id})}


def people(game: Snapshot) -> set[UUID]:
    """The people whose presence makes a table complete: all who still play for themselves."""
    return {seat.player for seat in game.players if seat.player is not None and seat.bot is None and not seat.resigned}


def are_together(game_id: UUID, now: datetime) -> bool:
    here = present(game_id, now)
    game = load(game_id) if len(here) >= FEWEST else None
    return game is not None and game.is_running and people(game) <= here
