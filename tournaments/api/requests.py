"""The requests. Those that services read themselves are here for the OpenAPI document only."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, get_type_hints
from uuid import UUID

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from msgspec import UNSET, Meta, UnsetType, defstruct
from rest_framework import serializers

from core.http.bodies import Body, doc, one_of, schema
from core.http.fields import Line, Strict, Text, Truth, Whole
from core.http.openapi import example, ref
from games.api.requests import RULESETS
from games.bots import BOTS
from tournaments.api.bodies import StageBody, TournamentBody, field_of
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream import proposals
from tournaments.stream.asked import ASKED, PLACED
from tournaments.stream.ballot import VOTES
from tournaments.stream.life import MAX_MESSAGE
from tournaments.stream.plan import KEYS, OF_STAGE
from tournaments.stream.reading import ENTRANT, NO_ENTRANT, Setting
from tournaments.stream.rulings import NAMES


def _asked(
    name: str, text: str, kinds: Mapping[str, Any], *, required: Collection[str] = (), never_null: Collection[str] = ()
) -> Any:
    """Return the body of a request that a service reads: what is not `required` may be left out, or null."""
    sent = {key: kind if key in (*required, *never_null) else kind | None for key, kind in kinds.items()}
    fields = [(key, kind) if key in required else (key, kind | UnsetType, UNSET) for key, kind in sent.items()]
    described = {"__doc__": text}
    return defstruct(name, fields, bases=(Body,), kw_only=True, forbid_unknown_fields=True, namespace=described)


def _of_plan(
    name: str,
    text: str,
    *,
    without: Collection[str] = (),
    required: Collection[str] = (),
    never_null: Collection[str] = (),
    **own: Any,
) -> Any:
    hints = get_type_hints(TournamentBody, include_extras=True)
    kinds = {key: hints[key] for key in KEYS} | {"stages": _STAGES} | own
    kept = {key: kind for key, kind in kinds.items() if key not in without}
    return _asked(name, text, kept, required=required, never_null=never_null)


def _fields(settings: Mapping[str, Setting]) -> dict[str, Any]:
    return {name: field_of(setting) for name, setting in settings.items()}


_CHOSEN = ("title", "game")
_Stage = _asked(
    "StageAskedBody",
    "A stage to set up. What is left out, or null, has its default.",
    get_type_hints(StageBody, include_extras=True),
    required=["kind"],
)
_STAGES = Annotated[
    list[_Stage],  # type: ignore[valid-type]
    Meta(min_length=1, max_length=MOST_STAGES),
    doc("In place of `kind`, `settings` and what else a stage has of its own (SG10)."),
]

PlanBody = _of_plan(
    "PlanBody",
    "A tournament to set up. What is left out, or null, has its default; spans are whole seconds.",
    without=["stages"],
    required=[*_CHOSEN, "kind"],
)
StagedPlanBody = _of_plan(
    "StagedPlanBody",
    "A tournament of several stages to set up.",
    without=OF_STAGE,
    required=[*_CHOSEN, "stages"],
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
    never_null=[*_CHOSEN, "kind", "stages"],
    clock=Annotated[dict[str, Any], schema(ref("ClockChange"))],
)


PlacedRequestBody = _asked(
    "PlacedRequestBody",
    "The outcome of a game for an entrant, as an organiser gives it.",
    _fields(PLACED),
    required=["entrant"],
)
RulingAskedBody = _asked(
    "RulingAskedBody",
    "A ruling. Which other keys it takes is in docs/tournaments-api.md.",
    {
        "ruling": Annotated[str, one_of(NAMES)],
        **_fields(ASKED),
        "players": list[PlacedRequestBody],  # type: ignore[valid-type]
    },
    required=["ruling", "reason"],
)
ProposalAskedBody = _asked(
    "ProposalAskedBody",
    "A proposal. Rules that are left out, or null, stay; options that are given replace all of them.",
    _fields(proposals.ASKED) | {"ruleset": Annotated[str, one_of(RULESETS)]},
    required=["title", "reason"],
)


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


@example({"vote": "yes"})
class VoteSerializer(Strict):
    """A vote."""

    vote = serializers.ChoiceField(choices=VOTES)


@example({"ratified": False, "reason": "Nobody wants it."})
class DecisionSerializer(Strict):
    """An organiser's decision, with its reason, for all to see."""

    ratified = Truth()
    reason = Line(max_length=500)
