"""The meetings of entrants at tables in the rounds so far, no matter how the games ended (SE3)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

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
        """Seats a round."""
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
