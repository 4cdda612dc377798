"""The bodies of requests."""

from collections.abc import Container, Mapping
from dataclasses import fields
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.http.fields import Choice, JSONObject, Strict, Text, Truth, Whole
from core.http.openapi import example, ref
from games import services
from games.api.bodies import GAME_NAMES
from games.bots import BOTS
from games.models import Game
from games.rules import GAMES

MAX_SEATS = 32
LEVELS = sorted(BOTS)
RULESETS = sorted({name for rules in GAMES.values() for name in rules.rulesets})


@extend_schema_field(ref("Clock"))
class ClockField(JSONObject):
    """A clock policy, checked by `games.clocks`."""


@extend_schema_field({"type": "string", "enum": RULESETS})
class RulesetField(Text):
    """The name of a ruleset. The service checks which rulesets a game has, and names them."""


class SaltField(Text):
    """The caller's part of the shuffles, taken as it stands."""

    def __init__(self, **more: Any) -> None:
        help_text = "Your part of the shuffles: 1 to 64 printable characters. Without it the server draws one for you."
        given: dict[str, Any] = {"required": False, "allow_null": True, "max_length": 64, "trim_whitespace": False}
        super().__init__(**{"help_text": help_text, **given, **more})


class StartField(Choice):
    """What starts a room."""

    def __init__(self, **more: Any) -> None:
        help_text = "`full`: it starts as soon as all seats are taken; its opener may start it before."
        super().__init__(choices=Game.Start.values, help_text=help_text, **more)


class TalkField(Choice):
    """What may be said at a table."""

    def __init__(self, **more: Any) -> None:
        help_text = "What may be said at the table. Left out: `all` in private rooms, `signs` in public ones."
        super().__init__(choices=Game.Talk.values, required=False, help_text=help_text, **more)


@example({"game": "threes", "seats": 2, "bots": 1})
class OpenRoomSerializer(Strict):
    """A room to open. The caller sits down in it."""

    game = Choice(choices=GAME_NAMES)
    ruleset = RulesetField(required=False, max_length=32, help_text="Optional. Each game has a default.")
    options = JSONObject(required=False, help_text="The options that differ from the ruleset's defaults.")
    seats = Whole(min_value=2, max_value=MAX_SEATS)
    visibility = Choice(required=False, default="public", choices=Game.Visibility.values)
    rated = Truth(required=False, default=True)
    plans = Truth(required=False, default=True, help_text="Whether players may leave plans for their next turns.")
    clock = ClockField(required=False)
    start = StartField(required=False, default=Game.Start.OPENER)
    talk = TalkField()
    bots = Whole(
        required=False,
        default=0,
        min_value=0,
        max_value=MAX_SEATS - 1,
        help_text="How many steady bots sit down after the caller. A room with bots is not rated.",
    )
    salt = SaltField()

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
class InvitedSerializer(Strict):
    """A request about a game that may be private."""

    invitation = Text(
        required=False, allow_null=True, max_length=64, help_text="The invitation code of a private room."
    )


@example({})
class JoinSerializer(InvitedSerializer):
    """The request to join a room."""

    salt = SaltField()


@example({"seats": 3})
class ChangeRoomSerializer(Strict):
    """The changes to an open room. What is left out stays as it is."""

    ruleset = RulesetField(required=False, max_length=32)
    options = JSONObject(
        required=False, help_text="The options that differ from the ruleset's defaults, in place of those before."
    )
    seats = Whole(required=False, min_value=2, max_value=MAX_SEATS)
    clock = ClockField(required=False, help_text="In place of the one before: what it leaves out has its default.")
    visibility = Choice(required=False, choices=Game.Visibility.values)
    start = StartField(required=False)
    talk = TalkField()


@example({})
class RematchSerializer(Strict):
    """The request for a rematch."""

    seats = Whole(
        required=False,
        min_value=2,
        max_value=MAX_SEATS,
        help_text="For the first who asks: more seats than before. The seats of the old table are kept for its "
        "people for a day.",
    )
    salt = SaltField()


@example({"level": "steady"})
class AddBotSerializer(Strict):
    """A bot that sits down."""

    level = Choice(required=False, default="steady", choices=LEVELS, help_text="How it plays.")


@example({"seat": 1})
class KickSerializer(Strict):
    """The seat to remove from the room."""

    seat = Whole(min_value=0, max_value=MAX_SEATS - 1)


@example({"username": "bob"})
class InviteSerializer(Strict):
    """The player to invite."""

    username = Text(max_length=40, help_text="In any case of its letters.")


@example({"version": 1})
class SeenSerializer(Strict):
    """The version of the game that you have seen."""

    version = Whole(help_text="A version of the game. A higher version includes all lower ones.")
