"""wins: 1 for the first place, divided among those who share it, else 0 (PT1)."""

from fractions import Fraction

from tournaments.rules.points.scheme import Numbers, Places, Scheme


def _by_place(places: Places, _: Numbers) -> tuple[Fraction, ...]:
    return tuple(Fraction(1, places.count(1)) if place == 1 else Fraction() for place in places)


WINS = Scheme("wins", _by_place, lambda size, _: Fraction(1, size))
