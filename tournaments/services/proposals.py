"""Proposals to ratify rules, and the votes on them (RT1 to RT4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from core import clock as service_clock
from core.accounts.models import Player
from games import services as games
from tournaments import models, selectors
from tournaments.hooks import PROPOSED
from tournaments.services.commands import Done, as_player, by_of, loaded, of_player
from tournaments.stream import By, Fact, Tournament, proposals
from tournaments.stream.events import folded


@dataclass(frozen=True, slots=True)
class Proposed:
    n: int
    tournament: Tournament
    dry_run: bool = False


def propose(tournament_id: UUID, player: Player, body: Mapping[str, Any]) -> Proposed:
    """Propose rules; `body` is that of ``POST tournaments/{id}/proposals``. Raises Invalid, which names the fields."""
    at = service_clock.now()
    if "house_game" in body:
        named = games.with_saved(player, {"game": loaded(tournament_id).plan.game, **body})
        body = {key: value for key, value in named.items() if key != "game"}
    read = proposals.read_proposal(body)

    def decide(t: Tournament, by: By, at: datetime) -> list[Fact]:
        return proposals.propose(t, by, read, now=at, day=one_day(), **without_a_vote(t))

    if read.dry_run:
        t = loaded(tournament_id)
        return Proposed(t.proposed + 1, folded(t, decide(t, by_of(player), at), at), dry_run=True)

    with transaction.atomic():
        done = as_player(tournament_id, player, decide, reason=read.reason, due=True)
        for hear in PROPOSED:
            hear(done.tournament, done.tournament.proposed, at)
    return Proposed(done.tournament.proposed, done.tournament)


def check_proposer(t: Tournament, player: Player) -> None:
    """Raises Forbidden where the player may not propose rules now."""
    electors = proposals.electors_of(t, service_clock.now(), one_day(), **without_a_vote(t))
    proposals.proposer_of(t, by_of(player), electors)


def vote(tournament_id: UUID, player: Player, n: int, choice: str) -> Done:
    return as_player(tournament_id, player, lambda t, by, at: proposals.vote(t, by, n, choice, now=at), due=True)


def withdraw_proposal(tournament_id: UUID, player: Player, n: int) -> Done:
    return as_player(tournament_id, player, lambda t, by, at: proposals.withdraw(t, by, n, now=at), due=True)


def decide_proposal(tournament_id: UUID, player: Player, n: int, reason: str, *, ratified: bool) -> Done:
    return of_player(
        tournament_id,
        player,
        lambda t, by, at: proposals.decide(t, by, n, reason, ratified=ratified, now=at),
        reason=reason,
        due=True,
    )


def without_a_vote(t: Tournament) -> dict[str, Any]:
    """The entrants' players who are `guests`, and the entrants who are `out` (RT2)."""
    players = models.Entrant.objects.filter(tournament=t.id, player__isnull=False).values("player")
    guests = Player.objects.filter(guest_seen_at__isnull=False, pk__in=players)
    out = selectors.out_of(models.Tournament.objects.get(pk=t.id))
    return {"guests": set(guests.values_list("pk", flat=True)), "out": out}


def one_day() -> timedelta:
    return timedelta(seconds=settings.TREY_PROPOSAL_DAY)
