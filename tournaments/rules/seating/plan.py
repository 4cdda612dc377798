"""Planning all remaining rounds at once, so that everyone meets everyone as evenly as possible (SE4)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tournaments.rules.lots import Numbers, drawn
from tournaments.rules.seating.anneal import Met, Rounds, annealed, met_with, q_of
from tournaments.rules.seating.bound import Sitting, lower_bound
from tournaments.rules.seating.designs import near, round_robin
from tournaments.rules.seating.meetings import Meetings, Tables
from tournaments.rules.seating.strangers import only_strangers

COLD, HOT = 0.03, 0.25
"""The chance with which annealing begins: to repair a good plan, and to look for a new one."""

STEPS_OF_A_SEARCH = 50
"""The number of annealing steps that take as long as one step of `only_strangers`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Tables for each round that is left."""

    rounds: list[Tables]
    perfect: bool = False
    """True if Q is down to its lower bound."""
    steps: int = 0


def planned(
    meetings: Meetings, sittings: Sequence[Sitting], seed: str, *, start: Sequence[Tables] = (), steps: int
) -> Plan:
    """The best of several starting plans, annealed for `steps` steps unless it is perfect.

    `start` is an older plan, whose rounds may be too few or for others. While nobody has met, designs are starts, too.
    """
    task = _Task(meetings, sittings, seed)
    best: Rounds = []
    least = -1
    for rounds in task.starts(start, steps // STEPS_OF_A_SEARCH):
        q = q_of(met_with(task.met, rounds))
        if least < 0 or q < least:
            best, least = rounds, q
        if least <= task.target:
            return Plan(task.named(best), perfect=True)
    numbers = Numbers(seed, "annealing", sittings[0].round)
    for share, warmth in ((steps // 4, COLD), (steps - steps // 4, HOT)):
        rounds = annealed(best, task.met, numbers, steps=share, warmth=warmth, target=task.target)
        q = q_of(met_with(task.met, rounds))
        if q < least:
            best, least = rounds, q
    return Plan(task.named(best), perfect=least <= task.target, steps=steps)


class _Task:
    """A seating to plan, with the entrants numbered from 0 by lot."""

    def __init__(self, meetings: Meetings, sittings: Sequence[Sitting], seed: str) -> None:
        everybody = {entrant for sitting in sittings for entrant in sitting.entrants}
        self._entrants = drawn(seed, "plan", sittings[0].round, everybody)
        self._number = {entrant: at for at, entrant in enumerate(self._entrants)}
        self._sizes = [sitting.sizes for sitting in sittings]
        self._seated = [sorted(map(self._number.__getitem__, sitting.entrants)) for sitting in sittings]
        count = len(self._entrants)
        self.met: Met = [[row.get(at, 0) for at in range(count)] for row in meetings.among(self._entrants)]
        self.target = lower_bound(meetings, sittings) - meetings.q + q_of(self.met)

    def named(self, rounds: Rounds) -> list[Tables]:
        return [[[self._entrants[at] for at in table] for table in tables] for tables in rounds]

    def starts(self, older: Sequence[Tables], steps: int) -> Iterator[Rounds]:
        """Rounds that fit, from an older plan, from designs, and from a search of `steps` steps."""
        number = self._number
        if older:
            yield self._fitted(
                [[[number[entrant] for entrant in table if entrant in number] for table in tables] for tables in older]
            )
        if not any(map(any, self.met)):
            if set().union(*self._sizes) == {2}:
                yield self._fitted(list(self._pairs()))
            size = max(self._sizes[0], key=self._sizes[0].count)
            for design in near(size, len(self._entrants)):
                rounds = [design.rounds[at % len(design.rounds)] for at in range(len(self._sizes))]
                yield self._fitted(_without(rounds, design.entrants, design.entrants - len(self._entrants)))
        yield self._fitted([])
        if self.target == q_of(self.met):
            yield from filter(None, [only_strangers(self.met, self._seated, self._sizes, steps=steps)])

    def _pairs(self) -> Iterator[list[list[int]]]:
        """Round robins. With an odd number of entrants, the one with the bye takes the part of the missing one."""
        everybody = range(len(self._entrants))
        rounds = round_robin(len(everybody))
        for start in range(0, len(self._seated), len(rounds)):
            left_out = [
                at for seated in self._seated[start : start + len(rounds)] for at in everybody if at not in seated
            ]
            order = list(dict.fromkeys((*left_out, *everybody)))
            for tables in rounds:
                yield [[order[at] for at in table] for table in tables]

    def _fitted(self, rounds: Rounds) -> Rounds:
        met = self.met
        fitted: Rounds = []
        for at, (entrants, sizes) in enumerate(zip(self._seated, self._sizes, strict=True)):
            tables = refitted(rounds[at] if at < len(rounds) else [], entrants, sizes, met)
            met = met_with(met, [tables])
            fitted.append(tables)
        return fitted


def _without(rounds: Rounds, entrants: int, count: int) -> Rounds:
    """The rounds renumbered so that the entrants with the highest numbers meet each other as rarely as possible."""
    if count < 2:
        return rounds
    met = met_with([[0] * entrants for _ in range(entrants)], rounds)

    def together(group: list[int]) -> int:
        return sum(met[one][other] for one in group for other in group)

    groups = []
    for first in range(entrants):
        group = [first]
        while len(group) < count:
            others = (entrant for entrant in range(entrants) if entrant not in group)
            group.append(min(others, key=lambda entrant: together([*group, entrant])))
        groups.append(group)
    last = min(groups, key=together)
    number = {entrant: at for at, entrant in enumerate([*(e for e in range(entrants) if e not in last), *last])}
    return [[[number[entrant] for entrant in table] for table in tables] for tables in rounds]


def refitted(
    tables: Iterable[Iterable[int]], entrants: Sequence[int], sizes: Sequence[int], met: Met
) -> list[list[int]]:
    """The tables of a round changed so that these entrants sit at tables of these sizes, the largest first.

    A table loses those who have met the others there most often; who has no seat goes where it has met them least.
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
