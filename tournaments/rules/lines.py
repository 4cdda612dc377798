"""The lines of a tournament's log: each type's own shape; whether it fits the lines before it, `fold` decides."""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Literal, TypeAlias, cast

from tournaments.rules.errors import BadLine
from tournaments.rules.exact import read_exact, shown

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


Source: TypeAlias = Literal["game", "table", "ruling"]
SOURCES: tuple[Source, ...] = ("game", "table", "ruling")
_ENTRANT = re.compile(r"e[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Line:
    n: int
    moment: Moment


@dataclass(frozen=True, slots=True)
class Entered(Line):
    entrant: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Changed(Line):
    """An entrant withdrew, returned, or was removed or reinstated."""

    entrant: str
    change: Literal["withdrew", "returned", "removed", "reinstated"]


@dataclass(frozen=True, slots=True)
class Replaced(Line):
    entrant: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Seeded(Line):
    """The seeds of a knockout, the best first (KO2)."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seated(Line):
    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """The end of a game for one of its entrants. An absent one may have no place (PT8)."""

    entrant: str
    place: int | None
    score: Fraction | None
    timeouts: int
    absent: bool


@dataclass(frozen=True, slots=True)
class Result(Line):
    """The end of a game. `rounds` is how many were scored, in Three Thirteen."""

    id: str
    source: Source
    round: int | None
    table: int | None
    rounds: int | None
    players: tuple[Player, ...]
    rules: int | None = None
    """The number of the `ratified` line whose rules it was played by (RT4); None: the record's first rules."""
    stage: int | None = None
    """The stage it belongs to unless its round says so (SG3); None: the present one."""

    @property
    def seat(self) -> tuple[int, int] | None:
        return None if self.round is None or self.table is None else (self.round, self.table)


@dataclass(frozen=True, slots=True)
class Voided(Line):
    """A result, named by its id, no longer counts; or a game of a table, named by round and table, will have none."""

    target: str | tuple[int, int]


@dataclass(frozen=True, slots=True)
class Restored(Line):
    id: str


@dataclass(frozen=True, slots=True)
class Adjusted(Line):
    """Points that a ruling gives or takes, in a stage, or the present one (SG3)."""

    entrant: str
    points: Fraction
    stage: int | None = None


@dataclass(frozen=True, slots=True)
class Ratified(Line):
    """The rules that hold from here on (RT4). They do not affect points."""

    ruleset: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Staged(Line):
    """The next stage begins, with these entrants, the best seed first (SG2)."""

    stage: int
    seeds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finished(Line):
    """The tournament is over: nothing is open, and no round will follow."""


@dataclass(frozen=True, slots=True)
class Reopened(Line):
    """A finished tournament goes on."""


def read_line(n: int, raw: object) -> Line:
    """The line that must have the number `n`. Raises BadLine if its shape is wrong."""
    if not isinstance(raw, Mapping):
        raise BadLine(n, f"a line is an object, not {shown(raw)}.")
    if type(raw.get("n")) is not int or raw["n"] != n:
        raise BadLine(n, f"lines are numbered 1, 2, 3 and so on, but this one has {shown(raw.get('n'))}.")
    try:
        line = _Fields(n, read_moment(raw.get("at")), raw)
    except ValueError as error:
        raise BadLine(n, f"at: {error}") from None
    reader = _READERS.get(raw["type"]) if isinstance(raw.get("type"), str) else None
    if reader is None:
        raise line.bad("type", f"is not one of {', '.join(_READERS)}")
    return reader(line)


class _Fields:
    """The fields of one line, read by type; errors name the line and the field."""

    def __init__(self, n: int, moment: Moment, raw: Mapping[str, Any], within: str = "") -> None:
        self.n = n
        self.raw = raw
        self.head = n, moment
        self.within = within

    def bad(self, name: str, why: str) -> BadLine:
        return BadLine(self.n, f"{self.within}{name} {shown(self.raw.get(name))} {why}.")

    def has(self, name: str) -> bool:
        return self.raw.get(name) is not None

    def text(self, name: str) -> str:
        value = self.raw.get(name)
        if not isinstance(value, str):
            raise self.bad(name, "is not a text")
        return value

    def optional_text(self, name: str) -> str | None:
        return self.text(name) if self.has(name) else None

    def count(self, name: str, least: int) -> int:
        value = self.raw.get(name)
        if type(value) is not int:
            raise self.bad(name, "is not an integer")
        if value < least:
            raise self.bad(name, f"is below {least}")
        return value

    def optional_count(self, name: str, least: int) -> int | None:
        return self.count(name, least) if self.has(name) else None

    def exact(self, name: str) -> Fraction:
        try:
            return read_exact(self.raw.get(name))
        except ValueError as error:
            raise BadLine(self.n, f"{self.within}{name}: {error}") from None

    def flag(self, name: str) -> bool:
        value = self.raw.get(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.bad(name, "is neither true nor false")
        return value

    def entrant(self) -> str:
        return self._entrant("entrant", self.raw.get("entrant"))

    def entrants(self, name: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise BadLine(self.n, f"{name} is not a list of entrants, but {shown(value)}.")
        return tuple(self._entrant(name, entrant) for entrant in value)

    def list(self, name: str) -> list[Any]:
        value = self.raw.get(name)
        if not isinstance(value, list):
            raise self.bad(name, "is not a list")
        return value

    def mapping(self, name: str) -> Mapping[str, Any]:
        value = self.raw.get(name)
        if not isinstance(value, Mapping):
            raise self.bad(name, "is not an object")
        return value

    def _entrant(self, name: str, value: object) -> str:
        if not isinstance(value, str) or not _ENTRANT.fullmatch(value):
            raise BadLine(self.n, f"{self.within}{name} {shown(value)} is not an entrant: they are e1, e2, e3 ...")
        return value


def _changed(line: _Fields) -> Line:
    return Changed(*line.head, line.entrant(), line.raw["type"])


def _seeded(line: _Fields) -> Line:
    order = line.entrants("order", line.raw.get("order"))
    _once(line.n, "order", order)
    return Seeded(*line.head, order)


def _seated(line: _Fields) -> Line:
    tables = tuple(line.entrants(f"table {at}", table) for at, table in enumerate(line.list("tables"), 1))
    byes = line.entrants("byes", line.raw["byes"]) if line.has("byes") else ()
    _once(line.n, "the seating", [*(entrant for table in tables for entrant in table), *byes])
    return Seated(*line.head, line.count("round", 1), tables, byes)


def _result(line: _Fields) -> Line:
    source = cast("Source", line.text("source") if line.has("source") else "game")
    if source not in SOURCES:
        raise line.bad("source", f"is not one of {', '.join(SOURCES)}")
    players = tuple(_player(line, at, player) for at, player in enumerate(line.list("players"), 1))
    present = [player for player in players if not player.absent]
    if not (_ranked(players) or _ranked(present)):
        places = ", ".join(str(player.place) for player in players)
        raise BadLine(line.n, f"the places {places} are not each 1 + the number of better ones.")
    return Result(
        *line.head,
        id=line.text("id"),
        source=source,
        round=line.optional_count("round", 1),
        table=line.optional_count("table", 1),
        rounds=line.optional_count("rounds", 1),
        players=players,
        rules=line.optional_count("rules", 1),
        stage=line.optional_count("stage", 1),
    )


def _player(line: _Fields, at: int, raw: object) -> Player:
    if not isinstance(raw, Mapping):
        raise BadLine(line.n, f"player {at} is not an object, but {shown(raw)}.")
    fields = _Fields(*line.head, raw, f"player {at}: ")
    absent = fields.flag("absent")
    return Player(
        entrant=fields.entrant(),
        place=fields.optional_count("place", 1) if absent else fields.count("place", 1),
        score=fields.exact("score") if fields.has("score") else None,
        timeouts=fields.optional_count("timeouts", 0) or 0,
        absent=absent,
    )


def _ranked(players: "list[Player] | tuple[Player, ...]") -> bool:
    places = sorted(player.place or 0 for player in players)
    return all(place == places.index(place) + 1 for place in places)


def _voided(line: _Fields) -> Line:
    if line.has("id") or not (line.has("round") or line.has("table")):
        return Voided(*line.head, line.text("id"))
    return Voided(*line.head, (line.count("round", 1), line.count("table", 1)))


def _staged(line: _Fields) -> Line:
    seeds = line.entrants("seeds", line.raw.get("seeds"))
    _once(line.n, "seeds", seeds)
    if len(seeds) < 2:
        raise BadLine(line.n, f"a stage is for two or more, and seeds names {len(seeds)}.")
    return Staged(*line.head, line.count("stage", 1), seeds)


def _once(n: int, where: str, entrants: "list[str] | tuple[str, ...]") -> None:
    seen: set[str] = set()
    for entrant in entrants:
        if entrant in seen:
            raise BadLine(n, f"{entrant} is named twice in {where}.")
        seen.add(entrant)


_READERS: dict[str, Callable[[_Fields], Line]] = {
    "entered": lambda line: Entered(*line.head, line.entrant(), line.optional_text("name")),
    **dict.fromkeys(("withdrew", "returned", "removed", "reinstated"), _changed),
    "replaced": lambda line: Replaced(*line.head, line.entrant(), line.optional_text("name")),
    "seeded": _seeded,
    "seated": _seated,
    "result": _result,
    "voided": _voided,
    "restored": lambda line: Restored(*line.head, line.text("id")),
    "adjusted": lambda line: Adjusted(
        *line.head, line.entrant(), line.exact("points"), line.optional_count("stage", 1)
    ),
    "ratified": lambda line: Ratified(*line.head, line.text("ruleset"), line.mapping("options")),
    "staged": _staged,
    "finished": lambda line: Finished(*line.head),
    "reopened": lambda line: Reopened(*line.head),
}
