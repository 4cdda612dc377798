"""The seating of least cost among all possible ones (SE3)."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from tournaments.rules.seating.costs import Costs, Table

MOST = 12
"""The most entrants that may be seated this way: 12 at fours can sit in 5,775 ways, 12 at threes in 15,400."""


def least(costs: Costs, entrants: Sequence[int], sizes: Sequence[int]) -> list[Table]:
    """The tables of least cost; of several, the first in the order of `entrants`, which is the order of the lots (SE5).

    The first entrant without a table is tried at each possible table in turn. The best seating of the rest depends only
    on who they are, so it is computed once for each group.
    """
    matrix = [costs.to_each(one, range(len(costs.met))) for one in range(len(costs.met))]

    @cache
    def cost(table: tuple[int, ...]) -> int:
        *others, last = table
        return sum(matrix[last][other] for other in others) + (cost(tuple(others)) if others else 0)

    @cache
    def best(standing: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        if not standing:
            return 0, ()
        first, *others = standing
        found = None
        for size in dict.fromkeys(sizes):
            at = sizes.index(size)
            for mates in combinations(others, size - 1):
                here = cost((first, *mates))
                if found and here >= found[0]:
                    continue
                left = tuple(entrant for entrant in others if entrant not in mates)
                there, tables = best(left, sizes[:at] + sizes[at + 1 :])
                if not found or here + there < found[0]:
                    found = here + there, ((first, *mates), *tables)
        if not found:
            raise ValueError(f"Tables of {sizes} do not seat {len(standing)}.")
        return found

    return [list(table) for table in best(tuple(entrants), tuple(sizes))[1]]
