"""The page of a player, with their games, and what the page of the log shows of tournaments."""

from typing import Any

from django.contrib import admin

from core.accounts.admin import PlayerAdmin
from core.accounts.models import Player
from games.admin.site import site
from games.admin.stream import show_events_of
from games.selectors import SeatRow, game_title, seats_taken_by
from tournaments import selectors as tournaments
from tournaments.hooks import ABOUT_PLAYER

NEWEST = 30


@admin.register(Player, site=site)
class CompetitorAdmin(PlayerAdmin):
    def about(self, player: Player) -> dict[str, Any]:
        rows = list(seats_taken_by(player).order_by("-game__opened_at")[:NEWEST])
        return {
            "games": [_seat(seat) for seat in rows],
            "missed": sum(seat.timeouts for seat in rows),
            "parts": [about(player) for about in ABOUT_PLAYER],
        }


def _seat(seat: SeatRow) -> dict[str, Any]:
    placements = (seat.game.result or {}).get("placements", ())
    return {
        "game": seat.game,
        "title": game_title(seat.game),
        "game_id": seat.game_id,
        "resigned": seat.resigned,
        "lost_on_time": seat.lost_on_time,
        "timeouts": seat.timeouts,
        "place": next((row["place"] for row in placements if row["seat"] == seat.index), None),
    }


show_events_of("tournament", tournaments.shown_to_staff)
