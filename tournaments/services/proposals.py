"""Proposals to ratify rules, and the votes on them (RT1 to RT4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings

from core import clock as service_clock
from core.accounts.models import Player
from tournaments import models
from tournaments.services.commands import by_of, loaded, of_player
from tournaments.stream import By, Fact, Tournament, proposals
from tournaments.stream.evolve import folded


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal that was made, or with `dry_run` would be: its number, and the tournament as it then is."""

    n: int
    tournament: Tournament
    dry_run: bool = False


def propose(
    tournament_id: UUID,
    player: Player,
    body: Mapping[str, Any],
    *,
    now: datetime | None = None,
) -> Proposed:
    """Propose rules; `body` is that of ``POST tournaments/{id}/proposals``. Raises Invalid, which names the fields."""
    at = now or service_clock.now()
    read = proposals.read_proposal(body)
    if read.dry_run:
        t = loaded(tournament_id)
        facts = proposals.propose(t, by_of(player), read, now=at, day=one_day(), guests=guests_in(tournament_id))
        return Proposed(t.proposed + 1, folded(t, facts, at), dry_run=True)

    def decide(t: Tournament, by: By, at: datetime) -> tuple[int, Sequence[Fact]]:
        facts = proposals.propose(t, by, read, now=at, day=one_day(), guests=guests_in(tournament_id))
        return t.proposed + 1, facts

    done = of_player(tournament_id, player, decide, role="player", now=at, reason=read.reason, due=True)
    return Proposed(done.result, done.tournament)


def check_proposer(t: Tournament, player: Player) -> None:
    """Raises Forbidden where the player may not propose rules now."""
    electors = proposals.electors_of(t, service_clock.now(), one_day(), guests_in(t.id))
    proposals.proposer_of(t, by_of(player), electors)


def vote(tournament_id: UUID, player: Player, n: int, choice: str, *, now: datetime | None = None) -> Tournament:
    return of_player(
        tournament_id,
        player,
        lambda t, by, at: (None, proposals.vote(t, by, n, choice, now=at)),
        role="player",
        now=now,
        due=True,
    ).tournament


def withdraw_proposal(tournament_id: UUID, player: Player, n: int, *, now: datetime | None = None) -> Tournament:
    return of_player(
        tournament_id,
        player,
        lambda t, by, at: (None, proposals.withdraw(t, by, n, now=at)),
        role="player",
        now=now,
        due=True,
    ).tournament


def decide_proposal(
    tournament_id: UUID, player: Player, n: int, reason: str, *, ratified: bool, now: datetime | None = None
) -> Tournament:
    return of_player(
        tournament_id,
        player,
        lambda t, by, at: (None, proposals.decide(t, by, n, reason, ratified=ratified, now=at)),
        now=now,
        reason=reason,
        due=True,
    ).tournament


def guests_in(tournament_id: UUID) -> set[UUID]:
    """The entrants' players who are guests (RT2). One query."""
    players = models.Entrant.objects.filter(tournament=tournament_id, player__isnull=False).values("player")
    guests = Player.objects.filter(guest_seen_at__isnull=False, pk__in=players)
    return set(guests.values_list("pk", flat=True))


def one_day() -> timedelta:
    return timedelta(seconds=settings.TREY_PROPOSAL_DAY)
