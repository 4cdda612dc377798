"""The requests. Those that services read themselves are here for the OpenAPI document only."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, get_type_hints
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType, defstruct

from core.http.bodies import Body, RequestBody, doc, one_of, schema
from core.http.openapi import example, ref
from core.text import line
from core.values import LEFT_OUT, Value, value
from games.api.requests import RULESETS
from games.bots import LEVELS
from tournaments.api.bodies import StageBody, TournamentBody, field_of
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream import proposals
from tournaments.stream.ballot import VOTES
from tournaments.stream.life import MAX_MESSAGE
from tournaments.stream.plan import KEYS, OF_STAGE
from tournaments.stream.reading import entrant_key
from tournaments.stream.ruling import ENTRANT_SCHEMA, PLACED, RULINGS, asked


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


def _fields(settings: Mapping[str, Value]) -> dict[str, Any]:
    return {name: field_of(setting) for name, setting in settings.items()}


_CHOSEN = ("title", "game")
_SAVED = Annotated[str, doc("The id of a saved house game. Its newest rules are used instead of `options`.")]
_Stage = _asked(
    "StageAskedBody",
    "A stage to set up. Keys that are null or left out get their defaults.",
    get_type_hints(StageBody, include_extras=True),
    required=["kind"],
)
_STAGES = Annotated[
    list[_Stage],  # type: ignore[valid-type]
    Meta(min_length=1, max_length=MOST_STAGES),
    doc("Instead of `kind`, `settings` and the other keys that each stage has."),
]

PlanBody = _of_plan(
    "PlanBody",
    "A tournament to set up. Keys that are null or left out get their defaults. Spans are whole seconds.",
    without=["stages"],
    required=[*_CHOSEN, "kind"],
    house_game=_SAVED,
)
StagedPlanBody = _of_plan(
    "StagedPlanBody",
    "A tournament of several stages to set up.",
    without=OF_STAGE,
    required=[*_CHOSEN, "stages"],
    house_game=_SAVED,
)
SuccessorBody = _of_plan(
    "SuccessorBody",
    "The successor of a tournament that is over. Settings that you leave out are copied, except times.\n\n"
    "Objects change key by key; null restores a default.",
    required=["after"],
    after=Annotated[UUID, doc("The tournament that it follows.")],
)
SeasonBody = _of_plan(
    "SeasonBody",
    "A season for the people who played a finished game: private, open for a year, and with the rules and clock of "
    "that game unless you give others.",
    required=["from_game"],
    from_game=Annotated[UUID, doc("The game.")],
)
PlanChangeBody = _of_plan(
    "PlanChangeBody",
    "Changes to a tournament's settings, key by key; null restores a default (RFC 7396).",
    never_null=[*_CHOSEN, "kind", "stages"],
    clock=Annotated[dict[str, Any], schema(ref("ClockChange"))],
)


PlacedRequestBody = _asked(
    "PlacedRequestBody",
    "The outcome of a game for an entrant, as entered by an organiser.",
    _fields(PLACED),
    required=["entrant"],
)
RulingAskedBody = _asked(
    "RulingAskedBody",
    "A ruling. docs/build/tournaments-api.md lists the other keys of each.",
    {
        "ruling": Annotated[str, one_of(RULINGS)],
        **_fields(asked()),
        "players": list[PlacedRequestBody],  # type: ignore[valid-type]
    },
    required=["ruling", "reason"],
)
ProposalAskedBody = _asked(
    "ProposalAskedBody",
    "A proposal. Rules that are null or left out stay the same. If you give options, they replace all options.",
    _fields(proposals.ASKED) | {"ruleset": Annotated[str, one_of(RULESETS)], "house_game": _SAVED},
    required=["title", "reason"],
)


EntrantKey = Annotated[str, Value(read=entrant_key, schema=ENTRANT_SCHEMA)]
_LEVEL = {"type": "string", "enum": sorted(LEVELS)}


@example({"text": "Round 2 begins on Sunday evening."}, ("Preview only", {"text": "See you.", "dry_run": True}))
class MessageRequest(RequestBody):
    """A message to all entrants."""

    text: Annotated[str, line(MAX_MESSAGE, help="One paragraph.")]
    dry_run: bool = value(False, help="Only return what would be sent, and to how many players.")


@example({}, ("A player", {"player": "bob"}), ("A bot", {"bot": "steady"}))
class NewEntryRequest(RequestBody):
    """The new entrant: the caller (`{}`), or a player or bot added by an organiser."""

    invitation: str | None = value(LEFT_OUT, most=64)
    salt: str | None = value(LEFT_OUT, most=64, exact=True, help="Your part of the shuffles of all your games here.")
    player: str | None = value(LEFT_OUT, most=100, help="The name of a player, who is invited until they accept.")
    bot: str | None = value(LEFT_OUT, most=32, schema=_LEVEL, help="A bot's level.")


@example({"resign": False})
class WithdrawRequest(RequestBody):
    """The request to withdraw."""

    resign: bool = value(False, help="Also resign the running games.")


@example({}, ("Declined", {"accept": False}))
class AnswerRequest(RequestBody):
    """The answer of somebody who was asked."""

    accept: bool = value(True, help="false declines.")


@example({"player": "bob"})
class OrganiserRequest(RequestBody):
    """An organiser, by name."""

    player: str = value(most=100)


@example({"reason": "A game was scored wrongly.", "dry_run": True})
class ReopeningRequest(RequestBody):
    """A ruling: its reason, for all to see. With `dry_run` nothing happens."""

    reason: Annotated[str, line(500)]
    dry_run: bool = False


@example({"reason": "Too few people came."})
class CancellationRequest(RequestBody):
    """A reason, for all to see. It may be left out: a cancellation is not a ruling."""

    reason: Annotated[str, line(500)] = "An organiser cancelled the tournament."


@example({"swap": ["e1", "e2"], "reason": "They share a computer.", "dry_run": True})
class ExchangeRequest(RequestBody):
    """A change of the draft: a swap of two entrants, or all tables."""

    swap: list[EntrantKey] = value(LEFT_OUT, least=2, most=2)
    tables: list[Annotated[list[EntrantKey], Value(least=1)]] = value(LEFT_OUT, least=1)
    byes: list[EntrantKey] = LEFT_OUT
    reason: Annotated[str, line(500)]
    dry_run: bool = False


@example({"seats": 2})
class SeasonGameRequest(RequestBody):
    """A season's room; the caller sits down in it."""

    seats: int = value(LEFT_OUT, least=2, most=32, help="Default: the preferred size.")
    bots: list[EntrantKey] = value(default=lambda _: [], help="Entrants that are bots and also sit down.")


@example({"vote": "yes"})
class VoteRequest(RequestBody):
    """A vote."""

    vote: str = value(words=VOTES)


@example({"ratified": False, "reason": "Nobody wants it."})
class DecisionRequest(RequestBody):
    """An organiser's decision, with its reason, for all to see."""

    ratified: bool
    reason: Annotated[str, line(500)]
