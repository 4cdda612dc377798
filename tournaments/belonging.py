"""The tournaments as owners of their games (`games.belonging.Owner`)."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from core.accounts.models import Player
from core.refusals import Forbidden
from games.belonging import BelongsTo, Owner
from tournaments import access
from tournaments.models import Entrant, Tournament
from tournaments.stream import Standing
from tournaments.stream.state import salt_for


class Tournaments(Owner):
    """The owner (`games.belonging.Owner`) of all games of tournaments."""

    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        """`{"id", "title", "stage", "round", "table", "number"}` for each of the games. One query."""
        ids = {UUID(game["tournament"]) for game in games}
        titles = dict(Tournament.objects.filter(pk__in=ids).values_list("pk", "title"))
        return [
            {
                "id": game["tournament"],
                "title": titles.get(UUID(game["tournament"])),
                "stage": game.get("stage", 1),
                "round": game["round"],
                "table": game["table"],
                "number": game["number"],
            }
            for game in games
        ]

    def admit(self, belongs_to: BelongsTo, game_id: UUID, player: Player) -> str:
        """The salt of an entrant's game. Raises Forbidden (not_an_entrant) for everybody else."""
        entrants = Entrant.objects.filter(tournament=belongs_to["tournament"], player=player, standing=Standing.IN)
        entrant = entrants.select_related("tournament").first()
        if entrant is None or not entrant.tournament.is_in_stage(entrant.key):
            raise Forbidden("not_an_entrant", "Only entrants of the tournament can join this room.")
        return salt_for(entrant.salt, game_id)

    def may_know(self, belongs_to: BelongsTo, player: Player | None) -> bool:
        """The games of a private tournament are visible to everybody who may know of the tournament."""
        tournament = Tournament.objects.filter(pk=belongs_to["tournament"]).first()
        return tournament is not None and access.may_know(tournament, player)

    def may_watch(self, belongs_to: BelongsTo, player: Player | None) -> bool:
        """Organisers see what the public would see (LI7)."""
        tournament = Tournament.objects.filter(pk=belongs_to["tournament"]).first()
        return tournament is not None and access.organises(tournament, player)

    def organisers(self, belongs_to: BelongsTo) -> Collection[UUID]:
        rows = Tournament.objects.filter(pk=belongs_to["tournament"]).values_list("organisers", flat=True)
        return [UUID(str(one)) for row in rows for one in row]

    def organised_by(self, player: Player) -> Collection[UUID]:
        return set(Tournament.objects.filter(organisers__contains=[player.pk]).values_list("pk", flat=True))
