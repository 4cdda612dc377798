from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from core import lasting, log
from core.accounts.models import Player
from core.refusals import NotFound
from games.selectors import known_outages
from tournaments import access
from tournaments.models import WAS_OPENED, Entrant, Tournament
from tournaments.projections import TOURNAMENT
from tournaments.selectors.record import NOBODY, bot_name
from tournaments.stream import Standing
from tournaments.stream.rounds import Timed, ends_at
from tournaments.stream.state import TAKES_PART


def tournament_for(player: Player | None, tournament_id: UUID, *, invitation: str | None = None) -> Tournament:
    """A tournament. Raises NotFound, also where the player (None: anonymous) may not know of it."""
    row = Tournament.objects.filter(pk=tournament_id).first()
    if row is None and TOURNAMENT.load(tournament_id, log.Lock.NONE) is not None:
        row = Tournament.objects.filter(pk=tournament_id).first()  # the rows were lost and have been rebuilt
    if row is None or not access.may_know(row, player, invitation):
        raise NotFound("not_found", "There is no such tournament.")
    return row


def tournaments_for(player: Player | None) -> QuerySet[Tournament]:
    public = WAS_OPENED & Q(visibility="public")
    if player is None:
        return Tournament.objects.filter(public)
    if player.acts_as_staff:
        return Tournament.objects.all()
    return Tournament.objects.filter(public | _theirs(player))


def neighbours_of(row: Tournament, player: Player | None) -> tuple[Tournament | None, list[Tournament]]:
    """The tournament that this one follows, and those that follow it (RT7), if the reader may know of them."""
    near = Q(after=row.pk) | Q(pk=row.after) if row.after is not None else Q(after=row.pk)
    rows = Tournament.objects.filter(near).only("title", "slug", "after", *access.READ).order_by("set_up_at", "id")
    found = [one for one in rows if access.may_know(one, player)]
    return next((one for one in found if one.pk == row.after), None), [one for one in found if one.after == row.pk]


def written_to(tournament_id: UUID) -> list[UUID]:
    rows = Entrant.objects.filter(tournament=tournament_id, standing__in=TAKES_PART, player__isnull=False)
    return [player for player in rows.order_by("number").values_list("player", flat=True) if player is not None]


def mine(tournaments: QuerySet[Tournament], player: Player) -> QuerySet[Tournament]:
    return tournaments.filter(_theirs(player))


def entry_of(tournament: Tournament, player: Player | None) -> Entrant | None:
    if player is None:
        return None
    return Entrant.objects.filter(tournament=tournament, player=player).exclude(standing=Standing.GONE).first()


def usernames(ids: Iterable[UUID]) -> dict[UUID, str]:
    """By id, without closed accounts."""
    return dict(Player.objects.filter(pk__in=set(ids)).values_list("pk", "username"))


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """All entrants with their players, in the order of entry. One query."""
    return list(Entrant.objects.filter(tournament=tournament).select_related("player").order_by("number"))


def names_of(tournament: Tournament) -> dict[str, str]:
    """The names of all entrants by key, of whom several may have the same one. One query."""
    return {one.key: name_of(one) for one in entrants_of(tournament)}


def name_of(entrant: Entrant) -> str:
    if entrant.player_id is None:
        return bot_name(entrant.state.bot)
    return entrant.player.username if entrant.player else NOBODY


def deadlines_of(rounds: Iterable[Timed], now: datetime) -> list[datetime | None]:
    """The deadlines of rounds as they are known now (LI2), in the same order. One query, none without a deadline."""
    rounds = list(rounds)
    began = [one.seated_at for one in rounds if one.deadline_at is not None]
    outages = known_outages(min(began), now) if began else ()
    return [ends_at(one, outages) for one in rounds]


def _theirs(player: Player) -> Q:
    entries = Entrant.objects.filter(tournament=OuterRef("pk"), player=player).exclude(standing__in=access.OUTSIDE)
    asked = Q(asked_organisers__contains=[player.pk]) | Q(offers__contains=[{"player": str(player.pk)}])
    return Q(organisers__contains=[player.pk]) | asked | (WAS_OPENED & Q(Exists(entries)))


def entries_of(player: Player) -> Iterator[dict[str, Any]]:
    """Every entry that the player has or had, oldest first."""
    own = Q(player=player.pk) | Q(former__contains=[player.pk])
    for entrant in lasting.in_batches(Entrant.objects.filter(own).select_related("tournament").order_by("since", "id")):
        plays = entrant.player_id == player.pk
        shown = ("since", "entered_at", "checked_in", "absences", "salt")
        yield {
            "tournament": entrant.tournament_id,
            "title": entrant.tournament.title if access.may_know(entrant.tournament, player) else None,
            "entrant": f"e{entrant.number}",
            "replaced": not plays,
            "status": entrant.standing if plays else None,
            **{name: getattr(entrant.state, name) if plays else None for name in shown},
        }


def organised_by(player: Player) -> Iterator[dict[str, Any]]:
    tournaments = Tournament.objects.filter(organisers__contains=[player.pk]).order_by("set_up_at", "id")
    for tournament in lasting.in_batches(tournaments):
        yield {
            "tournament": tournament.pk,
            "title": tournament.title,
            "status": tournament.status,
            "set_up_at": tournament.set_up_at,
        }
