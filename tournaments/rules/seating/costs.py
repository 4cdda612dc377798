"""The cost of seating two entrants at one table, as integers (SE3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import lcm
from typing import Self, TypeAlias

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
