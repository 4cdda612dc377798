"""The tournaments of a player, for the export of the account."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from core import lasting
from core.accounts.models import Player
from tournaments import access
from tournaments.models import Entrant, Tournament


def entries_of(player: Player) -> Iterator[dict[str, Any]]:
    """Every entry that the player has or had, oldest first."""
    own = Q(player=player.pk) | Q(former__contains=[player.pk])
    for entrant in lasting.in_batches(Entrant.objects.filter(own).select_related("tournament").order_by("since", "id")):
        plays = entrant.player_id == player.pk
        yield {
            "tournament": entrant.tournament_id,
            "title": entrant.tournament.title if access.may_know(entrant.tournament, player) else None,
            "entrant": f"e{entrant.number}",
            "replaced": not plays,
            "status": entrant.standing if plays else None,
            "since": entrant.since if plays else None,
            "entered_at": entrant.entered_at if plays else None,
            "checked_in": entrant.checked_in if plays else None,
            "absences": entrant.absences if plays else None,
            "salt": entrant.salt if plays else None,
        }


def organised_by(player: Player) -> Iterator[dict[str, Any]]:
    """Every tournament that names the player as an organiser, oldest first."""
    tournaments = Tournament.objects.filter(organisers__contains=[player.pk]).order_by("set_up_at", "id")
    for tournament in lasting.in_batches(tournaments):
        yield {
            "tournament": tournament.pk,
            "title": tournament.title,
            "status": tournament.status,
            "set_up_at": tournament.set_up_at,
        }
