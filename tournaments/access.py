"""The rights to know of a tournament, and to run it (LI7)."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from core.accounts.models import Player
from tournaments.models import Entrant, Tournament
from tournaments.stream import Standing
from tournaments.stream.entries import matches
from tournaments.stream.state import UNFINISHED

OUTSIDE = (Standing.GONE, Standing.REMOVED)
"""Entrants with these standings do not take part: a private tournament is hidden from them."""

READ = ("status", "opened_at", "visibility", "invitation", "organisers", "asked_organisers", "offers")
"""The columns of a tournament that are read here."""


def organises(tournament: Tournament, player: Player | None) -> bool:
    """Return whether the player runs the tournament; staff run all."""
    return player is not None and (player.is_staff or player.is_superuser or player.pk in tournament.organisers)


def runs_one(player: Player) -> bool:
    """Return whether the player organises a tournament that is not over."""
    return Tournament.objects.filter(organisers__contains=[player.pk], status__in=UNFINISHED).exists()


def may_know(tournament: Tournament, player: Player | None, invitation: object = None) -> bool:
    """Return whether somebody may know of the tournament: it is public, or theirs, or they have the invitation.

    A draft is for its organisers and those asked to become one, also when it is cancelled without having been opened.
    """
    if _runs(tournament, player):
        return True
    if not tournament.was_opened:
        return False
    if tournament.visibility == "public" or matches(invitation, tournament.invitation):
        return True
    return player is not None and takes_part(tournament, player)


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


def takes_part(tournament: Tournament, player: Player) -> bool:
    """Return whether the player has an entry, even a waiting or withdrawn one. A removed player has none."""
    entries = Entrant.objects.filter(tournament=tournament, player=player)
    return entries.exclude(standing__in=OUTSIDE).exists()
