"""Components and codes of the OpenAPI document: settings, changes of a clock, and the record with its standings."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from django.conf import settings
from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core.http.bodies import AnyObject, Moment, Url, components, doc, one_of, one_shape, schema
from core.http.openapi import ref
from core.values import REQUIRED
from core.values import schema as shape_of
from games.clocks import clock_schema
from games.rules import PLAYED
from tournaments.api.bodies import field_of
from tournaments.rules.lines import LINES, Player, own_values
from tournaments.rules.order import Status
from tournaments.rules.settings import KINDS, MOST_STAGES
from tournaments.stream.plan import INNER

Count = Annotated[int, Meta(ge=1)]
Entrant = Annotated[str, Meta(pattern="^e[1-9][0-9]*$")]
Numeral = Annotated[str, Meta(pattern="^-?[0-9]+(/[0-9]+)?$")]
Span = Annotated[list[int], Meta(min_length=2, max_length=2)]
Settings = Annotated[dict[str, Any], schema(ref("TournamentSettings"))]


class RecordStage(Struct):
    """A stage of the record's head (SG1)."""

    kind: Annotated[str, one_of(KINDS)]
    settings: Settings | UnsetType = UNSET
    take: Annotated[int, Meta(ge=2), doc("How many go through.")] | UnsetType = UNSET
    carry: Annotated[bool, doc("True if it continues the stage before with fewer entrants (SG6).")] | UnsetType = UNSET


class TournamentRecord(Struct, kw_only=True):
    """Everything that the standings are computed from, for `python -m tournaments.rules standings`."""

    format: Literal["trey-tournament/1"]
    title: str
    game: Annotated[str, one_of(sorted(PLAYED))]
    seed: str | None
    log: list[Annotated[dict[str, Any], schema(ref("RecordLine"))]]
    kind: Annotated[str, one_of(KINDS), doc("Only in a tournament without `stages`.")] | UnsetType = UNSET
    settings: Settings | UnsetType = UNSET
    stages: Annotated[list[RecordStage], Meta(min_length=1, max_length=MOST_STAGES)] | UnsetType = UNSET
    ruleset: Annotated[str, doc("The rules that the tournament began with.")] | UnsetType = UNSET
    options: (
        Annotated[AnyObject, doc("The options that were set; all others have the game's defaults.")] | UnsetType
    ) = UNSET


class StandingsRow(Struct):
    """An entrant's row of the standings."""

    entrant: Entrant
    name: str | None
    place: int | None
    total: Annotated[str | None, doc("An exact number in lowest terms; null if there is none.")]
    games: Annotated[int, doc("The number of games that count.")]
    byes: int
    adjusted: Annotated[Numeral, doc("An exact number in lowest terms.")]
    kept: Annotated[list[str], doc("The ids of the games that count.")]
    tie_breaks: AnyObject
    decided_by: Annotated[str | None, doc("The criterion that separates it from the row above.")]
    status: Status
    stage: Annotated[Count, doc("The last stage it took part in; only in a tournament with stages.")] | UnsetType = (
        UNSET
    )


class PlaceBounds(Struct):
    """The places that an entrant can still have, by total alone: [best, worst]."""

    round: Span
    final: Span | UnsetType = UNSET
    needs: Annotated[dict[str, Span], doc("The bounds for each possible place in its open game.")] | UnsetType = UNSET
    cut: (
        Annotated[str, one_of(["through", "open", "out"]), doc("Only for rounds before another stage.")] | UnsetType
    ) = UNSET


class TournamentStandings(Struct, kw_only=True):
    """The standings of a tournament."""

    standings: list[StandingsRow]
    bounds: dict[str, PlaceBounds]
    version: int | UnsetType = UNSET
    as_of: Moment | UnsetType | None = UNSET
    next: Url | UnsetType | None = UNSET
    previous: Url | UnsetType | None = UNSET


_TEXT = "The settings of a tournament's record. Settings that are null or left out have their defaults."


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
)


def _declared(kind: type, **head: Any) -> dict[str, Any]:
    """The schema of a line of the log, or of a part of one, by what it declares; `head`: what every line has."""
    own = {name: replace(one, nullable=False, default=None) for name, one in own_values(kind).items()}
    needed = [name for name, one in own_values(kind).items() if one.default is REQUIRED]
    return {
        "type": "object",
        "description": kind.__doc__,
        "properties": head
        | {name: shape_of(one, lambda part: ref(f"Record{part.__name__}")) for name, one in own.items()},
        "required": sorted([*head, *needed]),
    }


def _line(name: str, kind: type) -> dict[str, Any]:
    moment = {"type": "string", "format": "date-time"}
    return _declared(kind, type={"type": "string", "const": name}, n={"type": "integer", "minimum": 1}, at=moment)


_LINES = {name: f"Record{kind.__name__}" for name, kind in LINES.items()}
_RECORD |= {_LINES[name]: _line(name, kind) for name, kind in LINES.items()}
_RECORD |= {
    "RecordPlayer": _declared(Player),
    "RecordLine": one_shape("A line of a tournament's log.", "type", _LINES),
}


def _or_null(key: dict[str, Any]) -> dict[str, Any]:
    nullable = {**key, "type": [key["type"], "null"]} | ({"enum": [*key["enum"], None]} if "enum" in key else {})
    return {name: value for name, value in nullable.items() if name != "default"}


_CLOCK = clock_schema(minimum_per_turn=settings.TREY_LIMITS["min_turn"])
CLOCK_CHANGE: dict[str, Any] = {
    **_CLOCK,
    "title": "ClockChange",
    "description": "Changes to the clock, key by key; null restores a default (RFC 7396).",
    "properties": {name: _or_null(key) for name, key in _CLOCK["properties"].items()},
}
COMPONENTS: dict[str, Any] = {"ClockChange": CLOCK_CHANGE, **_RECORD}
