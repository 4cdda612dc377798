"""The number and sizes of a round's tables, and who has a bye (SE1, SE2)."""

from collections.abc import Iterable, Mapping

from tournaments.rules.lots import lot
from tournaments.rules.settings import Tables


def table_sizes(entrants: int, tables: Tables) -> tuple[int, ...]:
    """The sizes of a round's tables, the largest first; entrants beyond them have a bye. Empty: too few for a table.

    As few byes as possible, then as few tables off the wished size, then as many tables, then sizes as close as
    possible.
    """
    for seated in range(entrants, tables.min - 1, -1):
        counts = range(-(-seated // tables.max), seated // tables.min + 1)
        if counts:
            off, fewer = min((_off_size(seated, count, tables), -count) for count in counts)
            return _sizes(seated, -fewer, off, tables.size)
    return ()


def _off_size(seated: int, count: int, tables: Tables) -> int:
    """The least number of `count` tables that must be off the wished size."""
    too_many = seated - count * tables.size
    if too_many == 0:
        return 0
    room = tables.max - tables.size if too_many > 0 else tables.size - tables.min
    return -(-abs(too_many) // room)


def _sizes(seated: int, count: int, off: int, size: int) -> tuple[int, ...]:
    """As few tables as possible are off the wished size, all above it or all below; these share seats evenly."""
    each, more = divmod(seated - (count - off) * size, off) if off else (0, 0)
    sizes = [each + 1] * more + [each] * (off - more) + [size] * (count - off)
    return tuple(sorted(sizes, reverse=True))


def byes_of(
    entrants: Iterable[str],
    count: int,
    byes: Mapping[str, int],
    seed: str,
    round_number: int,
    *,
    rank: Mapping[str, int],
) -> list[str]:
    """Those with the fewest byes so far, then of the highest `rank` (0: not in standings), then the smallest lot."""
    if not count:
        return []

    def turn(entrant: str) -> tuple[int, int, str]:
        return byes.get(entrant, 0), -rank.get(entrant, 0), lot(seed, "bye", round_number, entrant)

    return sorted(entrants, key=turn)[:count]
