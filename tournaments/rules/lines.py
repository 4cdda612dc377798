"""The lines of a tournament's log, a class for each: its fields, and whether it fits the lines before it (`fold`)."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_origin

from core.values import REQUIRED, Value, values_of
from tournaments.rules.errors import BadLine
from tournaments.rules.exact import read_exact, shown
from tournaments.rules.record import Entrant, Record, Round, Seat

if TYPE_CHECKING:
    from tournaments.rules.fold import Fold

Moment: TypeAlias = tuple[int, str]
"""Seconds since the first day of year 0 in UTC, and the digits of the fraction of a second without zeros at the end."""

_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAYS_IN_400_YEARS = 146_097


def read_moment(text: object) -> Moment:
    """The moment, so that an earlier one is the smaller. Raises ValueError for what is no RFC 3339 date and time."""
    if isinstance(text, str) and (found := _MOMENT.fullmatch(text)):
        year, month, day, hour, minute, second = map(int, found.group(1, 2, 3, 4, 5, 6))
        offset_hours, offset_minutes = int(found[9] or 0), int(found[10] or 0)
        if max(hour, offset_hours) < 24 and max(minute, offset_minutes) < 60 and _is_a_day(year, month, day):
            offset = (offset_hours * 60 + offset_minutes) * (-1 if found[8] == "-" else 1)
            minutes = _days(year, month, day) * 1440 + hour * 60 + minute - offset
            # A leap second ends a day of UTC.
            if second < 60 or (second == 60 and minutes % 1440 == 1439):
                return minutes * 60 + second, (found[7] or "").rstrip("0")
    raise ValueError(f"{shown(text)} is not an RFC 3339 date and time.")


def _is_a_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _days(year: int, month: int, day: int) -> int:
    """The calendar repeats every 400 years, and `date` knows neither year 0 nor what an offset makes of year 9999."""
    return date(year % 400 + 400, month, day).toordinal() + year // 400 * _DAYS_IN_400_YEARS


LINES: dict[str, type["Line"]] = {}
"""By the type that a line has in JSON."""
_ENTRANT = re.compile(r"e[1-9][0-9]{0,17}")


def _entrant(given: object) -> str:
    if not isinstance(given, str) or not _ENTRANT.fullmatch(given):
        raise ValueError(f"{shown(given)} is not an entrant. Entrants are e1, e2, e3 and so on.")
    return given


SOURCES = ("game", "table", "ruling")
_EXACT = [{"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, {"type": "integer"}]
Key: TypeAlias = Annotated[str, Value(read=_entrant, schema={"type": "string", "pattern": "^e[1-9][0-9]*$"})]
Count: TypeAlias = Annotated[int, Value(least=1)]
Text: TypeAlias = Annotated[str, Value(least=0)]
Name: TypeAlias = Annotated[str | None, Value(schema={"type": ["string", "null"]})]
Unread: TypeAlias = Annotated[object, Value(schema={"type": "string"})]
"""A text for people, which nothing follows from."""


@dataclass(frozen=True, slots=True)
class Line:
    """`n` and `moment`, and the fields of its own that each type declares. Raises ValueError if these do not fit."""

    n: int
    moment: Moment

    def __init_subclass__(cls) -> None:
        if not cls.__name__.startswith("_"):
            LINES[cls.__name__.lower()] = cls

    def fold(self, fold: "Fold") -> None:
        """Add it to the record. Raises ValueError if it does not fit the lines before it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Entered(Line):
    """Somebody entered."""

    entrant: Key
    name: Name = None

    def fold(self, fold: "Fold") -> None:
        fold.only_first()
        if self.entrant in fold.everybody:
            raise ValueError(f"{self.entrant} has already entered.")
        if fold.present.kind == "knockout" and fold.present.rounds:
            raise ValueError(f"{self.entrant} cannot enter a knockout that has been seated.")
        fold.everybody[self.entrant] = fold.present.entrants[self.entrant] = Entrant(self.entrant, self.name)


