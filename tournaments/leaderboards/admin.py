"""What the dashboard shows of leagues: ratings on the page of a player, and results on the page of the log."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string

from core import log
from core.accounts.models import Player
from games.admin.stream import show_events_of
from tournaments.hooks import ABOUT_PLAYER
from tournaments.leaderboards import profiles
from tournaments.leaderboards.stream import LEAGUE


def events_of_leagues(events: Sequence[log.Event]) -> dict[tuple[str, int], Mapping[str, Any]]:
    return {(event.stream, event.version): event.data for event in events}


@ABOUT_PLAYER.add
def ratings_of(player: Player) -> str:
    return render_to_string("leaderboards/about_player.html", {"leagues": profiles.ratings(player)})


show_events_of(LEAGUE.name, events_of_leagues)
