"""The points schemes (PT1). A new scheme is a value and a place in `SCHEMES`."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from tournaments.rules.exact import exact_sum

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


def _opponents_beaten(places: Places, _: Numbers) -> tuple[Fraction, ...]:
    if len(places) == 1:
        return (Fraction(1),)  # PT8: the one who is left has won
    return tuple(
        Fraction(2 * sum(other > place for other in places) + places.count(place) - 1, 2 * (len(places) - 1))
        for place in places
    )


def _places(places: Places, numbers: Numbers) -> tuple[Fraction, ...]:
    return tuple(_mean(place, place + places.count(place), numbers) for place in places)


def _mean(first: int, beyond: int, numbers: Numbers) -> Fraction:
    """The mean of the numbers for the places from `first` to the one before `beyond`; missing ones are 0."""
    return exact_sum(numbers[first - 1 : beyond - 1]) / (beyond - first)


def _wins(places: Places, _: Numbers) -> tuple[Fraction, ...]:
    return tuple(Fraction(1, places.count(1)) if place == 1 else Fraction() for place in places)


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        # The share of the opponents that one has beaten, a shared place being half a win.
        Scheme("opponents_beaten", _opponents_beaten, lambda *_: Fraction(1, 2)),
        # Numbers for first, second and so on; players with a shared place get the mean of those they fill.
        Scheme("places", _places, lambda size, numbers: _mean(1, size + 1, numbers)),
        # 1 for the first place, divided among those who share it, else 0.
        Scheme("wins", _wins, lambda size, _: Fraction(1, size)),
        # The penalties of Three Thirteen; less is better.
        Scheme("score", None, lambda *_: Fraction()),
    )
}