@dataclass(frozen=True, slots=True)
class _Changed(Line):
    entrant: Key
    reason: Unread = None

    def everywhere(self, fold: "Fold", **changes: Any) -> None:
        fold.everybody[self.entrant] = replace(fold.entrant(self.entrant), **changes)
        for stage in fold.stages:
            if self.entrant in stage.entrants:
                stage.entrants[self.entrant] = replace(stage.entrants[self.entrant], **changes)


@dataclass(frozen=True, slots=True)
class Withdrew(_Changed):
    """An entrant withdrew and is not seated any more."""

    def fold(self, fold: "Fold") -> None:
        fold.everybody[self.entrant] = replace(fold.entrant(self.entrant), withdrawn=True)
        # Whoever withdraws or returns later does neither in a stage that was left (SG9).
        own = fold.present.entrants.get(self.entrant)
        if own is not None and not own.withdrawn:
            out_in = fold.out_in(self.entrant)
            fold.present.entrants[self.entrant] = replace(own, withdrawn=True, out_in=out_in)


@dataclass(frozen=True, slots=True)
class Returned(_Changed):
    """An entrant who had withdrawn plays again."""

    def fold(self, fold: "Fold") -> None:
        now, own = fold.entrant(self.entrant), fold.present.entrants.get(self.entrant)
        fold.everybody[self.entrant] = replace(now, withdrawn=False, stays_out=now.stays_out or own is None)
        if own is not None:
            fold.present.entrants[self.entrant] = replace(own, withdrawn=False, out_in=None)


@dataclass(frozen=True, slots=True)
class Removed(_Changed):
    """An organiser removed an entrant."""

    def fold(self, fold: "Fold") -> None:
        self.everywhere(fold, removed=True)


@dataclass(frozen=True, slots=True)
class Reinstated(_Changed):
    """A removal was taken back."""

    def fold(self, fold: "Fold") -> None:
        self.everywhere(fold, removed=False)


@dataclass(frozen=True, slots=True)
class Replaced(_Changed):
    """Somebody else plays for the entrant."""

    name: Name = None

    def fold(self, fold: "Fold") -> None:
        self.everywhere(fold, name=self.name)


@dataclass(frozen=True, slots=True)
class Seeded(Line):
    """The seeds of a knockout, the best first (KO2)."""

    order: tuple[Key, ...]

    def __post_init__(self) -> None:
        _once("order", self.order)

    def fold(self, fold: "Fold") -> None:
        fold.only_first()
        stage = fold.present
        if stage.kind != "knockout":
            raise ValueError(f"only a knockout can be seeded, not {stage.kind}.")
        if stage.rounds:
            raise ValueError("a knockout must be seeded before its first round is seated.")
        for entrant in self.order:
            fold.entrant(entrant)
        fold.all_are_seeded(self.order)
        stage.seeds = self.order
        fold.seed_is_public = True


@dataclass(frozen=True, slots=True)
class Seated(Line):
    """A round's tables and byes."""

    round: Count
    tables: tuple[tuple[Key, ...], ...]
    byes: tuple[Key, ...] = ()

    def __post_init__(self) -> None:
        _once("the seating", self.everybody)

    @property
    def everybody(self) -> tuple[str, ...]:
        return (*(entrant for table in self.tables for entrant in table), *self.byes)

    def fold(self, fold: "Fold") -> None:
        if any(self.round in stage.rounds for stage in fold.stages):
            raise ValueError(f"round {shown(self.round)} has already been seated.")
        stage = fold.present
        if len(fold.stages) > 1 and self.round <= stage.rounds_before:
            raise ValueError(f"round {shown(self.round)} must come after the rounds of earlier stages.")
        for entrant in self.everybody:
            fold.in_stage(stage, entrant)
        knockout = stage.kind == "knockout"
        if knockout:
            fold.all_are_seeded(stage.seeds)
        walkover = (stage.settings.advance or 0) if knockout else 0
        for number, table in enumerate(self.tables, 1):
            if not table or len(table) > walkover:
                fold.fits(f"table {number}", len(table))
        # A season opens its seed only when it ends (ST7).
        fold.seed_is_public = fold.seed_is_public or stage.kind != "season"
        gone = stage.gone() if knockout else frozenset[str]()
        stage.rounds[self.round] = Round(self.round, self.n, self.tables, self.byes, gone)


