"""What a ruling is (LI5): a class that says how it is asked for, decided and shown; `rulings` has them all."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, TypeAlias

from core.calendars.calendar import Interval
from core.refusals import Invalid
from core.text import MAX_REASON, line
from core.values import REQUIRED, Faults, Value, read, value, values_of
from games.rules.words import listed
from tournaments.rules import Record
from tournaments.rules.exact import read_exact
from tournaments.rules.settings import KINDS
from tournaments.stream import outcomes
from tournaments.stream.events import Fact, Happened
from tournaments.stream.facts import By, check_organiser
from tournaments.stream.outcomes import Ended, Scored
from tournaments.stream.reading import ENTRANT, MOST_DIGITS, SHORT, TOO_LONG, entrant_key, is_short, setting
from tournaments.stream.state import Playing, Tournament, TournamentGame

MOST_SECONDS = 366 * 86_400
MAX_NUMBER = 1_000_000
MAX_SCORE = 100_000
ENTRANT_SCHEMA = {"type": "string", "pattern": f"^{ENTRANT.pattern}$", "maxLength": 8}
POINTS = {
    "oneOf": [
        {"type": "string", "pattern": f"^{SHORT.pattern}$"},
        {"type": "integer", "minimum": 1 - 10**MOST_DIGITS, "maximum": 10**MOST_DIGITS - 1},
    ]
}


Number: TypeAlias = Annotated[int, Value(least=1, most=MAX_NUMBER)]
EntrantKey: TypeAlias = Annotated[str, Value(read=entrant_key, schema=ENTRANT_SCHEMA)]


@dataclass(frozen=True, slots=True)
class Placed:
    """How a game ended for an entrant, as an organiser gives it."""

    entrant: EntrantKey
    place: int | None = setting(most=MAX_NUMBER, help="Required unless the entrant was absent.")
    score: int | None = setting(least=-MAX_SCORE, most=MAX_SCORE)
    timeouts: int | None = setting(least=0, most=MAX_SCORE, help="Default: the missed turns of the game.")
    absent: bool = setting(default=False)

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        if given.get("place") is None and given.get("absent") is not True:
            faults.refuse("place", "Give a place, or say that the entrant was absent.")


def read_players(raw: Sequence[object]) -> list[Scored]:
    """The players of a game, as `Placed` has them. Raises ValueError.

    An absent player needs no place, and then has the last one.
    """
    rows = [_row(one) for one in raw]
    given = [row["place"] for row in rows if row["place"] is not None]
    present = [row["place"] for row in rows if row["place"] is not None and not row["absent"]]
    if outcomes.are_places(given):
        last = 1 + len(given)
        return [Scored(**{**row, "place": row["place"] or last}) for row in rows]
    if not outcomes.are_places(present):
        raise ValueError(outcomes.NO_PLACES)
    # Places are counted among those who were there, so absent players come after them.
    last = 1 + len(present)
    return [Scored(**{**row, "place": last if row["absent"] else row["place"]}) for row in rows]


def _row(raw: object) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise ValueError("Each player needs an entrant and a place, and can have a score, timeouts and absent.")
    try:
        return read(Placed, raw, null_is_nothing=True)
    except Invalid as error:
        raise ValueError(error.detail) from None


def read_points(value: object) -> Fraction:
    """An exact number of points: an integer, or a text such as "-1/2". Raises ValueError."""
    try:
        points = read_exact(value)
    except ValueError:
        raise ValueError('Must be a whole number, or a fraction as text such as "-1/2".') from None
    if not is_short(value):
        raise ValueError(TOO_LONG)
    return points


class Turn(NamedTuple):
    """More time for whoever is to move at a seat of a game that runs."""

    game: str
    seat: int
    entrant: str | None
    seconds: int


class Case(Protocol):
    """What a ruling is decided on, and what it can look up that is not of the tournament's state."""

    t: Tournament
    by: By
    now: datetime

    def events(self) -> Sequence[Happened]: ...
    def record(self) -> Record: ...
    def outages(self, since: datetime) -> Sequence[Interval]: ...

    def player(self, name: str) -> Playing:
        """Raises NotFound (no_such_player), Forbidden (blocked)."""

    def has_game(self, key: str) -> bool:
        """Whether it is a game of the tournament, which may not have recorded it yet."""

    def seated(self, game: TournamentGame) -> Sequence[str | None]:
        """The entrants of a game by seat; in a season's room, those who sit there now."""

    def to_move(self, game: str) -> Sequence[int]:
        """The seats of a game whose turn it is."""

    def new_id(self) -> str: ...


