"""The choice of those who have a bye (SE2)."""

from collections.abc import Iterable, Mapping

from tournaments.rules.lots import lot


def byes_of(
    entrants: Iterable[str],
    count: int,
    byes: Mapping[str, int],
    seed: str,
    round_number: int,
    *,
    rank: Mapping[str, int],
) -> list[str]:
    """The entrants that have a bye, in the order in which they get them.

    Those with the fewest `byes` so far come first, so that nobody has a second one before all have had one; then the
    lowest in the standings, who have the highest `rank` (0 for entrants that the standings leave out); then the
    smallest lot.
    """
    if not count:
        return []

    def turn(entrant: str) -> tuple[int, int, str]:
        return byes.get(entrant, 0), -rank.get(entrant, 0), lot(seed, "bye", round_number, entrant)

    return sorted(entrants, key=turn)[:count]