@dataclass(frozen=True, slots=True)
class Player:
    """How a game ended for one of its entrants."""

    entrant: Key
    place: Annotated[
        int | None,
        Value(
            least=1,
            schema={"type": ["integer", "null"], "minimum": 1},
            help="1 plus the number of better places; null is possible for an absent entrant.",
        ),
    ] = None
    score: Annotated[
        Fraction | None,
        Value(
            read=read_exact, schema={"oneOf": [*_EXACT, {"type": "null"}]}, help="An exact number, or null for none."
        ),
    ] = None
    timeouts: Annotated[int, Value(least=0)] = 0
    absent: Annotated[bool, Value(help="True if the entrant never moved and was ruled absent (PT8).")] = False

    def __post_init__(self) -> None:
        if self.place is None and not self.absent:
            raise ValueError("place null is not an integer.")


@dataclass(frozen=True, slots=True)
class Result(Line):
    """How a game ended."""

    id: Text
    players: tuple[Player, ...]
    round: Count | None = None
    table: Count | None = None
    stage: Annotated[
        int | None,
        Value(least=1, help="For a result without a round. Default: the current stage."),
    ] = None
    source: Annotated[str, Value(words=SOURCES, help="Default: `game`.")] = "game"
    rounds: Annotated[int | None, Value(least=1, help="The number of scored rounds (Three Thirteen).")] = None
    rules: Annotated[
        int | None, Value(least=1, help="The n of the `ratified` line with the rules of this game (RT4).")
    ] = None

    def __post_init__(self) -> None:
        if not (_ranked(self.players) or _ranked([player for player in self.players if not player.absent])):
            places = ", ".join(str(player.place) for player in self.players)
            raise ValueError(f"the places {places} must each be 1 plus the number of better places.")

    @property
    def seat(self) -> Seat | None:
        return _seat(self)

    def fold(self, fold: "Fold") -> None:
        if any(self.id in stage.results for stage in fold.stages):
            raise ValueError(f"there is already a result {shown(self.id)}.")
        stages = fold.counting(self.round, self.stage)
        settings = stages[0].settings
        for player in self.players:
            fold.in_stage(stages[0], player.entrant)
            if settings.less_is_better and player.score is None:
                raise ValueError(f"{player.entrant} needs a score, because scores count here.")
        if settings.less_is_better and self.rounds is None:
            raise ValueError("rounds is missing, but penalty points count per round.")
        fold.fits("the game", len(self.players))
        if self.rules is not None and not (self.rules < self.n and isinstance(fold.lines[self.rules - 1], Ratified)):
            raise ValueError(f"rules {shown(self.rules)} is not an earlier line that ratifies rules.")
        for stage in stages:
            stage.results[self.id] = self
            if self.seat:
                stage.at_table[self.seat] = (*stage.at_table.get(self.seat, ()), self.id)
                fold.not_too_many(stage, self.seat)


@dataclass(frozen=True, slots=True)
class Voided(Line):
    """A result, named by its id, no longer counts; or a game, named by round and table, will have no result."""

    id: Text | None = None
    round: Count | None = None
    table: Count | None = None
    reason: Unread = None

    def __post_init__(self) -> None:
        given = {"id": self.id} if self.round is self.table is None else {"round": self.round, "table": self.table}
        if self.id is None and None in given.values():
            name = next(name for name, value in given.items() if value is None)
            raise ValueError(f"{name} null is not {'a string' if name == 'id' else 'an integer'}.")

    def fold(self, fold: "Fold") -> None:
        of_table = [(stage, _seat(self)) for stage in fold.counting(self.round, None)] if self.id is None else ()
        for stage, seat in of_table or fold.given(str(self.id)):
            if seat and self.id not in stage.voided:
                stage.voids[seat] = stage.voids.get(seat, 0) + 1
            if self.id is not None:
                stage.voided.add(self.id)


