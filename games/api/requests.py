"""The bodies of requests."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any

from core.http.bodies import RequestBody
from core.http.openapi import example, ref
from core.values import LEFT_OUT, Faults, Value, value
from games import services
from games.api.bodies import GAME_NAMES
from games.bots import LEVELS as BOT_LEVELS
from games.models import Game
from games.rules import PLAYED
from games.services.terms import Start, Talk, Visibility

MAX_SEATS = 32
LEVELS = sorted(BOT_LEVELS)
RULESETS = sorted({name for rules in PLAYED.values() for name in rules.rulesets})
_RULESET = {"type": "string", "enum": RULESETS}
_OPTIONS = "The options that differ from the ruleset's defaults"

Seats = Annotated[int, Value(least=2, most=MAX_SEATS)]
Clock = Annotated[dict[str, Any], Value(schema=ref("Clock"))]
Salt = Annotated[
    str | None,
    Value(
        most=64,
        exact=True,
        help="Your part of the shuffles: 1 to 64 printable characters. If you leave it out, the server draws one "
        "for you.",
    ),
]


@example({"game": "threes", "seats": 2, "bots": 1})
class OpenRoomRequest(RequestBody):
    """The room to open. The caller takes its first seat."""

    game: str = value(words=GAME_NAMES)
    ruleset: str = value(LEFT_OUT, most=32, schema=_RULESET, help="Optional. Each game has a default.")
    options: dict[str, Any] = value(LEFT_OUT, help=f"{_OPTIONS}.")
    house_game: str = value(
        LEFT_OUT, most=36, help="The id of a saved house game. Its newest rules are used instead of `options`."
    )
    seats: Seats
    visibility: Visibility = "public"
    rated: bool = value(LEFT_OUT, help="Default: `true`; house games are never rated.")
    plans: bool = value(True, help="Whether players can leave plans for their next turns.")
    clock: Clock = LEFT_OUT
    start: Start = Game.Start.OPENER.value
    talk: Talk = LEFT_OUT
    bots: int = value(
        0,
        least=0,
        most=MAX_SEATS - 1,
        help="How many bots to add, at level `steady`, or `plain` in a house game. A room with bots is not rated.",
    )
    salt: Salt = LEFT_OUT

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        """What the service would find in the other fields, so that all errors are reported at once."""
        if not faults:
            return
        sent: dict[str, Any] = {one.name: given[one.name] for one in fields(services.Terms) if one.name in given}
        for _, field, detail in services.errors_of(services.Terms(**{"game": "", "seats": 0, **sent})):
            if (name := field.partition(".")[0]) in given and name not in faults:
                faults.refuse(field, detail)


@example({})
class InvitedRequest(RequestBody):
    """A request about a game that may be private."""

    invitation: str | None = value(LEFT_OUT, most=64, help="The invitation code of a private room.")


@example({})
class JoinRequest(InvitedRequest):
    """Optional details of joining a room."""

    salt: Salt = LEFT_OUT


@example({"seats": 3})
class ChangeRoomRequest(RequestBody):
    """Changes to an open room. Keys that you leave out stay as they are."""

    ruleset: str = value(LEFT_OUT, most=32, schema=_RULESET)
    options: dict[str, Any] = value(LEFT_OUT, help=f"{_OPTIONS}. They replace all current options.")
    seats: Seats = LEFT_OUT
    clock: dict[str, Any] = value(
        LEFT_OUT, schema=ref("Clock"), help="Replaces the current clock. Keys that you leave out get their defaults."
    )
    visibility: Visibility = LEFT_OUT
    start: Start = LEFT_OUT
    talk: Talk = LEFT_OUT


@example({})
class RematchRequest(RequestBody):
    """Optional details of a rematch."""

    seats: int = value(
        LEFT_OUT,
        least=2,
        most=MAX_SEATS,
        help="Only for whoever asks first: the number of seats, at least as many as before. The old table's players "
        "have their seats kept for a day.",
    )
    salt: Salt = LEFT_OUT


@example({"level": "steady"})
class AddBotRequest(RequestBody):
    """The bot to add."""

    level: str = value(
        LEFT_OUT,
        words=LEVELS,
        help="The bot's level. Default: `steady`, or `plain` in a house game. House games also have `easy`.",
    )


@example({"seat": 1})
class KickRequest(RequestBody):
    """The seat to remove from the room."""

    seat: int = value(least=0, most=MAX_SEATS - 1)


@example({"username": "bob"})
class InviteRequest(RequestBody):
    """The player to invite."""

    username: str = value(most=40, help="Case does not matter.")


@example({"version": 1})
class SeenRequest(RequestBody):
    """The version of the game that you have seen."""

    version: int = value(help="A version of the game. A higher version includes all lower ones.")
