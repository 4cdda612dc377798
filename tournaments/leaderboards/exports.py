"""The ratings of a player, for the export of the account."""

from collections.abc import Iterator
from typing import Any

from core.accounts.models import Player
from games.rules import GAMES
from tournaments.leaderboards.rating import Rating
from tournaments.leaderboards.selectors import history


def ratings_of(player: Player) -> Iterator[dict[str, Any]]:
    """The player's rating after every rated game, league by league, oldest first."""
    for game in GAMES:
        for point in history(player, game):
            rating = Rating(point.mu, point.sigma)
            yield {
                "game": game,
                "game_id": point.game_id,
                "at": point.at,
                "place": point.place,
                "players": point.players,
                "rating": str(rating.shown),
                "deviation": str(rating.deviation),
            }
