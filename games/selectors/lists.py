"""Lists of games: rows to filter and to page by, whose games are then read with `load_all`."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from games.models import Game, Seat
from games.platform.accounts.models import Player
from games.rules import GAMES

NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def games_for(player: Player) -> QuerySet[Game]:
    """All games that the player may list (public ones and its own), unordered.

    Filter further with `status`, `game`; ``mine(queryset, player)`` keeps the player's own.
    """
    hidden = [name for name, rules in GAMES.items() if not rules.spectators]
    unseen = Q(visibility=Game.Visibility.PRIVATE) | Q(game__in=hidden, started_at__isnull=False)
    return Game.objects.filter(~unseen | Exists(_own_seat(player))).only("opened_at")


def open_rooms() -> QuerySet[Game]:
    """The public rooms in which people wait, newest first, without those of tournaments."""
    waiting = Game.objects.filter(
        game__in=list(GAMES), status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC, tournament__isnull=True
    )
    return waiting.order_by("-opened_at", "-id").only("opened_at")


def invited_by(code: str) -> UUID | None:
    """The room into which an invitation lets people, in any case of its letters."""
    rooms = Game.objects.filter(invitation=code.strip().upper())
    return rooms.values_list("pk", flat=True).first()


def mine(games: QuerySet[Game], player: Player) -> QuerySet[Game]:
    """The games in which the player sits."""
    return games.filter(Exists(_own_seat(player)))


def turns_of(player: Player) -> QuerySet[Game]:
    """The games that wait for the player, most urgent first.

    Ordered by the player's own deadline (annotated as ``due_at``; without one it comes last), then the longest waiting
    (``waits_since``).
    """
    waiting = Game.objects.filter(players__player=player, players__to_act=True, players__bot__isnull=True)
    due_at = Coalesce("players__due_at", Value(NEVER, DateTimeField()))
    ordered = waiting.annotate(due_at=due_at, waits_since=F("players__duty_since"))
    return ordered.order_by("due_at", "waits_since", "id").only("id")


def _own_seat(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(game=OuterRef("pk"), player=player)
