"""A lower bound of Q, given the rounds already seated (SE4)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice

from tournaments.rules.seating.meetings import Meetings


@dataclass(frozen=True, slots=True)
class Sitting:
    """A round that is to be seated: who takes part, and the sizes of its tables."""

    round: int
    entrants: tuple[str, ...]
    sizes: tuple[int, ...]


def lower_bound(meetings: Meetings, sittings: Sequence[Sitting]) -> int:
    """Return the least that Q can be once the sittings are seated: the larger of the two bounds."""
    return meetings.q + max(_by_rounds(meetings, sittings), _by_entrants(meetings, sittings))


def _by_rounds(meetings: Meetings, sittings: Sequence[Sitting]) -> int:
    """For each two rounds: the tables of one are spread evenly over those of the other, and the other way round."""
    repeats = 0
    for at, sitting in enumerate(sittings):
        present = frozenset(sitting.entrants)
        for past in meetings.rounds:
            groups = list(filter(None, (len(present.intersection(table)) for table in past)))
            repeats += _of_two(groups, len(present) - sum(groups), sitting.sizes)
        for other in sittings[:at]:
            away = len(frozenset(other.entrants).difference(present))
            groups = [max(size - away, 0) for size in other.sizes]
            repeats += _of_two(groups, len(present.difference(other.entrants)), sitting.sizes)
    return repeats


def _of_two(groups: Sequence[int], alone: int, sizes: Sequence[int]) -> int:
    """The fewest pairs that meet again at tables of these sizes, given groups that have met and some in no group."""
    over_tables = sum(_spread(group, len(sizes)) for group in groups)
    over_groups = sum(_spread(size, len(groups) + alone) for size in sizes)
    return max(over_tables, over_groups)


def _spread(entrants: int, tables: int) -> int:
    """The fewest pairs of entrants that must share a table again."""
    each, more = divmod(entrants, tables)
    return tables * (each * (each - 1) // 2) + more * each


def _by_entrants(meetings: Meetings, sittings: Sequence[Sitting]) -> int:
    """New table-mates are those met least often; larger tables go to those for whom one more costs least."""
    taking_part = Counter[str]()
    fewest = Counter[str]()
    extra = 0
    for sitting in sittings:
        taking_part.update(sitting.entrants)
        smallest = sitting.sizes[-1]
        fewest.update(dict.fromkeys(sitting.entrants, smallest - 1))
        extra += sum(size * (size - smallest) for size in sitting.sizes)
    entrants = list(taking_part)
    most_extra = sum(sitting.sizes[0] - sitting.sizes[-1] for sitting in sittings)
    total = 0
    dearer: list[int] = []
    for entrant, met in zip(entrants, meetings.among(entrants), strict=True):
        costs = _costs(met, len(entrants) - 1, taking_part[entrant])
        total += sum(islice(costs, fewest[entrant]))
        dearer += islice(costs, most_extra)
    return -(-(total + sum(nsmallest(extra, dearer))) // 2)


def _costs(met: dict[int, int], others: int, rounds: int) -> Iterator[int]:
    """Yield what each further table-mate adds to an entrant's sum of m(m - 1)/2, the cheapest first."""
    met_so_often = Counter(met.values())
    met_so_often[0] = others - len(met)
    ready = 0
    for m in range(max(met_so_often) + rounds):
        ready += met_so_often[m] - met_so_often[m - rounds]
        for _ in range(ready):
            yield m
