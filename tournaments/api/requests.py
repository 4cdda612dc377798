"""The requests. Those that services read themselves are here for the OpenAPI document only."""

from collections.abc import Collection
from typing import Annotated, Any, get_type_hints
from uuid import UUID

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from msgspec import UNSET, UnsetType, defstruct
from rest_framework import serializers

from core.http.bodies import Body, doc, schema
from core.http.fields import JSONObject, Line, Strict, Text, Truth, Whole
from core.http.openapi import example, ref
from games.api.requests import RULESETS, RulesetField
from games.bots import BOTS
from tournaments.api.tournament_body import TournamentBody
from tournaments.services.ruling_requests import MAX_NUMBER, MAX_SCORE, MOST_SECONDS, NAMES
from tournaments.stream.announcing import MAX_MESSAGE
from tournaments.stream.ballot import VOTES
from tournaments.stream.plan import KEYS, MAX_TITLE
from tournaments.stream.reading import ENTRANT, MOST_DIGITS, NO_ENTRANT, SHORT


def _of_plan(
    name: str, text: str, *, required: Collection[str] = (), never_null: Collection[str] = (), **own: Any
) -> Any:
    """Return a serializer of what is set up of a tournament: what is not `required` may be left out, or null."""
    hints = get_type_hints(TournamentBody, include_extras=True)
    kinds = {key: hints[key] for key in KEYS} | own
    sent = {key: kind if key in (*required, *never_null) else kind | None for key, kind in kinds.items()}
    fields = [(key, kind) if key in required else (key, kind | UnsetType, UNSET) for key, kind in sent.items()]
    described = {"__doc__": text}
    return defstruct(name, fields, bases=(Body,), kw_only=True, forbid_unknown_fields=True, namespace=described)


_CHOSEN = ("title", "game", "kind")


PlanBody = _of_plan(
    "PlanBody",
    "A tournament to set up. What is left out, or null, has its default; spans are whole seconds.",
    required=_CHOSEN,
)
SuccessorBody = _of_plan(
    "SuccessorBody",
    "The successor of a tournament that is over: it takes over whatever is left out, except moments.\n\n"
    "Objects change key by key; null restores a default.",
    required=["after"],
    after=Annotated[UUID, doc("The tournament that it follows.")],
)
SeasonBody = _of_plan(
    "SeasonBody",
    "A season of the people who played a game that is finished: private, open for a year, and of that game's rules and "
    "clock where nothing else is said.",
    required=["from_game"],
    from_game=Annotated[UUID, doc("The game.")],
)
PlanChangeBody = _of_plan(
    "PlanChangeBody",
    "What to change in a tournament's plan, key by key; null restores a default (RFC 7396).",
    never_null=_CHOSEN,
    clock=Annotated[dict[str, Any], schema(ref("ClockChange"))],
)


@extend_schema_field({"type": ["string", "null"], "enum": [*RULESETS, None]})
class PlanRulesetField(RulesetField):
    """The name of a ruleset, or null for the game's default."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "pattern": f"^{SHORT.pattern}$"},
            {"type": "integer", "minimum": 1 - 10**MOST_DIGITS, "maximum": 10**MOST_DIGITS - 1},
        ]
    }
)
class PointsField(serializers.CharField):
    """An exact number of points, checked by the service."""


class EntrantField(Text):
    """The name of an entrant: e and a number."""

    def __init__(self, **kwargs: Any) -> None:
        names = RegexValidator(rf"\A{ENTRANT.pattern}\Z", NO_ENTRANT)
        super().__init__(validators=[names], max_length=8, **kwargs)


@extend_schema_field({"type": ["string", "null"], "enum": [*sorted(BOTS), None]})
class LevelField(Text):
    """A bot's level, checked by the service."""


@example({"text": "Round 2 begins on Sunday evening."}, ("What it would be", {"text": "See you.", "dry_run": True}))
class MessageSerializer(Strict):
    """A message to all entrants."""

    text = Line(max_length=MAX_MESSAGE, help_text="One paragraph.")
    dry_run = Truth(required=False, default=False, help_text="Only say what would be sent, and to how many.")


@example({}, ("A player", {"player": "bob"}), ("A bot", {"bot": "steady"}))
class NewEntrySerializer(Strict):
    """The new entrant: the caller (`{}`), or a player or a bot that an organiser enters."""

    invitation = Text(required=False, allow_null=True, max_length=64)
    salt = Text(
        required=False,
        allow_null=True,
        max_length=64,
        trim_whitespace=False,
        help_text="Your part of the shuffles of all games here.",
    )
    player = Text(
        required=False, allow_null=True, max_length=100, help_text="A player's name: invited until the player accepts."
    )
    bot = LevelField(required=False, allow_null=True, max_length=32, help_text="A bot's level.")


