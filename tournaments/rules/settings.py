"""The settings of a tournament: read and completed with defaults; an error names the setting that makes no sense."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypeVar

from games.rules import PLAYED
from tournaments.rules.errors import BadRecord, BadSetting, BadStage
from tournaments.rules.exact import exact_text, read_exact, shown
from tournaments.rules.points import SCHEMES
from tournaments.rules.tie_breaks import TIE_BREAKS

Kind: TypeAlias = Literal["season", "rounds", "knockout"]
KINDS: tuple[Kind, ...] = ("season", "rounds", "knockout")
SEATINGS = ("standing", "even")
DEFAULT_SIZE = 4
SEASON_PRIOR = Fraction(6)
DEFAULT_TIE_BREAKS: dict[Kind, tuple[str, ...]] = {
    "season": ("head_to_head", "wins", "countback", "opponents_strength", "timeouts"),
    "rounds": ("opponents_strength", "wins", "head_to_head", "countback", "timeouts"),
    "knockout": ("wins", "countback", "timeouts"),
}
"""The default tie-breaks (ST8). In a knockout the better seed decides after them."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tables:
    """The wished size of a table, and the smallest and the largest allowed."""

    size: int
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its value, defaults included (PT1 to PT8, SE1 to SE4, KO1)."""

    scheme: str
    """opponents_beaten, places, wins or score."""
    list: tuple[Fraction, ...]
    """The points of *places* for first, second, ...; empty under other schemes."""
    total: Literal["sum", "mean"]
    """Under *score* it is always the mean of penalties per round, except in a knockout, where it is a sum (PT2)."""
    prior: Fraction
    best: int | None
    same_table: int | None
    min_games: int
    bye: Fraction | None
    """The worth of a bye; None for the default of PT3."""
    tie_breaks: tuple[str, ...]
    rounds: int | None
    tables: Tables
    seating: str
    games_per_table: int
    parallel: int
    advance: int | None

    @property
    def less_is_better(self) -> bool:
        """True if points are penalties (PT1, *score*)."""
        return self.scheme == "score"

    def as_json(self) -> dict[str, Any]:
        """All settings as a record has them; reading them again gives the same settings."""
        own = {one.name: _plain(getattr(self, one.name)) for one in fields(self)}
        points: dict[str, Any] = {"scheme": own.pop("scheme")}
        own.pop("list")
        if self.scheme == "places":
            points["list"] = [exact_text(number) for number in self.list]
        if self.less_is_better:
            own |= {"total": None, "prior": None}
        return {"points": points, **own}


def read_settings(game: str, kind: Kind, raw: object) -> Settings:
    """The settings of a tournament of this game and kind, completed. Raises BadSetting naming the first bad one."""
    given = _object("", {} if raw is None else raw)
    scheme, numbers = _points(game, given.get("points"))
    score = scheme == "score"
    total = _one_of(given, "total", ("sum", "mean"))
    for name in ("prior", "bye") if score else ():
        if given.get(name) is not None:
            raise BadSetting(name, "must be left out when scores count.")
    if score and total == "sum":
        raise BadSetting(
            "total", "cannot be sum when scores count: the total is the mean of the penalty points per round."
        )
    default_total: Literal["sum", "mean"] = "mean" if kind == "season" or (score and kind == "rounds") else "sum"
    tables = _tables(game, given.get("tables"))
    advance = _count(given, "advance", 1)
    if kind == "knockout" and advance is None:
        raise BadSetting("advance", "is required for a knockout: how many entrants go through from each table.")
    if advance is not None and advance > tables.size // 2:
        raise BadSetting("advance", f"must be 1 to {tables.size // 2} at tables of {tables.size}, not {advance}.")
    return Settings(
        scheme=scheme,
        list=numbers,
        total="mean" if total == "mean" and kind != "knockout" else "sum" if total == "sum" else default_total,
        prior=_or(_exact(given, "prior", 0), SEASON_PRIOR if kind == "season" and not score else Fraction()),
        best=_count(given, "best", 1),
        same_table=_count(given, "same_table", 1),
        min_games=_or(_count(given, "min_games", 0), 0),
        bye=_exact(given, "bye"),
        tie_breaks=_tie_breaks(given.get("tie_breaks"), kind),
        rounds=_count(given, "rounds", 1),
        tables=tables,
        seating=_or(_one_of(given, "seating", SEATINGS), "standing"),
        games_per_table=_or(_count(given, "games_per_table", 1), 1),
        parallel=_or(_count(given, "parallel", 1), 1),
        advance=advance,
    )


def read_game(value: object) -> str:
    """The name of a known game. Raises BadRecord."""
    if not isinstance(value, str) or value not in PLAYED:
        raise BadRecord(f"game: {shown(value)} is not one of {', '.join(PLAYED)}.")
    return value


def read_kind(value: object) -> Kind:
    """The kind of a tournament. Raises BadRecord."""
    for kind in KINDS:
        if value == kind:
            return kind
    raise BadRecord(f"kind: {shown(value)} is not one of {', '.join(KINDS)}.")


def _points(game: str, raw: object) -> tuple[str, tuple[Fraction, ...]]:
    given = _object("points", {} if raw is None else raw)
    scheme = _or(_one_of(given, "scheme", tuple(SCHEMES), within="points."), "opponents_beaten")
    if scheme == "score" and not PLAYED[game].has_penalties:
        only = ", ".join(name for name, rules in PLAYED.items() if rules.has_penalties)
        raise BadSetting("points.scheme", f"can be score only in {only}.")
    if scheme != "places":
        return scheme, ()
    numbers = given.get("list")
    if not isinstance(numbers, list):
        raise BadSetting("points.list", "must list the points for first, second and so on when places count.")
    return scheme, tuple(_read_exact("points.list", number) for number in numbers)


def _tables(game: str, raw: object) -> Tables:
    given = _object("tables", {} if raw is None else raw)
    fewest, most = PLAYED[game].min_seats, PLAYED[game].max_seats
    size = _or(_count(given, "size", within="tables."), min(DEFAULT_SIZE, most))
    tables = Tables(
        size=size,
        min=_or(_count(given, "min", within="tables."), max(size - 1, fewest)),
        max=_or(_count(given, "max", within="tables."), min(size + 1, most)),
    )
    for name in ("size", "min", "max"):
        if not fewest <= getattr(tables, name) <= most:
            raise BadSetting(
                f"tables.{name}",
                f"{game} is for {fewest} to {most} players, not {shown(getattr(tables, name))}.",
            )
    if not tables.min <= tables.size <= tables.max:
        raise BadSetting(
            "tables",
            f"min ({tables.min}), size ({tables.size}) and max ({tables.max}) must be in ascending order.",
        )
    return tables


def _tie_breaks(raw: object, kind: Kind) -> tuple[str, ...]:
    if raw is None:
        return DEFAULT_TIE_BREAKS[kind]
    if not isinstance(raw, list):
        raise BadSetting("tie_breaks", f"must be a list, not {shown(raw)}.")
    for name in raw:
        if not isinstance(name, str) or name not in TIE_BREAKS:
            raise BadSetting("tie_breaks", f"{shown(name)} is not one of {', '.join(TIE_BREAKS)}.")
    return tuple(raw)


def _object(name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        detail = f"must be an object, not {shown(value)}."
        raise BadSetting(name, detail) if name else BadRecord(f"settings: {detail}")
    return value


def _one_of(given: Mapping[str, Any], name: str, words: tuple[str, ...], within: str = "") -> str | None:
    value = given.get(name)
    if value is None or (isinstance(value, str) and value in words):
        return value
    raise BadSetting(within + name, f"{shown(value)} is not one of {', '.join(words)}.")


def _count(given: Mapping[str, Any], name: str, least: int | None = None, within: str = "") -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if type(value) is not int:
        raise BadSetting(within + name, f"must be an integer, not {shown(value)}.")
    if least is not None and value < least:
        raise BadSetting(within + name, f"must be at least {least}, not {shown(value)}.")
    return value


def _exact(given: Mapping[str, Any], name: str, least: int | None = None) -> Fraction | None:
    value = given.get(name)
    if value is None:
        return None
    number = _read_exact(name, value)
    if least is not None and number < least:
        raise BadSetting(name, f"must be at least {least}, not {shown(value)}.")
    return number


def _read_exact(name: str, value: object) -> Fraction:
    try:
        return read_exact(value)
    except ValueError as error:
        raise BadSetting(name, str(error)) from None


def _or(value: T | None, default: T) -> T:
    return default if value is None else value


def _plain(value: object) -> Any:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else exact_text(value)
    if isinstance(value, Tables):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return list(value) if isinstance(value, tuple) else value


MOST_STAGES = 4
CARRIED = ("rounds", "tie_breaks", "seating", "parallel")
"""The settings that a stage which carries the one before may name anew (SG6)."""


@dataclass(frozen=True, slots=True)
class Stage:
    kind: Kind
    settings: Settings
    take: int | None
    """How many go on; None in the last stage."""
    carry: bool
    """True if it is the stage before, going on with fewer."""


def read_stages(game: str, raw: object) -> tuple[Stage, ...]:
    """The stages in a record's head, with their settings completed. Raises BadRecord, BadStage for the first fault."""
    if not isinstance(raw, Sequence) or isinstance(raw, str) or not 1 <= len(raw) <= MOST_STAGES:
        raise BadRecord(f"stages: must be a list of one to {MOST_STAGES}, not {shown(raw)}.")
    stages: list[Stage] = []
    for number, stage in enumerate(raw, 1):
        try:
            given = _settings_of_stage(stage, stages[-1] if stages else None)
            stages.append(_stage(game, stage, given, last=number == len(raw)))
        except BadRecord as error:
            raise BadStage(number, error) from None
    return tuple(stages)


