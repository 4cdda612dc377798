"""Lists of games, without a query for each."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.accounts.models import Player
from games.models import Game, Seat
from games.projections import with_seats
from games.rules import GAMES


def games_for(player: Player) -> QuerySet[Game]:
    """All games the player may find in a list (public ones and its own), seats and players loaded; in no order yet.

    Filter further with `status`, `game`; ``mine(queryset, player)`` keeps the player's own.
    """
    hidden = [name for name, rules in GAMES.items() if not rules.spectators]
    unseen = Q(visibility=Game.Visibility.PRIVATE) | Q(game__in=hidden, started_at__isnull=False)
    return with_seats(Game.objects.filter(~unseen | Exists(_own_seat(player))))


def mine(games: QuerySet[Game], player: Player) -> QuerySet[Game]:
    """Those of the games in which the player sits."""
    return games.filter(Exists(_own_seat(player)))


def turns_of(player: Player) -> QuerySet[Game]:
    """The games that wait for the player, most urgent first, seats and players loaded.

    Ordered by the player's own deadline (annotated as ``due_at``; none comes last), then the longest waiting.
    """
    waiting = Game.objects.filter(players__player=player, players__to_act=True, players__bot__isnull=True)
    ordered = waiting.annotate(due_at=F("players__due_at"))
    return with_seats(ordered).order_by(F("players__due_at").asc(nulls_last=True), "players__duty_since", "id")


def _own_seat(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(game=OuterRef("pk"), player=player)
