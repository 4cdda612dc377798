"""The places of the kept games: wins (ST2) and countback (ST5)."""

from collections import Counter
from fractions import Fraction

from tournaments.rules.exact import exact_sum
from tournaments.rules.tally import Tally


def wins(tally: Tally, entrant: str) -> Fraction:
    """ST2: kept games with place 1, a place shared by k counting 1/k."""
    shared_by = Counter(share.shared_by for _, share in tally.kept[entrant] if share.place == 1)
    return exact_sum(Fraction(times, players) for players, times in shared_by.items())


def countback(tally: Tally, entrant: str) -> tuple[Fraction, ...]:
    """ST5: how many firsts in kept games, how many seconds, and so on, without zeros at the end."""
    filled = Counter[tuple[int, int]]()
    for _, share in tally.kept[entrant]:
        if share.place is not None:
            filled[share.place, share.shared_by] += 1
    counts = [Fraction()] * max((place + shared_by - 1 for place, shared_by in filled), default=0)
    for (place, shared_by), times in filled.items():
        for at in range(place - 1, place + shared_by - 1):
            counts[at] += Fraction(times, shared_by)
    return tuple(counts)
