"""Seating `even`: everyone meets everyone as evenly as possible over the whole tournament (SE4)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tournaments.rules.lots import Numbers, drawn
from tournaments.rules.record import Round
from tournaments.rules.seating.bound import Sitting
from tournaments.rules.seating.least import MOST, exchanged, least
from tournaments.rules.seating.meetings import Costs, Meetings, Tables, dealt
from tournaments.rules.seating.plan import Plan, planned
from tournaments.rules.seating.sizes import byes_of, table_sizes
from tournaments.rules.settings import Tables as Sizes

PLANNED = 48
"""With at most this many entrants, all remaining rounds are planned at once."""

AHEAD = 60
"""The most rounds that are planned ahead."""

STEPS = 800_000
FEWEST_STEPS = 25_000
"""Steps of annealing for a tournament: each plan may take half of the remaining steps, and a minimum in any case."""

STEPS_A_SEAT = 3000
"""More steps than this for each seat of its rounds do not improve a plan."""

FEWER = 3
"""The number of round counts that are tried if the number of rounds is not known."""


@dataclass(slots=True)
class Planner:
    """Goes through a tournament round by round and makes a new plan whenever something has changed.

    The plan follows from the record and is not stored, so seated rounds are gone through again. It holds unless others
    take part or the round was seated differently; then a new plan starts from what is left of it.
    """

    sizes: Sizes
    last: int | None
    """The number of the last round, if it is known."""
    seed: str
    meetings: Meetings = field(default_factory=Meetings)
    byes: Counter[str] = field(default_factory=Counter)
    steps: int = STEPS
    entrants: frozenset[str] = frozenset()
    """The entrants that the plan is for; empty if the last round was seated differently."""
    left: list[Tables] = field(default_factory=list)
    """For the rounds to come."""

    def follow(self, seated: Round) -> None:
        entrants = frozenset(entrant for table in (*seated.tables, seated.byes) for entrant in table)
        if len(entrants) > PLANNED or not self.prepare(seated.number, entrants):
            self.left, self.entrants = [], frozenset()
        else:
            expected, *self.left = self.left
            if _as_sets(expected) != _as_sets(seated.tables):
                self.entrants = frozenset()
        self.meetings.add(seated.tables)
        self.byes.update(seated.byes)

    def prepare(self, number: int, entrants: frozenset[str]) -> bool:
        """Makes a plan for this round and those after it if there is none; returns whether there are tables to plan."""
        sittings = self._sittings(number, entrants)
        if sittings and (entrants != self.entrants or not self.left):
            plan = self._plan(sittings)
            self.left = plan.rounds
            self.steps = max(self.steps - plan.steps, 0)
            self.entrants = entrants
        return bool(sittings)

    def _plan(self, sittings: Sequence[Sitting]) -> Plan:
        if self.last is None:
            # Any of these rounds may be the last, so it is better to plan fewer of them that are as even as possible.
            for count in range(len(sittings), max(len(sittings) - FEWER, 0), -1):
                plan = planned(self.meetings, sittings[:count], self.seed, start=self.left, steps=FEWEST_STEPS)
                if plan.perfect:
                    return plan
        steps = min(STEPS_A_SEAT * len(sittings) * len(sittings[0].entrants), max(self.steps // 2, FEWEST_STEPS))
        return planned(self.meetings, sittings, self.seed, start=self.left, steps=steps)

    def _sittings(self, number: int, entrants: frozenset[str]) -> list[Sitting]:
        """All remaining rounds; if their number is not known, those in which nobody has to meet anybody twice."""
        sizes = table_sizes(len(entrants), self.sizes)
        if not sizes:
            return []
        last = self.last or number - 1 + (len(entrants) - 1) // (sizes[0] - 1)
        byes = Counter(self.byes)
        sittings = []
        for at in range(number, max(number, min(last, number - 1 + AHEAD)) + 1):
            out = byes_of(entrants, len(entrants) - sum(sizes), byes, self.seed, at, rank={})
            byes.update(out)
            sittings.append(Sitting(at, tuple(sorted(entrants.difference(out))), sizes))
        return sittings


def seated_evenly(planner: Planner, rounds: Iterable[Round], sitting: Sitting, entrants: Iterable[str]) -> Tables:
    """The tables of the next round, `sitting`; `entrants` also holds those who have a bye in it."""
    for seated in rounds:
        planner.follow(seated)
    everybody = frozenset(entrants)
    if len(everybody) > PLANNED:
        return _by_itself(sitting, planner.meetings, planner.seed)
    planner.prepare(sitting.round, everybody)
    plan = planner.left[0]
    if planner.last is not None and sitting.round < planner.last:
        return plan
    # After the last round nothing has to be left for others; if the number of rounds is not known, any may be the last.
    alone = _by_itself(sitting, planner.meetings, planner.seed)
    again = planner.meetings.again
    return min(plan, alone, key=lambda tables: sum(again(tables)))


def _by_itself(sitting: Sitting, meetings: Meetings, seed: str) -> Tables:
    entrants = drawn(seed, "table", sitting.round, sitting.entrants)
    costs = Costs.of_meetings(meetings.among(entrants))
    if len(entrants) <= MOST:
        tables = least(costs, range(len(entrants)), sitting.sizes)
    else:
        numbers = Numbers(seed, "exchanges", sitting.round)
        tables = exchanged(costs, dealt(range(len(entrants)), sitting.sizes), numbers, reach=None)
    return [[entrants[at] for at in table] for table in tables]


def _as_sets(tables: Tables) -> frozenset[frozenset[str]]:
    return frozenset(map(frozenset, tables))
