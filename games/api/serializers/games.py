"""A room or game as the caller may see it, and the bodies of the lobby's calls.

The context of GameSerializer holds `player`, the caller, and for a list `outages` and `tournaments` (by game), looked
up once for all of it. What is not a field here is not shown.
"""

from collections.abc import Container, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games import belonging, selectors, services
from games.bots import BOTS
from games.clocks import clock_schema
from games.http.fields import Choice, JSONObject, Sorted, Strict, Text, Truth, Whole
from games.http.openapi import example, ref
from games.models import Game, Seat
from games.rules import GAMES

MAX_SEATS = 32
GAME_NAMES = sorted(GAMES)
LEVELS = sorted(BOTS)
CLOCK_KEYS = tuple(clock_schema()["properties"])


class PlayerRefSerializer(serializers.Serializer[Any]):
    """A player, as others see them."""

    id = serializers.UUIDField()
    username = serializers.CharField(allow_null=True, help_text="null if the account was closed.")


class SeatSerializer(serializers.Serializer[Seat]):
    """A seat with its player, its bot, or a player for whom a bot plays."""

    seat = serializers.IntegerField(source="index", min_value=0)
    player = serializers.SerializerMethodField()
    bot = serializers.SerializerMethodField()

    @extend_schema_field(PlayerRefSerializer(allow_null=True))
    def get_player(self, seat: Seat) -> dict[str, Any] | None:
        if seat.player_id is None:
            return None
        try:
            player = seat.player
        except ObjectDoesNotExist:
            player = None
        return {"id": str(seat.player_id), "username": player.username if player else None}

    @extend_schema_field(ref("Bot", nullable=True))
    def get_bot(self, seat: Seat) -> dict[str, Any] | None:
        return {"level": seat.bot["level"]} if seat.bot is not None else None


