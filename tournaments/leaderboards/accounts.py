"""What leagues do for accounts: who closes one or opts out leaves the boards at once; ratings are exported."""

from collections.abc import Iterator
from typing import Any

from django.dispatch import receiver

from core.accounts import signals
from core.accounts.models import Player
from games.rules import GAMES
from tournaments.leaderboards.projection import refresh
from tournaments.leaderboards.rating import Rating
from tournaments.leaderboards.selectors import history, refreshed_keys


@receiver(signals.closing)
@receiver(signals.preferences_changed)
def look_again(player: Player, **_: Any) -> None:
    """Remove the player from the boards, or put them back."""
    for game, keys in refreshed_keys(player.pk).items():
        refresh(game, keys)


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