@example({"resign": False})
class WithdrawSerializer(Strict):
    """The request to withdraw."""

    resign = Truth(required=False, default=False, help_text="Resign the running games, too.")


@example({}, ("Declined", {"accept": False}))
class AnswerSerializer(Strict):
    """The answer of somebody who was asked."""

    accept = Truth(required=False, default=True, help_text="false declines.")


@example({"player": "bob"})
class OrganiserSerializer(Strict):
    """An organiser, by name."""

    player = Text(max_length=100)


@example({"reason": "A game was scored wrongly.", "dry_run": True})
class ReopeningSerializer(Strict):
    """A ruling: its reason, for all to see. With `dry_run` nothing happens."""

    reason = Line(max_length=500)
    dry_run = Truth(required=False, default=False)


@example({"reason": "Too few came."})
class CancellationSerializer(Strict):
    """A reason, for all to see. It may be left out: a cancellation is not a ruling."""

    reason = Line(max_length=500, default="An organiser cancelled the tournament.")


@example({"swap": ["e1", "e2"], "reason": "They share a computer.", "dry_run": True})
class ExchangeSerializer(Strict):
    """A change of the draft: two entrants change places, or all tables are given."""

    swap = serializers.ListField(child=EntrantField(), required=False, min_length=2, max_length=2)
    tables = serializers.ListField(
        child=serializers.ListField(child=EntrantField(), min_length=1), required=False, min_length=1
    )
    byes = serializers.ListField(child=EntrantField(), required=False)
    reason = Line(max_length=500)
    dry_run = Truth(required=False, default=False)


@example({"seats": 2})
class SeasonGameSerializer(Strict):
    """A season's room; the caller sits down in it."""

    seats = Whole(min_value=2, max_value=32, required=False, help_text="By default the wished size.")
    bots = serializers.ListField(
        child=EntrantField(), required=False, default=list, help_text="Entrants that are bots; they sit down, too."
    )


class PlacedSerializer(Strict):
    """The outcome of a game for an entrant, as an organiser gives it."""

    entrant = EntrantField()
    place = Whole(required=False, allow_null=True, min_value=1, help_text="Only an absent entrant needs none.")
    score = Whole(required=False, allow_null=True, min_value=-MAX_SCORE, max_value=MAX_SCORE)
    timeouts = Whole(
        required=False, allow_null=True, min_value=0, max_value=MAX_SCORE, help_text="By default those of the game."
    )
    absent = Truth(required=False)


def _count(most: int) -> Any:
    return Whole(required=False, allow_null=True, min_value=1, max_value=most)


@example(
    {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "A game was scored wrongly.", "dry_run": True},
    ("Void a table's games", {"ruling": "void", "round": 1, "table": 1, "reason": "The cards were seen."}),
    ("More time", {"ruling": "extend", "round": 1, "seconds": 86400, "reason": "The server was down."}),
)
class RulingAskedSerializer(Strict):
    """A ruling. Which other keys it takes is in docs/tournaments-api.md."""

    ruling = serializers.ChoiceField(choices=NAMES)
    reason = serializers.CharField(max_length=500)
    dry_run = serializers.BooleanField(required=False, allow_null=True, default=False)
    game = serializers.UUIDField(required=False, allow_null=True)
    round = _count(MAX_NUMBER)
    table = _count(MAX_NUMBER)
    entrant = EntrantField(required=False, allow_null=True)
    players = PlacedSerializer(many=True, required=False, allow_null=True)
    rounds = _count(100)
    points = PointsField(required=False, allow_null=True, help_text='A whole number, or a fraction such as "-1/2".')
    player = Text(required=False, allow_null=True, max_length=100)
    bot = LevelField(required=False, allow_null=True)
    seconds = _count(MOST_SECONDS)


@example(
    {
        "title": "Shorter games",
        "reason": "They last for weeks.",
        "options": {"stalemate_after": 10},
        "dry_run": True,
    },
    ("Confirm the rules that hold", {"title": "Our rules", "reason": "Let us vote on them.", "confirm": True}),
)
class ProposalAskedSerializer(Strict):
    """A proposal. Rules that are left out, or null, stay; options that are given replace all of them."""

    title = Line(max_length=MAX_TITLE)
    reason = Line(max_length=500)
    ruleset = PlanRulesetField(required=False, allow_null=True)
    options = JSONObject(required=False, allow_null=True)
    confirm = Truth(required=False, default=False, help_text="Accept it although it changes nothing.")
    closes_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="2 to 60 days away; by default after 7 days."
    )
    dry_run = Truth(required=False, default=False)


@example({"vote": "yes"})
class VoteSerializer(Strict):
    """A vote."""

    vote = serializers.ChoiceField(choices=VOTES)


@example({"ratified": False, "reason": "Nobody wants it."})
class DecisionSerializer(Strict):
    """An organiser's decision, with its reason, for all to see."""

    ratified = Truth()
    reason = Line(max_length=500)
