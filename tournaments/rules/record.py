"""The model of a tournament as of a line of its log."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from tournaments.rules.exact import exact_text
from tournaments.rules.settings import Kind, Settings, Stage

if TYPE_CHECKING:
    from tournaments.rules.lines import Adjusted, Line, Result

Seat: TypeAlias = tuple[int, int]
"""A round and a table, both counted from 1."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A place in the tournament. One that was withdrawn and then removed is withdrawn again once reinstated."""

    id: str
    name: str | None
    withdrawn: bool = False
    removed: bool = False
    out_in: int | None = None
    """The round of a knockout in which it was out already, or the final complete, when it withdrew (KO3)."""
    stays_out: bool = False
    """True if it returned after a stage had begun without it (SG9)."""

    @property
    def number(self) -> int:
        return int(self.id[1:])

    @property
    def is_in(self) -> bool:
        """True if neither withdrawn nor removed; it may have been knocked out all the same."""
        return not (self.withdrawn or self.removed)


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it was seated, and who had left by then (`Record.gone`)."""

    number: int
    line: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    gone: frozenset[str]


@dataclass(slots=True)
class Record:
    """A tournament as of its last line: its present stage, and in `left` those before it, without lines (SG1)."""

    title: str
    game: str
    kind: Kind
    seed: str | None
    settings: Settings
    lines: "tuple[Line, ...]" = ()
    entrants: dict[str, Entrant] = field(default_factory=dict)
    """Those of the stage, in the order of lines; withdrawn from a stage that was left if they had by then (SG9)."""
    everybody: dict[str, Entrant] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    """The entrants of a knockout or later stage, the best seed first; empty in a knockout before `seeded`."""
    rounds: dict[int, Round] = field(default_factory=dict)
    """By number, in the order of lines."""
    results: "dict[str, Result]" = field(default_factory=dict)
    """By id, in the order of lines, voided ones too."""
    voided: set[str] = field(default_factory=set)
    voids: dict[Seat, int] = field(default_factory=dict)
    """By table, the number of its games that are voided for good, with or without a result."""
    at_table: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    adjustments: "list[Adjusted]" = field(default_factory=list)
    finished: bool = False
    seed_is_public: bool = False
    """True if a line has published the seed, so that the lot decides (ST7)."""
    stages: tuple[Stage, ...] = ()
    stage: int = 1
    rounds_before: int = 0
    """The number of the last round seated before the stage (SG3)."""
    left: tuple["Record", ...] = ()
    went_on: frozenset[str] | None = None
    """Those who are in the next stage; None in the present one."""
    had_gone: frozenset[str] | None = None
    """Those who had gone when the stage was left; None in the present one."""

    def copy(self, everybody: dict[str, Entrant]) -> "Record":
        """The stage by itself, to which lines can be added without a change to this one."""
        return replace(
            self,
            lines=(),
            left=(),
            everybody=everybody,
            entrants=dict(self.entrants),
            rounds=dict(self.rounds),
            results=dict(self.results),
            voided=set(self.voided),
            voids=dict(self.voids),
            at_table=dict(self.at_table),
            adjustments=list(self.adjustments),
        )

    @property
    def n(self) -> int:
        return len(self.lines)

    @property
    def take(self) -> int | None:
        """How many go on to the next stage; None: there is none (SG1)."""
        return self.stages[self.stage - 1].take if self.stages else None

    @property
    def last_round(self) -> int | None:
        """None: it is not set."""
        return None if self.settings.rounds is None else self.rounds_before + self.settings.rounds

    @property
    def next_round(self) -> int:
        """Rounds are numbered through (SG3)."""
        return 1 + max(self.rounds, default=self.rounds_before)

    @property
    def rounds_to_come(self) -> int | None:
        """How many rounds of the stage are not yet seated; None: nobody has said how many there are."""
        if self.last_round is None:
            return None
        return self.last_round - self.rounds_before - sum(map(self._is_own, self.rounds))

    def _is_own(self, number: int) -> bool:
        return self.rounds_before < number <= (self.last_round or number)

    def gone(self) -> frozenset[str]:
        """Those who had left, in a stage that was left by then (SG9), but not those who were out before (KO3)."""
        if self.had_gone is not None:
            return self.had_gone
        last = max(self.rounds, default=None)
        return frozenset(
            one.id
            for one in self.entrants.values()
            if one.removed or (one.withdrawn and (last is None or one.out_in != last))
        )

    def stands(self, result: str) -> bool:
        return result not in self.voided

    def standing_at(self, seat: Seat) -> "list[Result]":
        return [self.results[result] for result in self.at_table.get(seat, ()) if self.stands(result)]

    def open_games(self, seat: Seat) -> int:
        """Return how many games of a table have neither a result nor a void; 0 once the tournament is over (BO2)."""
        if self.finished:
            return 0
        return max(self.settings.games_per_table - len(self.standing_at(seat)) - self.voids.get(seat, 0), 0)


@dataclass(frozen=True, slots=True)
class NextRound:
    """The tables and byes of a round that is not yet in the log, and their cost."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    repeats: int
    """The number of pairs at the new tables that sat together before."""
    cost: Fraction | None = None
    """The sum of SE3; for `even`, Q with this round; None in a knockout."""
    q: int | None = None
    bound: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "tables": [list(table) for table in self.tables],
            "byes": list(self.byes),
            "repeats": self.repeats,
            "cost": None if self.cost is None else exact_text(self.cost),
            "q": self.q,
            "bound": self.bound,
        }
