"""The rights to know of a tournament and its games, and to run it (LI7)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core.accounts.models import Player
from core.refusals import Forbidden
from games.selectors.belonging import BelongsTo, Owner
from tournaments.models import Entrant, Tournament
from tournaments.projections import state_of
from tournaments.stream import Standing
from tournaments.stream.entries import matches
from tournaments.stream.facts import check_season
from tournaments.stream.state import UNFINISHED, salt_for

OUTSIDE = (Standing.GONE, Standing.REMOVED)
"""Entrants with these standings do not take part: a private tournament is hidden from them."""

READ = ("status", "opened_at", "visibility", "invitation", "organisers", "asked_organisers", "offers")


def organises(tournament: Tournament, player: Player | None) -> bool:
    """Staff run all."""
    return player is not None and (player.acts_as_staff or player.pk in tournament.organisers)


def runs_one(player: Player) -> bool:
    """Return whether the player organises a tournament that is not over."""
    return Tournament.objects.filter(organisers__contains=[player.pk], status__in=UNFINISHED).exists()


def may_know(tournament: Tournament, player: Player | None, invitation: object = None) -> bool:
    """Whether somebody may know of it: public, theirs, or by invitation; a draft is for those who run it."""
    for_all = tournament.visibility == "public" or matches(invitation, tournament.invitation)
    if tournament.was_opened and for_all:
        return True
    return player is not None and not unknown({tournament.pk: tournament}, [(player, tournament.pk)])


def unknown(rows: Mapping[UUID, Tournament], pairs: Iterable[tuple[Player, UUID]]) -> set[tuple[UUID, UUID]]:
    """Which of these players may not know of which tournaments, by both ids. One query."""
    drafts = {pk for pk, row in rows.items() if not row.was_opened}
    private = {pk for pk, row in rows.items() if row.visibility != "public"} | drafts
    asked = [(who.pk, pk) for who, pk in pairs if pk in private and not _runs(rows[pk], who)]
    known = {pk for _, pk in asked} - drafts
    entries = Entrant.objects.filter(tournament__in=known, player__in={who for who, _ in asked})
    inside = entries.exclude(standing__in=OUTSIDE).values_list("player", "tournament") if known else ()
    return set(asked) - set(inside)


def _runs(tournament: Tournament, player: Player | None) -> bool:
    return organises(tournament, player) or (player is not None and is_asked(tournament, player))


def is_asked(tournament: Tournament, player: Player) -> bool:
    """Return whether the player is asked to organise it, or to play on for an entrant."""
    to_play = any(one["player"] == str(player.pk) for one in tournament.offers)
    return to_play or player.pk in tournament.asked_organisers


def _of(belongs_to: BelongsTo) -> Tournament | None:
    return Tournament.objects.filter(pk=belongs_to["tournament"]).first()


class Tournaments(Owner):
    def describe(self, games: Sequence[BelongsTo]) -> list[dict[str, Any] | None]:
        """`{"id", "title", "stage", "round", "table", "number"}` for each of the games. One query."""
        ids = {UUID(game["tournament"]) for game in games}
        titles = dict(Tournament.objects.filter(pk__in=ids).values_list("pk", "title"))
        return [
            {
                "id": game["tournament"],
                "title": titles.get(UUID(game["tournament"])),
                "stage": game.get("stage", 1),
                **{name: game[name] for name in ("round", "table", "number")},
            }
            for game in games
        ]

    def where(self, belongs_to: BelongsTo) -> str:
        """One query, in a season none."""
        if belongs_to["round"] is None:
            return ""
        row = Tournament.objects.only("state").filter(pk=belongs_to["tournament"]).first()
        return f"{row.state.round_name(belongs_to['round'])}, table {belongs_to['table']}" if row is not None else ""

    def admit(self, belongs_to: BelongsTo, game_id: UUID, player: Player) -> str:
        """The salt of an entrant's game. Raises Forbidden (not_an_entrant), Conflict (as `check_season`)."""
        entrants = Entrant.objects.filter(tournament=belongs_to["tournament"], player=player, standing=Standing.IN)
        entrant = entrants.select_related("tournament").first()
        if entrant is None or not entrant.tournament.state.is_in_stage(entrant.key):
            raise Forbidden("not_an_entrant", "Only entrants of the tournament can join this room.")
        check_season(state_of(entrant.tournament), service_clock.now())
        return salt_for(entrant.state.salt, game_id)

    def may_know(self, belongs_to: BelongsTo, player: Player | None) -> bool:
        """The games of a private tournament are visible to everybody who may know of the tournament."""
        return (tournament := _of(belongs_to)) is not None and may_know(tournament, player)

    def may_watch(self, belongs_to: BelongsTo, player: Player | None) -> bool:
        """Organisers see what the public would see (LI7)."""
        return (tournament := _of(belongs_to)) is not None and organises(tournament, player)

    def door(self, belongs_to: BelongsTo, player: Player) -> str | None:
        """Entrants and organisers hand the invitation on."""
        tournament = _of(belongs_to)
        if tournament is None:
            return None
        inside = tournament.entrants.filter(player=player).exclude(standing__in=OUTSIDE).exists()
        return tournament.door if inside or organises(tournament, player) else None

    def organisers(self, belongs_to: BelongsTo) -> Collection[UUID]:
        return tournament.organisers if (tournament := _of(belongs_to)) is not None else ()

    def organised_by(self, player: Player) -> Collection[UUID]:
        return set(Tournament.objects.filter(organisers__contains=[player.pk]).values_list("pk", flat=True))