RULINGS: "dict[str, type[Ruling]]" = {}
"""Those that organisers make by `POST tournaments/{id}/rulings`, by name."""


class Ruling:
    """A ruling as an organiser asks for it. Its fields are the keys of the request; those of its own have defaults.

    kinds: of tournaments that can have it. counter: the name of what takes it back. Of the form, beside its docstring:
    title, occasion (in everyday words), nothing (to choose from), games (the outcomes that it is about), standings (of
    entrants). source: of the results that it gives.
    """

    reason: Annotated[str, line(MAX_REASON)]
    dry_run: bool = value(False)

    name: ClassVar[str]
    title: ClassVar[str]
    occasion: ClassVar[str]
    nothing: ClassVar[str] = ""
    counter: ClassVar[str] = ""
    kinds: ClassVar[tuple[str, ...]] = KINDS
    games: ClassVar[tuple[str, ...]] = ()
    standings: ClassVar[tuple[str, ...]] = ()
    source: ClassVar[str | None] = None

    def __init_subclass__(cls) -> None:
        if not cls.__name__.startswith("_"):
            cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
            RULINGS[cls.name] = cls

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    @classmethod
    def values(cls) -> Mapping[str, Value]:
        own: type = cls
        return values_of(own)

    @classmethod
    def explained(cls) -> str:
        return " ".join((cls.__doc__ or "").split())

    @classmethod
    def fits(cls, t: Tournament) -> bool:
        """Return whether a tournament can have it, now or later."""
        return any(stage["kind"] in cls.kinds for stage in t.plan.all_stages)

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        """Note what is wrong with the keys beside each other."""

    def facts(self, case: Case) -> list[Fact]:
        """What is decided. Raises Forbidden (not_an_organiser) and what `decide` raises."""
        check_organiser(case.t, case.by)
        return self.decide(case)

    def decide(self, case: Case) -> list[Fact]:
        raise NotImplementedError

    def at_table(self, _: Case, /) -> Sequence[str | None]:
        """The entrants at the table that it is about; empty if it is not about a table. Raises NotFound, Invalid."""
        return ()

    def ends(self, _: Case, /) -> str | None:
        """The game that it ends if that still runs: the game decides first. Raises NotFound, Invalid, Conflict."""
        return None

    def result(self) -> Ended | None:
        """How that game ended, by this ruling; None: without places."""
        return None

    def turn(self, _: Case, /) -> Turn | None:
        """The turn that gets more time; the game decides. Raises as `ends`."""
        return None

    def effects(self, _: Case, __: Mapping[str, str], /) -> list[str]:
        """What it changes besides the standings, in sentences: of a case, and the names of entrants."""
        return []

    def onward(self, t: Tournament, going_on: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
        """Whom it puts through to a stage, or takes out of it, as `services.Ruled` has it."""
        stage = t.stage_title(going_on["stage"])
        is_running = going_on["stage"] > t.stage and t.break_ends is None
        if_now = "If the stage ended now: " if is_running else "By this ruling: "
        said = [
            f"{if_now}{listed([names.get(key, key) for key in going_on[name]])} {what}."
            for what, name in ((f"through to {stage}", "through"), (f"no longer through to {stage}", "out"))
            if going_on[name]
        ]
        return said or [f"{if_now}the same entrants are through to {stage}."]


def read_ruling(body: Mapping[str, Any]) -> Ruling:
    """The body of ``POST tournaments/{id}/rulings``. Raises Invalid, naming the fields at fault."""
    kind = RULINGS.get(body["ruling"]) if isinstance(body.get("ruling"), str) else None
    known = asked() if kind is None else kind.values()
    faults = Faults(null_is_nothing=True)
    faults.refuse_unknown(body, ("ruling", *known))
    Value(name="ruling", type=str, default=REQUIRED, words=RULINGS).take(body, faults)
    # The keys of an unknown ruling are read, too, so that all errors are reported at once.
    given = {
        name: one.take(body, faults)
        for name, one in known.items()
        if kind is not None or name in body or name in Ruling.values()
    }
    if kind is not None:
        kind.check(body, faults)
    faults.check()
    return (kind or Ruling)(**given)


def asked() -> Mapping[str, Value]:
    """The keys of all rulings."""
    return {name: one for kind in RULINGS.values() for name, one in kind.values().items()}


PLACED = values_of(Placed)
