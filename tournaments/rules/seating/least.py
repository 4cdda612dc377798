"""Seatings that cost least (SE3): of all possible ones, or by exchanges of two entrants of different tables."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, count
from typing import TypeAlias

from tournaments.rules.lots import Numbers
from tournaments.rules.seating.meetings import Costs, Table

MOST = 12
"""The most entrants that may be seated this way: 12 at fours can sit in 5,775 ways, 12 at threes in 15,400."""


def least(costs: Costs, entrants: Sequence[int], sizes: Sequence[int]) -> list[Table]:
    """The tables of least cost; of several, the first in the order of `entrants`, which is that of the lots (SE5).

    Each table of the first entrant without one is tried; the best seating of the rest is computed once for each group.
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
            raise ValueError(f"{len(standing)} entrants cannot be seated at tables of {sizes}.")
        return found

    return [list(table) for table in best(tuple(entrants), tuple(sizes))[1]]


REACH = 5
"""The greatest distance between two tables, in the order of the best standing at each."""

WORK = 60_000
KICKS = 250
"""Divided by the number of entrants: how often the search starts again once no exchange is left."""


def exchanged(costs: Costs, tables: Iterable[Table], numbers: Numbers, *, reach: int | None = REACH) -> list[Table]:
    """The tables, best standing first, once no exchange of two entrants of tables within reach lowers the cost.

    Entrants are numbered by standing; with `reach` None all tables are within reach. Then two exchanges are made by
    chance, and undone unless better ones follow: iterated local search (Lourenço, Martin and Stützle, 2003).
    """
    exchanges = _Exchanges(costs, tables)
    exchanges.settle(reach)
    for _ in range(min(KICKS, WORK // len(costs.met)) if len(exchanges.tables) > 1 else 0):
        before = exchanges.cost
        if not before:
            break
        exchanges.undo.clear()
        for _ in range(2):
            exchanges.by_chance(numbers)
        exchanges.settle(reach)
        if exchanges.cost > before:
            exchanges.take_back()
    return exchanges.settle(reach)


_State: TypeAlias = tuple[Table, list[int], int]


class _Exchanges:
    """Tables while exchanges are made. A table is identified by its index, which never changes."""

    def __init__(self, costs: Costs, tables: Iterable[Table]) -> None:
        self._costs = costs
        self.tables = [list(table) for table in tables]
        self._own = [self._own_costs(table) for table in self.tables]
        """The cost of each entrant with the others of its table."""
        self._stamps = count(len(self.tables))
        self._stamp = list(range(len(self.tables)))
        """Changes whenever a table does."""
        self._settled: dict[tuple[int, int], tuple[int, int]] = {}
        """The stamps of two tables between which no exchange lowers the cost."""
        self.undo: dict[int, _State] = {}
        """The former state of the tables that have changed since this was cleared."""

    @property
    def cost(self) -> int:
        return sum(map(sum, self._own)) // 2

    def settle(self, reach: int | None) -> list[Table]:
        """Exchanges until none is left, and returns the tables, the best standing first."""
        while True:
            order = sorted(range(len(self.tables)), key=lambda at: min(self.tables[at]))
            changed = False
            for place, one in enumerate(order):
                for other in order[place + 1 : None if reach is None else place + 1 + reach]:
                    stamps = (self._stamp[one], self._stamp[other])
                    if self._settled.get((one, other)) != stamps:
                        changed |= self._settle_two(one, other)
            if not changed:
                return [self.tables[at] for at in order]

    def by_chance(self, numbers: Numbers) -> None:
        one = numbers.below(len(self.tables))
        other = (one + 1 + numbers.below(min(len(self.tables) - 1, REACH))) % len(self.tables)
        i, j = numbers.below(len(self.tables[one])), numbers.below(len(self.tables[other]))
        self._exchange(one, other, i, j)

    def take_back(self) -> None:
        """Makes the tables what they were when `undo` was cleared."""
        for at, state in self.undo.items():
            self.tables[at], self._own[at], self._stamp[at] = state
        self.undo.clear()

    def _settle_two(self, one: int, other: int) -> bool:
        """Makes the best exchange of two tables, until none lowers the cost; returns whether there was any."""
        changed = False
        while best := self._best_exchange(one, other):
            self._exchange(one, other, *best)
            changed = True
        self._settled[one, other] = self._stamp[one], self._stamp[other]
        self._settled[other, one] = self._stamp[other], self._stamp[one]
        return changed

    def _best_exchange(self, first: int, second: int) -> tuple[int, int] | None:
        """The seats whose exchange lowers the cost most, one of which may be an empty chair; None if none does."""
        if not (any(self._own[first]) or any(self._own[second])):
            return None
        one, other = self.tables[first], self.tables[second]
        across = [self._costs.to_each(entrant, other) for entrant in one]
        going = [sum(row) - own for row, own in zip(across, self._own[first], strict=True)]
        coming = [sum(column) - own for column, own in zip(zip(*across, strict=True), self._own[second], strict=True)]
        if len(one) == len(other) + 1:
            across = [[*row, 0] for row in across]
            coming.append(0)
        elif len(other) == len(one) + 1:
            across.append([0] * len(other))
            going.append(0)
        change, i, j = min(_best_of_row(i, here, coming, across[i]) for i, here in enumerate(going))
        return (i, j) if change < 0 else None

    def _exchange(self, first: int, second: int, i: int, j: int) -> None:
        one, other = list(self.tables[first]), list(self.tables[second])
        if i == len(one):
            one.append(other.pop(j))
        elif j == len(other):
            other.append(one.pop(i))
        else:
            one[i], other[j] = other[j], one[i]
        for at, table in ((first, one), (second, other)):
            self.undo.setdefault(at, (self.tables[at], self._own[at], self._stamp[at]))
            self.tables[at], self._own[at], self._stamp[at] = table, self._own_costs(table), next(self._stamps)

    def _own_costs(self, table: Table) -> list[int]:
        return [sum(self._costs.to_each(entrant, table)) for entrant in table]


def _best_of_row(i: int, going: int, coming: Sequence[int], across: Sequence[int]) -> tuple[int, int, int]:
    """The change in cost by the best exchange with seat j, and i and j; the two do not meet through it."""
    changes = [going + there - 2 * pair for there, pair in zip(coming, across, strict=True)]
    best = min(changes)
    return best, i, changes.index(best)