def _settings_of_stage(raw: object, before: Stage | None) -> Mapping[str, Any]:
    """The settings that a stage has, those included that it carries."""
    if not isinstance(raw, Mapping):
        raise BadRecord(f"must be an object, not {shown(raw)}.")
    settings = _object("", {} if raw.get("settings") is None else raw["settings"])
    if not _carries(raw):
        return settings
    if before is None or before.kind != "rounds" or raw.get("kind") != "rounds":
        raise BadRecord("carry: only rounds after rounds can carry points over.")
    carried, named = before.settings.as_json(), {name: value for name, value in settings.items() if value is not None}
    if fixed := [name for name in named if name in carried and name not in CARRIED]:
        raise BadRecord(f"settings.{fixed[0]}: cannot differ from the stage before, because points are carried over.")
    return {**carried, **named}


def _carries(raw: Mapping[str, Any]) -> bool:
    carry = raw.get("carry")
    if carry is not None and not isinstance(carry, bool):
        raise BadRecord(f"carry: must be true or false, not {shown(carry)}.")
    return carry is True


def _stage(game: str, raw: Mapping[str, Any], given: Mapping[str, Any], *, last: bool) -> Stage:
    kind = read_kind(raw.get("kind"))
    settings = read_settings(game, kind, given)
    take = raw.get("take")
    if last and take is not None:
        raise BadRecord("take: must be left out for the last stage, because no stage follows it.")
    if not last and (type(take) is not int or take < 2):
        raise BadRecord(f"take: must be the number of entrants who go through, 2 or more, not {shown(take)}.")
    if not last and kind == "rounds" and settings.rounds is None:
        raise BadRecord("settings.rounds: is required for rounds before another stage.")
    return Stage(kind, settings, take, _carries(raw))