@dataclass(frozen=True, slots=True)
class Restored(Line):
    """A voided result counts again."""

    id: Text
    reason: Unread = None

    def fold(self, fold: "Fold") -> None:
        for stage, seat in fold.given(self.id):
            if seat and self.id in stage.voided:
                stage.voids[seat] = max(stage.voids.get(seat, 0) - 1, 0)
            stage.voided.discard(self.id)
            if seat:
                fold.not_too_many(stage, seat)


@dataclass(frozen=True, slots=True)
class Adjusted(Line):
    """Points were added or taken."""

    entrant: Key
    points: Annotated[Fraction, Value(read=read_exact, schema={"anyOf": _EXACT}, help="An exact number.")]
    stage: Annotated[int | None, Value(least=1, help="Default: the current stage.")] = None
    reason: Unread = None

    def fold(self, fold: "Fold") -> None:
        stages = fold.counting(None, self.stage)
        if stages[0].kind == "knockout":
            raise ValueError("points cannot be adjusted in a knockout.")
        fold.in_stage(stages[0], self.entrant)
        for stage in stages:
            stage.adjustments.append(self)


@dataclass(frozen=True, slots=True)
class Ratified(Line):
    """These rules apply from here on (RT4)."""

    ruleset: Text
    options: Mapping[str, Any]

    def fold(self, fold: "Fold") -> None:
        """Rules do not affect standings: their ratification is only a line of the record."""


@dataclass(frozen=True, slots=True)
class Staged(Line):
    """The next stage begins, with these entrants, the best seed first (SG2)."""

    stage: Count
    seeds: tuple[Key, ...]

    def __post_init__(self) -> None:
        _once("seeds", self.seeds)
        if len(self.seeds) < 2:
            raise ValueError(f"a stage needs at least 2 entrants, but seeds names {len(self.seeds)}.")

    def fold(self, fold: "Fold") -> None:
        number, before = len(fold.stages) + 1, fold.present
        if self.stage != number:
            raise ValueError(f"stage {shown(self.stage)} does not follow stage {number - 1}.")
        if number > len(before.stages):
            raise ValueError(f"there is no stage {number}.")
        if fold.finished:
            raise ValueError("the tournament is finished, so no stage can begin.")
        for entrant in self.seeds:
            fold.in_stage(before, entrant)
            if not before.entrants[entrant].is_in:
                raise ValueError(f"{entrant} has withdrawn or was removed, so cannot be in the next stage.")
        fold.seed_is_public = True
        head = before.stages[self.stage - 1]
        empty = Record(before.title, before.game, head.kind, before.seed, head.settings, everybody=fold.everybody)
        begun = replace(
            before.copy(fold.everybody) if head.carry else empty,
            kind=head.kind,
            settings=head.settings,
            entrants={entrant: before.entrants[entrant] for entrant in self.seeds},
            seeds=self.seeds,
            stages=before.stages,
            stage=self.stage,
            rounds_before=max(before.rounds, default=before.rounds_before),
        )
        before.had_gone, before.went_on = before.gone(), frozenset(self.seeds)
        fold.stages.append(begun)


@dataclass(frozen=True, slots=True)
class Finished(Line):
    """The tournament is over."""

    why: Unread = None

    def fold(self, fold: "Fold") -> None:
        fold.finished = fold.seed_is_public = True


@dataclass(frozen=True, slots=True)
class Reopened(Line):
    """The tournament was reopened."""

    reason: Unread = None

    def fold(self, fold: "Fold") -> None:
        fold.finished = False


def _seat(line: "Result | Voided") -> Seat | None:
    return None if line.round is None or line.table is None else (line.round, line.table)


