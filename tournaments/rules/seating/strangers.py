"""Rounds in which only strangers sit together, by backtracking (SE4). A set of entrants is an integer of bits."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournaments.rules.seating.anneal import Met, Rounds

GROUPS = 6000
"""The most groups of strangers for this search: with more, annealing is good enough."""


def only_strangers(
    met: Met, seated: Sequence[Sequence[int]], sizes: Sequence[Sequence[int]], *, steps: int
) -> Rounds | None:
    """Rounds in which nobody meets again, or None if `steps` steps found none.

    The entrant with the fewest possible tables left gets one of them: Knuth's algorithm X ("Dancing links", 2000),
    round by round.
    """
    everybody = range(len(met))
    strangers = [sum(1 << other for other in everybody if other != one and not met[one][other]) for one in everybody]
    bits = [sum(1 << at for at in entrants) for entrants in seated]
    search = _Search(bits, [Counter(counts) for counts in sizes], steps)
    try:
        found = search.rounds(strangers, 0)
    except _GaveUpError:
        return None
    return None if found is None else [[list(_members(table)) for table in tables] for tables in found]


class _GaveUpError(Exception):
    """The search has become too long."""


@dataclass(slots=True)
class _Search:
    seated: list[int]
    sizes: list[Counter[int]]
    steps: int

    def rounds(self, strangers: list[int], at: int) -> list[list[int]] | None:
        """The tables of round `at` and of those after it."""
        if at == len(self.seated):
            return []
        groups = _groups(strangers, self.seated[at], self.sizes[at])
        for tables in self._tables(groups, self.seated[at], self.sizes[at]):
            left = list(strangers)
            for table in tables:
                for entrant in _members(table):
                    left[entrant] &= ~table
            rest = self.rounds(left, at + 1)
            if rest is not None:
                return [tables, *rest]
        return None

    def _tables(self, groups: dict[int, list[int]], standing: int, sizes: Counter[int]) -> Iterator[list[int]]:
        """All ways to seat those without a table."""
        if not standing:
            yield []
            return
        self.steps -= 1
        if self.steps < 0:
            raise _GaveUpError
        possible = (
            [group for group in groups[entrant] if group & standing == group and sizes[group.bit_count()]]
            for entrant in _members(standing)
        )
        for table in min(possible, key=len):
            size = Counter((table.bit_count(),))
            for others in self._tables(groups, standing & ~table, sizes - size):
                yield [table, *others]


def _groups(strangers: list[int], seated: int, sizes: Counter[int]) -> dict[int, list[int]]:
    """For each entrant the groups of strangers that fill a table, the larger ones first."""
    of_entrant: dict[int, list[int]] = {entrant: [] for entrant in _members(seated)}
    count = 0
    for size in sorted(sizes, reverse=True):
        for group in _cliques(strangers, 0, seated, size):
            count += 1
            if count > GROUPS:
                raise _GaveUpError
            for entrant in _members(group):
                of_entrant[entrant].append(group)
    return of_entrant


def _cliques(strangers: list[int], group: int, candidates: int, missing: int) -> Iterator[int]:
    if not missing:
        yield group
        return
    for entrant in _members(candidates):
        candidates &= ~(1 << entrant)
        yield from _cliques(strangers, group | 1 << entrant, candidates & strangers[entrant], missing - 1)


def _members(entrants: int) -> Iterator[int]:
    while entrants:
        lowest = entrants & -entrants
        yield lowest.bit_length() - 1
        entrants ^= lowest
