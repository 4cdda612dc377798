"""Rows of games for those to whom games belong, or who follow them: tournaments and leagues. They only read them."""

from collections.abc import Collection, Iterable
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Exists, IntegerField, Max, OuterRef, Prefetch, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from core import log
from core.accounts.models import Player
from games.models import Game, Seat, stream_of

GameRow: TypeAlias = Game
SeatRow: TypeAlias = Seat

UNFINISHED = ("open", "setup", "playing")
# States are large, and nobody who reads rows needs the secrets.
_LARGE_OR_SECRET = ("state", "secret", "salts", "invitation")
_AWAITED_SEAT = (
    "game_id",
    "index",
    "player_id",
    "bot",
    "to_act",
    "duty_since",
    "duty_extra",
    "due_at",
    "bank",
    "resigned",
)


def row_of(game_id: UUID, statuses: Collection[str] | None = None) -> Game | None:
    """The row of a game with its seats, if it has one of these statuses (None: any). Two queries."""
    rows = rows_of([game_id]) if statuses is None else rows_of([game_id]).filter(status__in=statuses)
    return rows.prefetch_related("players").first()


def rows_of(game_ids: Iterable[UUID]) -> QuerySet[Game]:
    """The rows of games."""
    return Game.objects.filter(pk__in=game_ids)


def games_of(tournament: UUID) -> QuerySet[Game]:
    """The games of a tournament."""
    return Game.objects.filter(tournament=tournament)


def last_number(tournament: UUID) -> int:
    """The number of a season's last room, 0 without any."""
    number = Cast(KeyTextTransform("number", "belongs_to"), IntegerField())
    newest: int | None = games_of(tournament).aggregate(number=Max(number))["number"]
    return newest or 0


def games_among(players: QuerySet[Any], game: str, rulesets: Collection[str]) -> QuerySet[Game]:
    """The games of no tournament in which only these players (a query of ids) sit, by one of the rulesets."""
    strangers = Seat.objects.filter(game=OuterRef("pk")).exclude(player__in=players)
    return Game.objects.filter(Q(tournament__isnull=True, game=game, ruleset__in=rulesets) & ~Exists(strangers))


def unfinished_of(player: Player, tournament: UUID) -> QuerySet[Game]:
    """The games of a tournament that are not over and in which the player sits."""
    seats = Seat.objects.filter(player=player, game__tournament=tournament)
    return Game.objects.filter(pk__in=seats.values("game"), status__in=UNFINISHED)


def with_people(rows: QuerySet[Game]) -> QuerySet[Game]:
    """These games with their seats and players, and without what is large or secret."""
    return rows.defer(*_LARGE_OR_SECRET).prefetch_related("players__player")


def awaited(game_ids: Iterable[UUID]) -> QuerySet[Game]:
    """Games with the columns that say whom they wait for."""
    seats = Seat.objects.only(*_AWAITED_SEAT)
    rows = rows_of(game_ids).only("status", "clock", "belongs_to", "started_at")
    return rows.prefetch_related(Prefetch("players", seats))


def newest_ended(player: Player, most: int) -> list[Game]:
    """The player's newest public games that are finished. Three queries."""
    own = Seat.objects.filter(player=player, game__visibility="public", game__status="finished")
    ids = list(own.order_by("-game__finished_at", "-game").values_list("game", flat=True)[:most])
    return sorted(with_people(rows_of(ids)), key=lambda game: ids.index(game.pk))


def seats_at(game_ids: Any) -> QuerySet[Seat]:
    """The seats of games, which may be a query of ids."""
    return Seat.objects.filter(game__in=game_ids)


def seats_with_games(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """These seats with their games, without what is large or secret there."""
    return seats.select_related("game").defer(*(f"game__{name}" for name in _LARGE_OR_SECRET))


def seats_taken_by(player: Player) -> QuerySet[Seat]:
    """The seats of a player, with their games."""
    return seats_with_games(Seat.objects.filter(player=player))


def stored_events(game_id: UUID, *, after: int = 0) -> list[log.Event]:
    """The events of a game's stream after a version, as they are stored."""
    return log.read(stream_of(game_id), after=after)
