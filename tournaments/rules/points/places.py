"""places: numbers for first, second and so on; players with a shared place get the mean of those they fill (PT1)."""

from fractions import Fraction

from tournaments.rules.exact import exact_sum
from tournaments.rules.points.scheme import Numbers, Places, Scheme


def _by_place(places: Places, numbers: Numbers) -> tuple[Fraction, ...]:
    return tuple(_mean(place, place + places.count(place), numbers) for place in places)


def _mean(first: int, beyond: int, numbers: Numbers) -> Fraction:
    """The mean of the numbers for the places from `first` to the one before `beyond`; missing ones are 0."""
    return exact_sum(numbers[first - 1 : beyond - 1]) / (beyond - first)


PLACES = Scheme("places", _by_place, lambda size, numbers: _mean(1, size + 1, numbers))
