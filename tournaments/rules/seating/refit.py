"""Making a planned round fit after some have left and others have come."""

from collections.abc import Iterable, Sequence
from functools import partial

from tournaments.rules.seating.anneal import Met


def refitted(
    tables: Iterable[Iterable[int]], entrants: Sequence[int], sizes: Sequence[int], met: Met
) -> list[list[int]]:
    """The tables of a round changed so that these entrants sit at tables of these sizes, the largest first.

    A table that is too large loses the entrant who has met the others there most often; an entrant without a seat takes
    one where it has met the others least often.
    """
    taking_part = set(entrants)
    kept = sorted(([entrant for entrant in table if entrant in taking_part] for table in tables), key=len, reverse=True)
    kept = kept[: len(sizes)] + [[] for _ in sizes[len(kept) :]]
    for table, size in zip(kept, sizes, strict=True):
        while len(table) > size:
            table.remove(max(table, key=partial(_meetings, met, table)))
    seated = {entrant for table in kept for entrant in table}
    for entrant in entrants:
        if entrant not in seated:
            free = [table for table, size in zip(kept, sizes, strict=True) if len(table) < size]
            min(free, key=partial(_meetings_of, met, entrant)).append(entrant)
    return kept


def _meetings(met: Met, table: Iterable[int], entrant: int) -> int:
    return sum(met[entrant][other] for other in table)


def _meetings_of(met: Met, entrant: int, table: Iterable[int]) -> int:
    return _meetings(met, table, entrant)
