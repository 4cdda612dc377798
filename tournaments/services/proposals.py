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
from tournaments import models, selectors
from tournaments.services.commands import Done, as_player, by_of, loaded, of_player
from tournaments.services.simulations import simulate
from tournaments.stream import By, Fact, Tournament, proposals
from tournaments.stream.evolve import folded


@dataclass(frozen=True, slots=True)
class Proposed:
    n: int
    tournament: Tournament
    dry_run: bool = False


def propose(tournament_id: UUID, player: Player, body: Mapping[str, Any]) -> Proposed:
    """Propose rules; `body` is that of ``POST tournaments/{id}/proposals``. Raises Invalid, which names the fields."""
    at = service_clock.now()
    read = proposals.read_proposal(body)

    def decide(t: Tournament, by: By, at: datetime) -> list[Fact]:
        guests, out = guests_in(tournament_id), knocked_out(t)
        return proposals.propose(t, by, read, now=at, day=one_day(), guests=guests, out=out)

    if read.dry_run:
        t = loaded(tournament_id)
        return Proposed(t.proposed + 1, folded(t, decide(t, by_of(player), at), at), dry_run=True)

    with transaction.atomic():
        done = as_player(tournament_id, player, decide, reason=read.reason, due=True)
        simulate(done.tournament, done.tournament.proposed, at)
    return Proposed(done.tournament.proposed, done.tournament)


def check_proposer(t: Tournament, player: Player) -> None:
    """Raises Forbidden where the player may not propose rules now."""
    electors = proposals.electors_of(t, service_clock.now(), one_day(), guests_in(t.id), knocked_out(t))
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


def guests_in(tournament_id: UUID) -> set[UUID]:
    """The entrants' players who are guests (RT2). One query."""
    players = models.Entrant.objects.filter(tournament=tournament_id, player__isnull=False).values("player")
    guests = Player.objects.filter(guest_seen_at__isnull=False, pk__in=players)
    return set(guests.values_list("pk", flat=True))


def knocked_out(t: Tournament) -> set[str]:
    """The entrants who are out in the present stage, a knockout (ST10)."""
    if t.plan.kind != "knockout" or t.seated == t.seated_before:
        return set()
    rows = selectors.standings_for(t.id, t.version)["standings"]
    return {row["entrant"] for row in rows if row["status"] == "out"}


def one_day() -> timedelta:
    return timedelta(seconds=settings.TREY_PROPOSAL_DAY)
