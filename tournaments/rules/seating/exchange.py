"""Seating by exchanges of two entrants of different tables, each of which lowers the cost (SE3)."""

from collections.abc import Iterable, Sequence

from tournaments.rules.lots import Numbers
from tournaments.rules.seating.costs import Costs, Table

REACH = 5
"""How far apart two tables may be, in the order of the best standing at each."""

KICKS = 6000
"""Divided by the number of entrants: how often something better is looked for once no exchange is left."""


def exchanged(costs: Costs, tables: Iterable[Table], *, reach: int | None = REACH) -> list[Table]:
    """The tables after exchanges, until none of two entrants of tables within reach (None: any two) lowers the cost.

    Entrants are numbered in the order of the standings. Every exchange lowers a sum of integers, so this ends.
    """
    return _Exchanges(costs, tables).settle(reach)


def kicked(costs: Costs, tables: Iterable[Table], numbers: Numbers, *, reach: int | None = REACH) -> list[Table]:
    """As `exchanged`, then again and again from two chance exchanges, keeping what does not cost more.

    This is iterated local search (Lourenço, Martin and Stützle, 2003).
    """
    best = exchanged(costs, tables, reach=reach)
    cost = costs.total(best)
    for _ in range(KICKS // sum(map(len, best)) if len(best) > 1 else 0):
        if not cost:
            break
        shaken = [list(table) for table in best]
        for _ in range(2):
            _exchange_by_chance(shaken, numbers)
        shaken = exchanged(costs, shaken, reach=reach)
        shaken_cost = costs.total(shaken)
        if shaken_cost <= cost:
            best, cost = shaken, shaken_cost
    return best


def _exchange_by_chance(tables: list[Table], numbers: Numbers) -> None:
    at = numbers.below(len(tables))
    near = 1 + numbers.below(min(len(tables) - 1, REACH))
    one, other = tables[at], tables[(at + near) % len(tables)]
    i, j = numbers.below(len(one)), numbers.below(len(other))
    one[i], other[j] = other[j], one[i]


class _Exchanges:
    """Tables on their way to the last exchange."""

    def __init__(self, costs: Costs, tables: Iterable[Table]) -> None:
        self._costs = costs
        self._tables = [list(table) for table in tables]
        self._own = [self._own_costs(table) for table in self._tables]
        """What each entrant costs with the others of its table."""
        self._versions = [0] * len(self._tables)
        self._settled: dict[tuple[int, int], tuple[int, int]] = {}
        """The versions of two tables between which no exchange lowers the cost."""

    def settle(self, reach: int | None) -> list[Table]:
        """Exchanges until none is left, and returns the tables, the best standing first."""
        while True:
            order = sorted(range(len(self._tables)), key=lambda at: min(self._tables[at]))
            changes = [
                self._settle_two(*sorted((one, other)))
                for place, one in enumerate(order)
                for other in order[place + 1 : None if reach is None else place + 1 + reach]
            ]
            if not any(changes):
                return [self._tables[at] for at in order]

    def _settle_two(self, one: int, other: int) -> bool:
        """Makes the best exchange of two tables, until none lowers the cost; returns whether there was any."""
        before = self._versions[one], self._versions[other]
        if self._settled.get((one, other)) == before:
            return False
        while self._exchange(one, other):
            for at in (one, other):
                self._versions[at] += 1
                self._own[at] = self._own_costs(self._tables[at])
        after = self._settled[one, other] = self._versions[one], self._versions[other]
        return after != before

    def _exchange(self, first: int, second: int) -> bool:
        one, other = self._tables[first], self._tables[second]
        if not (any(self._own[first]) or any(self._own[second])):
            return False
        across = [self._costs.to_each(entrant, other) for entrant in one]
        going = [sum(row) - cost for row, cost in zip(across, self._own[first], strict=True)]
        coming = [sum(column) - cost for column, cost in zip(zip(*across, strict=True), self._own[second], strict=True)]
        # Between tables that differ by one, an entrant may take the smaller one's empty chair: it costs nothing.
        if len(one) == len(other) + 1:
            across = [[*row, 0] for row in across]
            coming.append(0)
        elif len(other) == len(one) + 1:
            across.append([0] * len(other))
            going.append(0)
        change, i, j = min(
            _best_of_row(i, here, coming, row) for i, (here, row) in enumerate(zip(going, across, strict=True))
        )
        if change >= 0:
            return False
        if i == len(one):
            one.append(other.pop(j))
        elif j == len(other):
            other.append(one.pop(i))
        else:
            one[i], other[j] = other[j], one[i]
        return True

    def _own_costs(self, table: Table) -> list[int]:
        return [sum(self._costs.to_each(entrant, table)) for entrant in table]


def _best_of_row(i: int, going: int, coming: Sequence[int], across: Sequence[int]) -> tuple[int, int, int]:
    """The change of cost, i and j, for the best j to exchange i with. Their own pair stays at no table."""
    changes = [going + there - 2 * pair for there, pair in zip(coming, across, strict=True)]
    best = min(changes)
    return best, i, changes.index(best)
