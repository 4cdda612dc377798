"""The model of a tournament as of a line of its log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from tournaments.rules.exact import exact_text
from tournaments.rules.lines import Adjusted, Line, Result
from tournaments.rules.settings import Kind, Settings

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

    @property
    def number(self) -> int:
        """The order of entry."""
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


@dataclass(frozen=True, slots=True)
class Record:
    """A tournament as of its last line."""

    title: str
    game: str
    kind: Kind
    seed: str | None
    settings: Settings
    lines: tuple[Line, ...] = ()
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    """By id, in the order of lines. Those on the waiting list are not among them."""
    seeds: tuple[str, ...] = ()
    """The entrants of a knockout, the best seed first; empty before `seeded`."""
    rounds: Mapping[int, Round] = field(default_factory=dict)
    """By number, in the order of lines."""
    results: Mapping[str, Result] = field(default_factory=dict)
    """By id, in the order of lines, voided ones too."""
    voided: frozenset[str] = frozenset()
    """The ids of the results that are voided."""
    voids: Mapping[Seat, int] = field(default_factory=dict)
    """By table, the number of its games that are voided for good, with or without a result."""
    at_table: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """The ids of a table's results, voided ones too."""
    adjustments: tuple[Adjusted, ...] = ()
    finished: bool = False
    """True if it is over and has not been reopened since."""
    seed_is_public: bool = False
    """True if a line has published the seed, so that the lot decides (ST7)."""

    @property
    def n(self) -> int:
        """The number of the last line; 0 before the first."""
        return len(self.lines)

    def gone(self) -> frozenset[str]:
        """Those who withdrew or were removed; in a knockout without those who withdrew when they were out (KO3)."""
        last = max(self.rounds, default=None)
        return frozenset(
            one.id
            for one in self.entrants.values()
            if one.removed or (one.withdrawn and (last is None or one.out_in != last))
        )

    def stands(self, result: str) -> bool:
        return result not in self.voided

    def standing_at(self, seat: Seat) -> list[Result]:
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
    """The lower bound of Q with this round."""

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
