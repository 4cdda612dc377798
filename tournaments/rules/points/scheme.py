"""The interface of a points scheme (PT1)."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

Places: TypeAlias = tuple[int, ...]
"""The places of a game's players in any order, each 1 + the number of better ones."""

Numbers: TypeAlias = tuple[Fraction, ...]
"""The points of *places* for first, second, ...; empty for other schemes."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """The points for a game's places. Without `by_place` they are the game's penalties, and less is better."""

    name: str
    by_place: Callable[[Places, Numbers], tuple[Fraction, ...]] | None
    average: Callable[[int, Numbers], Fraction]
    """Returns the average points of a player at a full table of that size (PT3)."""

    def points(self, places: Places, numbers: Numbers) -> tuple[Fraction, ...]:
        """The points of each player, in the order of `places`. Only for schemes that go by place."""
        return _points(self, places, numbers)

    def least_and_most(self, players: int, numbers: Numbers) -> tuple[Fraction, Fraction]:
        """The least and the most that a game of that many players can give. Only for schemes that go by place."""
        points = self.points(tuple(range(1, players + 1)), numbers)
        return min(points), max(points)


@lru_cache(maxsize=100_000)
def _points(scheme: Scheme, places: Places, numbers: Numbers) -> tuple[Fraction, ...]:
    if scheme.by_place is None:
        raise TypeError(f"{scheme.name} does not go by place.")
    return scheme.by_place(places, numbers)
