"""The number and sizes of a round's tables (SE1)."""

from tournaments.rules.settings import Tables


def table_sizes(entrants: int, tables: Tables) -> tuple[int, ...]:
    """The sizes of a round's tables, the largest first; whom they leave over has a bye.

    As few byes as can be; then as few tables off the wished size as can be; then as many tables as can be; then sizes
    as near each other as can be. Empty when there are too few for one table.
    """
    for seated in range(entrants, tables.min - 1, -1):
        counts = range(-(-seated // tables.max), seated // tables.min + 1)
        if counts:
            off, fewer = min((_off_size(seated, count, tables), -count) for count in counts)
            return _sizes(seated, -fewer, off, tables.size)
    return ()


def _off_size(seated: int, count: int, tables: Tables) -> int:
    """The fewest of `count` tables that must be off the wished size."""
    too_many = seated - count * tables.size
    if too_many == 0:
        return 0
    room = tables.max - tables.size if too_many > 0 else tables.size - tables.min
    return -(-abs(too_many) // room)


def _sizes(seated: int, count: int, off: int, size: int) -> tuple[int, ...]:
    """The tables off the wished size are as few as can be: all are above it or all below, and share seats evenly."""
    each, more = divmod(seated - (count - off) * size, off) if off else (0, 0)
    sizes = [each + 1] * more + [each] * (off - more) + [size] * (count - off)
    return tuple(sorted(sizes, reverse=True))
