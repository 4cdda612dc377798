"""opponents_beaten: the share of the opponents one has beaten, a shared place being half a win (PT1)."""

from fractions import Fraction

from tournaments.rules.points.scheme import Numbers, Places, Scheme


def _by_place(places: Places, _: Numbers) -> tuple[Fraction, ...]:
    if len(places) == 1:
        return (Fraction(1),)  # PT8: the one who is left has won
    return tuple(
        Fraction(2 * sum(other > place for other in places) + places.count(place) - 1, 2 * (len(places) - 1))
        for place in places
    )


OPPONENTS_BEATEN = Scheme("opponents_beaten", _by_place, lambda *_: Fraction(1, 2))
