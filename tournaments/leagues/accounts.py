"""Who closes an account or asks to be left out disappears from the boards at once, and the ranks close up."""

from typing import Any

from django.dispatch import receiver

from games.accounts import signals
from games.accounts.models import Player
from tournaments.leagues.projection import refresh
from tournaments.leagues.selectors import refreshed_keys


@receiver(signals.closing)
@receiver(signals.preferences_changed)
def look_again(player: Player, **_: Any) -> None:
    """Take the player off the boards, or back onto them."""
    for game, keys in refreshed_keys(player.pk).items():
        refresh(game, keys)
