"""Turns missed (ST6)."""

from fractions import Fraction

from tournaments.rules.tally import Tally


def timeouts(tally: Tally, entrant: str) -> Fraction:
    """ST6: turns missed in kept games."""
    return Fraction(sum(share.timeouts for _, share in tally.kept[entrant]))
