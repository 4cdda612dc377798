"""A player's people: with whom they finished a private game, or two others. Nobody else sees the list."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Max, Q

from core.accounts import blocking
from core.accounts.models import Player
from games.models import Game, Seat

MOST_PEOPLE = 200
LEFT_OUT = "not_in_people"
"""The preference that takes a player out of all others' lists."""


class Person(NamedTuple):
    id: UUID
    username: str
    games: int
    last_at: datetime


def people_of(player: Player) -> list[Person]:
    """The accounts that are kept, the last first, without those whom the player blocked or was blocked by."""
    blocked = blocking.those_blocked_by(player.pk) | blocking.those_who_blocked(player.pk)
    together = Seat.objects.filter(
        game__in=Seat.objects.filter(player=player).values("game"),
        game__status=Game.Status.FINISHED,
        player__is_active=True,
        player__closed_at=None,
        player__guest_seen_at=None,
    )
    together = together.exclude(player__preferences__contains={LEFT_OUT: True}).exclude(
        player__in=[player.pk, *blocked]
    )
    found = together.values("player", "player__username").annotate(
        games=Count("game"),
        private=Count("game", filter=Q(game__visibility=Game.Visibility.PRIVATE)),
        last_at=Max("game__finished_at"),
    )
    found = found.filter(Q(private__gt=0) | Q(games__gt=1)).order_by("-last_at", "player")
    columns = ("player", "player__username", "games", "last_at")
    return [Person(*row) for row in found.values_list(*columns)[:MOST_PEOPLE]]


def exported_people(player: Player) -> Iterator[dict[str, Any]]:
    return (person._asdict() for person in people_of(player))
