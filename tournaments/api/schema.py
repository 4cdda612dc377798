"""Components and codes of the OpenAPI document: settings, changes of a clock, and the record with its standings."""

from typing import Annotated, Any, Literal

from django.conf import settings
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core.http.bodies import AnyObject, Moment, Url, components, doc, one_of, schema
from core.http.openapi import ref
from games.clocks import clock_schema
from games.rules import GAMES
from tournaments.api.bodies import field_of
from tournaments.rules.lines import SOURCES
from tournaments.rules.order import Status
from tournaments.rules.settings import KINDS, MOST_STAGES
from tournaments.stream.plan import INNER

Count = Annotated[int, Meta(ge=1)]
Entrant = Annotated[str, Meta(pattern="^e[1-9][0-9]*$")]
Numeral = Annotated[str, Meta(pattern="^-?[0-9]+(/[0-9]+)?$")]
Exact = Annotated[Numeral | int, doc("An exact number.")]
Span = Annotated[list[int], Meta(min_length=2, max_length=2)]
Settings = Annotated[dict[str, Any], schema(ref("TournamentSettings"))]


class RecordPlayer(Struct):
    """How a game ended for one of its entrants."""

    entrant: Entrant
    place: (
        Annotated[Count | None, doc("1 + the number of better ones; an absent entrant may have none.")] | UnsetType
    ) = UNSET
    score: Annotated[Numeral | int | None, doc("An exact number, or null for none.")] | UnsetType = UNSET
    timeouts: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    absent: Annotated[bool, doc("It never made a move of its own and was ruled absent (PT8).")] | UnsetType = UNSET


class _Line(Struct, tag_field="type", tag=lambda name: name.removeprefix("Record").lower(), kw_only=True):
    n: Count
    at: Moment


class _Reasoned(_Line, kw_only=True):
    reason: str | UnsetType = UNSET


class RecordEntered(_Line):
    """Somebody takes part from here on."""

    entrant: Entrant
    name: str | UnsetType | None = UNSET


class RecordWithdrew(_Reasoned):
    """An entrant withdrew and is not seated any more."""

    entrant: Entrant


class RecordReturned(_Reasoned):
    """An entrant who had withdrawn plays again."""

    entrant: Entrant


class RecordRemoved(_Reasoned):
    """An organiser removed an entrant."""

    entrant: Entrant


class RecordReinstated(_Reasoned):
    """A removal was taken back."""

    entrant: Entrant


class RecordReplaced(_Reasoned):
    """Somebody else plays for the entrant."""

    entrant: Entrant
    name: str | UnsetType | None = UNSET


class RecordSeeded(_Line):
    """The seeds of a knockout, the best first (KO2)."""

    order: list[Entrant]


class RecordSeated(_Line):
    """A round's tables and byes."""

    round: Count
    tables: list[list[Entrant]]
    byes: list[Entrant] | UnsetType = UNSET


class RecordResult(_Line):
    """How a game ended."""

    id: str
    players: list[RecordPlayer]
    round: Count | UnsetType = UNSET
    table: Count | UnsetType = UNSET
    source: Annotated[str, one_of(SOURCES), doc("game where it is missing.")] | UnsetType = UNSET
    rounds: Annotated[Count, doc("How many rounds were scored (Three Thirteen).")] | UnsetType = UNSET
    rules: Annotated[Count, doc("The n of the ratified line whose rules it was played by (RT4).")] | UnsetType = UNSET
    stage: (
        Annotated[Count, doc("Where its round does not say so; the present one where it is missing.")] | UnsetType
    ) = UNSET


class RecordVoided(_Reasoned):
    """A result, named by its id, no longer counts; or a game of a table, named by round and table, will have none."""

    id: str | UnsetType = UNSET
    round: Count | UnsetType = UNSET
    table: Count | UnsetType = UNSET


class RecordRestored(_Reasoned):
    """A voided result counts again."""

    id: str


class RecordAdjusted(_Reasoned):
    """Points were added or taken."""

    entrant: Entrant
    points: Exact
    stage: Annotated[Count, doc("The present one where it is missing.")] | UnsetType = UNSET


class RecordRatified(_Line):
    """These rules hold from here on (RT4)."""

    ruleset: str
    options: AnyObject


class RecordStaged(_Line):
    """The next stage begins, with these entrants, the best seed first (SG2)."""

    stage: Count
    seeds: list[Entrant]


class RecordFinished(_Line):
    """It is over."""

    why: str | UnsetType = UNSET


class RecordReopened(_Reasoned):
    """The tournament goes on after all."""


