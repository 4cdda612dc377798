"""The meetings of entrants at tables in the rounds so far, however the games ended, and what they cost (SE3)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import lcm
from typing import Self, TypeAlias

Tables: TypeAlias = Sequence[Sequence[str]]
"""The tables of a round."""


class Meetings:
    """The number of rounds in which each pair sat together (m), and Q, the sum of m(m - 1)/2 over all pairs (SE4)."""

    def __init__(self, rounds: Iterable[Tables] = ()) -> None:
        self.rounds: list[Tables] = []
        self.q = 0
        self._met: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        for tables in rounds:
            self.add(tables)

    def add(self, tables: Tables) -> None:
        self.rounds.append(tables)
        for table in tables:
            for one, other in combinations(table, 2):
                self.q += self._met[one][other]
                self._met[one][other] += 1
                self._met[other][one] += 1

    def again(self, tables: Tables) -> list[int]:
        """For each pair at these tables that sat together before, the number of rounds."""
        pairs = (pair for table in tables for pair in combinations(table, 2))
        return [self._met[one][other] for one, other in pairs if other in self._met[one]]

    def among(self, entrants: Sequence[str]) -> list[dict[int, int]]:
        """For each of these entrants m by the others' positions in the list; those never met are left out."""
        position = {entrant: at for at, entrant in enumerate(entrants)}
        return [
            {position[other]: m for other, m in self._met[entrant].items() if other in position} for entrant in entrants
        ]


Table: TypeAlias = list[int]
"""The entrants at a table, by their positions in the list of those to be seated."""


@dataclass(frozen=True, slots=True)
class Costs:
    """m + d², times a common denominator, for entrants that are numbered from 0."""

    met: Sequence[dict[int, int]]
    """m by entrant and other; those never met are left out."""
    heights: Sequence[int | None]
    """The totals times the root of `unit`; for None, d is 0 to everybody."""
    unit: int
    """The integer that stands for a cost of 1."""

    @classmethod
    def of(cls, met: Sequence[dict[int, int]], totals: Sequence[Fraction | None]) -> Self:
        """The costs of entrants with these totals, which are in units of the most that one game can give."""
        common = lcm(*(total.denominator for total in totals if total is not None))
        heights = [None if total is None else total.numerator * (common // total.denominator) for total in totals]
        return cls(met, heights, common * common)

    @classmethod
    def of_meetings(cls, met: Sequence[dict[int, int]]) -> Self:
        """The costs when totals do not matter: m alone (SE4)."""
        return cls(met, [None] * len(met), 1)

    def to_each(self, entrant: int, others: Iterable[int]) -> list[int]:
        """Return the cost of the entrant with each of the others; 0 with itself."""
        met, height, heights, unit = self.met[entrant], self.heights[entrant], self.heights, self.unit
        if height is None:
            return [unit * met[other] if other in met else 0 for other in others]
        return [
            (unit * met[other] if other in met else 0)
            + (0 if (there := heights[other]) is None else (height - there) * (height - there))
            for other in others
        ]

    def total(self, tables: Iterable[Table]) -> int:
        return sum(sum(self.to_each(one, [other])) for table in tables for one, other in combinations(table, 2))


def dealt(entrants: Iterable[int], sizes: Iterable[int]) -> list[Table]:
    """Tables of these sizes, filled in order."""
    rest = iter(entrants)
    return [list(islice(rest, size)) for size in sizes]
