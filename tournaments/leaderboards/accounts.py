"""A player who closes the account or opts out leaves the boards at once, and the ranks close up."""

from typing import Any

from django.dispatch import receiver

from core.accounts import signals
from core.accounts.models import Player
from tournaments.leaderboards.projection import refresh
from tournaments.leaderboards.selectors import refreshed_keys


@receiver(signals.closing)
@receiver(signals.preferences_changed)
def look_again(player: Player, **_: Any) -> None:
    """Remove the player from the boards, or put them back."""
    for game, keys in refreshed_keys(player.pk).items():
        refresh(game, keys)