class RecordStage(Struct):
    """A stage of the record's head (SG1)."""

    kind: Annotated[str, one_of(KINDS)]
    settings: Settings | UnsetType = UNSET
    take: Annotated[int, Meta(ge=2), doc("How many go on.")] | UnsetType = UNSET
    carry: Annotated[bool, doc("It is the stage before, going on with fewer (SG6).")] | UnsetType = UNSET


class TournamentRecord(Struct, kw_only=True):
    """Everything from which the standings follow; `python -m tournaments.rules standings` reads it."""

    format: Literal["trey-tournament/1"]
    title: str
    game: Annotated[str, one_of(sorted(GAMES))]
    seed: str | None
    log: list[Annotated[dict[str, Any], schema(ref("RecordLine"))]]
    kind: Annotated[str, one_of(KINDS), doc("Of a tournament without `stages`.")] | UnsetType = UNSET
    settings: Settings | UnsetType = UNSET
    stages: Annotated[list[RecordStage], Meta(min_length=1, max_length=MOST_STAGES)] | UnsetType = UNSET
    ruleset: Annotated[str, doc("The rules that the tournament began with.")] | UnsetType = UNSET
    options: Annotated[AnyObject, doc("As they were set up; the others have the game's defaults.")] | UnsetType = UNSET


class StandingsRow(Struct):
    """An entrant's row of the standings."""

    entrant: Entrant
    name: str | None
    place: int | None
    total: Annotated[str | None, doc("An exact number in lowest terms; null: none.")]
    games: Annotated[int, doc("Counted games.")]
    byes: int
    adjusted: Annotated[Numeral, doc("An exact number in lowest terms.")]
    kept: Annotated[list[str], doc("The ids of its kept games.")]
    tie_breaks: AnyObject
    decided_by: Annotated[str | None, doc("The criterion that sets it apart from the row above.")]
    status: Status
    stage: Annotated[Count, doc("The last stage that it is in; only of a tournament with stages.")] | UnsetType = UNSET


class PlaceBounds(Struct):
    """The places that an entrant can still have, by total alone: [best, worst]."""

    round: Span
    final: Span | UnsetType = UNSET
    needs: Annotated[dict[str, Span], doc("By its own place in its open game.")] | UnsetType = UNSET
    cut: Annotated[str, one_of(["through", "open", "out"]), doc("Of rounds before another stage.")] | UnsetType = UNSET


class TournamentStandings(Struct, kw_only=True):
    """The standings of a tournament."""

    standings: list[StandingsRow]
    bounds: dict[str, PlaceBounds]
    version: int | UnsetType = UNSET
    as_of: Moment | UnsetType | None = UNSET
    next: Url | UnsetType | None = UNSET
    previous: Url | UnsetType | None = UNSET


LINES = (
    RecordEntered, RecordWithdrew, RecordReturned, RecordRemoved, RecordReinstated, RecordReplaced, RecordSeeded,
    RecordSeated, RecordResult, RecordVoided, RecordRestored, RecordAdjusted, RecordRatified, RecordStaged,
    RecordFinished, RecordReopened,
)  # fmt: skip
_TEXT = "The settings of a tournament's record. Missing ones, and null, have their defaults."


def _settings(name: str, within: str = "settings.", **described: str) -> Any:
    """The shape of an object of settings, by their paths."""
    kinds: dict[str, Any] = {}
    for setting in INNER:
        if setting.name.startswith(within):
            key, dot, _ = setting.name.removeprefix(within).partition(".")
            kinds[key] = _settings(f"{name}{key.title()}", f"{within}{key}.") if dot else field_of(setting)
    fields = [(key, kind | UnsetType | None, UNSET) for key, kind in kinds.items()]
    return defstruct(name, fields, forbid_unknown_fields=True, namespace=described)


_RECORD = components(
    TournamentRecord,
    TournamentStandings,
    _settings("TournamentSettings", __doc__=_TEXT),
    RecordLine=("A line of a tournament's log.", LINES),
)


def _or_null(key: dict[str, Any]) -> dict[str, Any]:
    nullable = {**key, "type": [key["type"], "null"]} | ({"enum": [*key["enum"], None]} if "enum" in key else {})
    return {name: value for name, value in nullable.items() if name != "default"}


_CLOCK = clock_schema(minimum_per_turn=settings.TREY_MIN_TURN)
CLOCK_CHANGE: dict[str, Any] = {
    **_CLOCK,
    "title": "ClockChange",
    "description": "Changes of the clock, key by key; null restores a default (RFC 7396).",
    "properties": {name: _or_null(key) for name, key in _CLOCK["properties"].items()},
}
COMPONENTS: dict[str, Any] = {"ClockChange": CLOCK_CHANGE, **_RECORD}
