"""The games of a player, for the export of the account."""

from collections.abc import Iterator
from typing import Any

from core import lasting
from core.accounts.models import Player
from games.models import Plan, Seat


def seats_of(player: Player) -> Iterator[dict[str, Any]]:
    """Every room and game in which the player has a seat, oldest first, with what is stored about the player there.

    Cards are not in it: `GET games/{id}/record` has those of a finished game.
    """
    plans = dict(Plan.objects.filter(player=player.pk).values_list("game_id", "plan"))
    seats = Seat.objects.filter(player=player.pk).select_related("game").order_by("joined_at", "id")
    for seat in lasting.in_batches(seats):
        game = seat.game
        placements = (game.result or {}).get("placements", ())
        own = next((one for one in placements if one["seat"] == seat.index), None)
        yield {
            "id": game.pk,
            "game": game.game,
            "ruleset": game.ruleset,
            "status": game.status,
            "visibility": game.visibility,
            "rated": game.rated,
            "tournament": game.tournament,
            "opened_by_you": game.opener_id == player.pk,
            "seat": seat.index,
            "joined_at": seat.joined_at,
            "started_at": game.started_at,
            "finished_at": game.finished_at,
            "place": own["place"] if own else None,
            "score": own["score"] if own else None,
            "resigned": seat.resigned,
            "timeouts": seat.timeouts,
            "lost_on_time": seat.lost_on_time,
            "played_by_bot": seat.bot is not None,
            "agrees_to_cancel": seat.agrees_to_cancel,
            "plan": plans.get(game.pk),
        }