def _once(where: str, entrants: Iterable[str]) -> None:
    seen: set[str] = set()
    for entrant in entrants:
        if entrant in seen:
            raise ValueError(f"{entrant} is named twice in {where}.")
        seen.add(entrant)


def _ranked(players: Iterable[Player]) -> bool:
    places = sorted(player.place or 0 for player in players)
    return all(place == places.index(place) + 1 for place in places)


def read_line(n: int, raw: object) -> Line:
    """The line that must have the number `n`. Raises BadLine if its shape is wrong."""
    if not isinstance(raw, Mapping):
        raise BadLine(n, f"a line must be an object, not {shown(raw)}.")
    if type(raw.get("n")) is not int or raw["n"] != n:
        raise BadLine(
            n, f"n must be {n}, because lines are numbered 1, 2, 3 and so on, but it is {shown(raw.get('n'))}."
        )
    try:
        moment = read_moment(raw.get("at"))
    except ValueError as error:
        raise BadLine(n, f"at: {error}") from None
    kind = LINES.get(raw["type"]) if isinstance(raw.get("type"), str) else None
    if kind is None:
        raise BadLine(n, f"type {shown(raw.get('type'))} is not one of {', '.join(LINES)}.")
    try:
        return kind(n, moment, **_taken(kind, raw))
    except ValueError as error:
        raise BadLine(n, str(error)) from None


def own_values(kind: type) -> Mapping[str, Value]:
    """The fields that a type of line declares, by name."""
    return {name: one for name, one in values_of(kind).items() if name not in ("n", "moment")}


def _taken(kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: read(given.get(name), name) for name, read in _readers(kind).items()}


_Read: TypeAlias = Callable[[Any, str], Any]
"""Reads what is given under a name. Raises ValueError with a sentence that begins with the name."""


@cache
def _readers(kind: type) -> Mapping[str, _Read]:
    return {name: _or_default(one, _reader(one)) for name, one in own_values(kind).items()}


def _or_default(one: Value, read: _Read) -> _Read:
    return lambda given, name: one.default if given is None and one.default is not REQUIRED else read(given, name)


def _reader(one: Value) -> _Read:
    if one.item is not None:
        return partial(_list, _reader(one.item), of_entrants=one.item.read is not None)
    if is_dataclass(one.type):
        return partial(_object, one.type)
    return partial(_plain, one, get_origin(one.type) or one.type)


def _list(item: _Read, given: object, name: str, *, of_entrants: bool) -> tuple[Any, ...]:
    if isinstance(given, list):
        return tuple(item(one, name if of_entrants else f"{name[:-1]} {n}") for n, one in enumerate(given, 1))
    said = f"must be a list of entrants, not {shown(given)}" if of_entrants else f"{shown(given)} is not a list"
    raise ValueError(f"{name} {said}.")


def _object(kind: Any, given: object, name: str) -> Any:
    if not isinstance(given, Mapping):
        raise ValueError(f"{name} must be an object, not {shown(given)}.")
    try:
        return kind(**_taken(kind, given))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


_NOT: Mapping[Any, str] = {
    str: "not a string",
    int: "not an integer",
    bool: "neither true nor false",
    Mapping: "not an object",
}


def _plain(one: Value, kind: Any, given: Any, name: str) -> Any:
    if one.read is not None:
        try:
            return one.read(given)
        except ValueError as error:
            raise ValueError(f"{name}{': ' if kind is Fraction else ' '}{error}") from None
    if not isinstance(given, kind) or (kind is int and isinstance(given, bool)):
        raise ValueError(f"{name} {shown(given)} is {_NOT[kind]}.")
    if one.words is not None and given not in one.words:
        raise ValueError(f"{name} {shown(given)} is not one of {', '.join(one.words)}.")
    if kind is int and one.least is not None and given < one.least:
        raise ValueError(f"{name} {shown(given)} is below {one.least}.")
    return given