class TournamentRefSerializer(serializers.Serializer[Any]):
    """The tournament that a game belongs to."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    round = serializers.IntegerField(allow_null=True, help_text="null: a free game of a season.")
    table = serializers.IntegerField(allow_null=True)


class GameSerializer(serializers.Serializer[Game]):
    """A room or a game, as the caller may see it."""

    id = serializers.UUIDField()
    game = Choice(choices=GAME_NAMES)
    ruleset = serializers.CharField()
    options = Sorted(help_text="All options, defaults included. GET rulesets has their schema.")
    visibility = Choice(choices=Game.Visibility.values)
    status = Choice(choices=Game.Status.values)
    seats = serializers.IntegerField(help_text="How many can sit down; once the game has started, how many play.")
    players = SeatSerializer(many=True, source="seat_rows")
    your_seat = serializers.SerializerMethodField()
    opener = serializers.SerializerMethodField()
    version = serializers.IntegerField(help_text="The number of the game's events, those of the lobby included.")
    to_act = serializers.SerializerMethodField()
    deadlines = serializers.SerializerMethodField()
    deadline_at = serializers.SerializerMethodField()
    timeouts = serializers.SerializerMethodField()
    rated = serializers.BooleanField()
    clock = serializers.SerializerMethodField()
    live_url = serializers.SerializerMethodField()
    invitation = serializers.SerializerMethodField()
    rematch_of = serializers.UUIDField(source="rematch_of_id", allow_null=True)
    tournament = serializers.SerializerMethodField()
    opened_at = serializers.DateTimeField()
    moved_at = serializers.DateTimeField(help_text="When the last event was recorded.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True, help_text="When it was finished or cancelled.")
    view = serializers.SerializerMethodField()

    @extend_schema_field({"type": ["integer", "null"], "description": "null if the caller does not play."})
    def get_your_seat(self, game: Game) -> int | None:
        return game.seat_of(self.context["player"])

    @extend_schema_field({"type": ["integer", "null"], "description": "The seat of the opener, who starts the game."})
    def get_opener(self, game: Game) -> int | None:
        if game.opener_id is None:
            return None
        return next((seat.index for seat in game.seat_rows() if seat.player_id == game.opener_id), None)

    @extend_schema_field({"type": "array", "items": {"type": "integer"}, "description": "The seats that may move now."})
    def get_to_act(self, game: Game) -> list[int]:
        return [seat.index for seat in game.seat_rows() if seat.to_act]

    @extend_schema_field(
        {
            "type": "object",
            "additionalProperties": {"type": "string", "format": "date-time"},
            "description": "By seat number: the deadline of that seat. GET games/{id}/clock explains it.",
        }
    )
    def get_deadlines(self, game: Game) -> dict[str, str]:
        return {str(seat): _time(due) for seat, due in self._deadlines(game).items()}

    @extend_schema_field(
        {"type": ["string", "null"], "format": "date-time", "description": "The earliest of the deadlines."}
    )
    def get_deadline_at(self, game: Game) -> str | None:
        due = self._deadlines(game)
        return _time(min(due.values())) if due else None

    @extend_schema_field(
        {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "description": "By seat number: the turns missed in that seat.",
        }
    )
    def get_timeouts(self, game: Game) -> dict[str, int]:
        return {str(seat.index): seat.timeouts for seat in game.seat_rows() if seat.timeouts}

    @extend_schema_field(TournamentRefSerializer(allow_null=True))
    def get_tournament(self, game: Game) -> dict[str, Any] | None:
        known = cast("dict[str, Any]", self.context).get("tournaments")
        return (belonging.described([game]) if known is None else known).get(game.pk)

    def _deadlines(self, game: Game) -> dict[int, datetime]:
        # Two fields need them.
        context = cast("dict[str, Any]", self.context)
        known: dict[UUID, dict[int, datetime]] = context.setdefault("deadlines", {})
        if game.pk not in known:
            known[game.pk] = selectors.deadlines(game, context.get("outages"))
        return known[game.pk]

    @extend_schema_field(ref("Clock"))
    def get_clock(self, game: Game) -> dict[str, Any]:
        return {key: game.clock[key] for key in CLOCK_KEYS}

    @extend_schema_field({"type": ["string", "null"], "description": "null if this server has no live streams."})
    def get_live_url(self, game: Game) -> str | None:
        return None

    @extend_schema_field({"type": ["string", "null"], "description": "The code of a private room, for its players."})
    def get_invitation(self, game: Game) -> str | None:
        return game.invitation if game.seat_of(self.context["player"]) is not None else None

    @extend_schema_field(ref("View", nullable=True))
    def get_view(self, game: Game) -> dict[str, Any] | None:
        return selectors.view_of(game, self.context["player"])


class FairnessSerializer(serializers.Serializer[Any]):
    """What the shuffles of a game are made of. docs/fairness.md says how to check them."""

    scheme = serializers.CharField(help_text="trey-fairness/1.")
    commitment = serializers.CharField(help_text="SHA-256 over the secret, published when the room was opened (hex).")
    salts = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="The players' part, in seat order; null: not started."
    )
    dealer = serializers.IntegerField(allow_null=True)
    shuffles = serializers.IntegerField(help_text="How many shuffles there have been.")
    secret = serializers.CharField(allow_null=True, help_text="What opens the commitment (hex); null: not finished.")


@extend_schema_field(ref("Clock"))
class ClockField(JSONObject):
    """A clock policy, checked by `games.clocks`."""


@example({"game": "threes", "seats": 2, "bots": 1})
class OpenRoomSerializer(Strict):
    """A room to open. The caller sits down in it."""

    game = Choice(choices=GAME_NAMES)
    ruleset = Text(required=False, max_length=32, help_text="Optional. Each game has a default.")
    options = JSONObject(required=False, help_text="The options that differ from the ruleset's defaults.")
    seats = Whole(min_value=2, max_value=MAX_SEATS)
    visibility = Choice(required=False, default="public", choices=Game.Visibility.values)
    rated = Truth(required=False, default=True)
    clock = ClockField(required=False)
    bots = Whole(
        required=False,
        default=0,
        min_value=0,
        max_value=MAX_SEATS - 1,
        help_text="How many steady bots sit down after the caller. A room with bots is not rated.",
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            known = cast("dict[str, Any]", error.detail)
            raise serializers.ValidationError({**known, **self._errors_of_terms(data, known)}) from None

    def _errors_of_terms(self, data: Mapping[str, Any], known: Container[str]) -> dict[str, list[str]]:
        """The errors that the service would find in the other fields, so that all are reported at once."""
        names = [field.name for field in fields(services.Terms)]
        sent: dict[str, Any] = {name: data[name] for name in names if name in data}
        terms = services.Terms(**{"game": "", "seats": 0, **sent})
        return {
            field: [detail]
            for _, field, detail in services.errors_of(terms)
            if (name := field.partition(".")[0]) in data and name not in known
        }


@example({})
class JoinSerializer(Strict):
    """What joining takes."""

    invitation = Text(
        required=False, allow_null=True, max_length=64, help_text="The invitation code of a private room."
    )


@example({"level": "steady"})
class AddBotSerializer(Strict):
    """A bot that sits down."""

    level = Choice(required=False, default="steady", choices=LEVELS, help_text="How it plays.")


@example({"seat": 1})
class KickSerializer(Strict):
    """The seat to remove from the room."""

    seat = Whole(min_value=0, max_value=MAX_SEATS - 1)


def _time(at: Any) -> str:
    return str(serializers.DateTimeField().to_representation(at))
