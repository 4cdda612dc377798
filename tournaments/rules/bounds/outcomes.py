"""All outcomes of an open game: how many at a table can reach a total, or stay below it.

An outcome is any order with any shared places, which anybody can get. For each way of sharing places a greedy matching
of points to players gives the most that can be served, without going through thousands of orders.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from tournaments.rules.points import Numbers, Scheme

Ways = set[tuple[int, ...]]

REMEMBERED = 10_000
"""The number of answers kept for tables of one size: a tournament needs few, but a server runs for a long time."""


@dataclass(frozen=True, slots=True)
class Handouts:
    """The points that can be given out together, each as its level: 0 for the lowest value that the table has."""

    ways: tuple[tuple[int, ...], ...]
    """Each with the lowest level first."""
    levels: int
    _found: dict[tuple[bool, tuple[int, ...]], int] = field(default_factory=dict, repr=False, compare=False)

    def most_below(self, limits: Iterable[int]) -> int:
        """Return how many players at most can get a level below their own limit."""
        return self._matched(tuple(sorted(limits)), mirrored=False)

    def most_from(self, floors: Iterable[int]) -> int:
        """Return how many players at most can get at least their own floor."""
        return self._matched(tuple(sorted(self.levels - floor for floor in floors)), mirrored=True)

    def _matched(self, limits: tuple[int, ...], *, mirrored: bool) -> int:
        key = (mirrored, limits)
        if key not in self._found:
            if len(self._found) == REMEMBERED:
                self._found.clear()
            top = self.levels - 1
            ways = (tuple(top - level for level in reversed(way)) if mirrored else way for way in self.ways)
            self._found[key] = max(_served(way, limits) for way in ways)
        return self._found[key]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The points that a game with a certain number of players can give. `values` are these points, the fewest first."""

    values: tuple[Fraction, ...]
    all: Handouts
    besides: dict[int, Handouts]
    """By level: what is left for the others when one player gets that."""
    alone: dict[int, tuple[int, Handouts]]
    """By place: the level of the entrant that has it unshared, and what is left for the others (BO4)."""


@lru_cache(maxsize=1000)
def outcomes(scheme: Scheme, players: int, numbers: Numbers) -> Outcomes:
    """The outcomes of a game of this many players, for a scheme that goes by place."""
    given = {places: scheme.points(places, numbers) for places in _orders(players)}
    values = tuple(sorted({points for order in given.values() for points in order}))
    level = {points: at for at, points in enumerate(values)}
    every: Ways = set()
    besides = defaultdict[int, Ways](set)
    alone = defaultdict[int, defaultdict[int, Ways]](lambda: defaultdict(set))
    for places, points in given.items():
        levels = [level[each] for each in points]
        every.add(tuple(sorted(levels)))
        for at, place in enumerate(places):
            others = tuple(sorted(levels[:at] + levels[at + 1 :]))
            besides[levels[at]].add(others)
            if places.count(place) == 1:
                alone[place][levels[at]].add(others)

    def handouts(ways: Ways) -> Handouts:
        return Handouts(tuple(ways), len(values))

    return Outcomes(
        values=values,
        all=handouts(every),
        besides={own: handouts(ways) for own, ways in besides.items()},
        alone={place: (own, handouts(ways)) for place, found in sorted(alone.items()) for own, ways in found.items()},
    )


def _orders(players: int, first: int = 1) -> Iterator[tuple[int, ...]]:
    """All ways to share the places from `first` on, like (1, 1, 3), no matter which player has which place."""
    if not players:
        yield ()
    for level in range(1, players + 1):
        for rest in _orders(players - level, first + level):
            yield (first,) * level + rest


def _served(way: tuple[int, ...], limits: tuple[int, ...]) -> int:
    """Both are sorted: each limit takes the lowest level still free, if that is below it."""
    served = 0
    for limit in limits:
        if served < len(way) and way[served] < limit:
            served += 1
    return served
