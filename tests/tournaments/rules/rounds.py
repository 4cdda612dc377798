"""Tournaments of rounds that are seated and played on, for the tests of seating."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from tests.tournaments.rules.notation import SEED
from tournaments.rules import NextRound, NoRound, Record, evolve, read_record
from tournaments.rules.seating import next_round

AT = "2026-01-02T00:00:00Z"


class Rounds:
    """A tournament of rounds of so many entrants, with settings."""

    def __init__(self, entrants: int, *, seed: str = SEED, game: str = "threes", **settings: Any) -> None:
        self.record: Record = read_record(
            {
                "format": "trey-tournament/1",
                "title": "Rounds",
                "game": game,
                "kind": "rounds",
                "seed": seed,
                "settings": settings,
                "log": [],
            }
        )
        for number in range(1, entrants + 1):
            self.line("entered", entrant=f"e{number}")

    def line(self, type_: str, **fields: Any) -> None:
        """Adds a line to the record."""
        self.record = evolve(self.record, {"n": self.record.n + 1, "at": AT, "type": type_, **fields})

    def seat(self) -> NextRound:
        """Seats the next round as it should be."""
        found = next_round(self.record)
        self.seated(found.tables, found.byes)
        return found

    def seated(self, tables: Any, byes: Any = ()) -> None:
        """Seats the next round as given."""
        number = max(self.record.rounds, default=0) + 1
        self.line("seated", round=number, tables=[list(table) for table in tables], byes=list(byes))

    def play(self, chance: random.Random) -> None:
        """Gives each table of the last round a result."""
        number = max(self.record.rounds)
        for at, table in enumerate(self.record.rounds[number].tables, 1):
            order = chance.sample(table, len(table))
            players = [
                {"entrant": entrant, "place": place, "score": 3 * place, "timeouts": 0}
                for place, entrant in enumerate(order, 1)
            ]
            self.line("result", id=f"g{number}-{at}", round=number, table=at, source="game", rounds=1, players=players)

    def all_rounds(self, count: int) -> NextRound:
        """Seats so many rounds and returns the last."""
        return [self.seat() for _ in range(count)][-1]


def times_together(record: Record) -> Counter[frozenset[str]]:
    """m, counted from the record's rounds."""
    return Counter(
        frozenset(pair)
        for seated in record.rounds.values()
        for table in seated.tables
        for pair in combinations(table, 2)
    )


def q_of(m: Counter[frozenset[str]]) -> int:
    """The sum of m(m - 1)/2."""
    return sum(times * (times - 1) // 2 for times in m.values())


def pairs(tables: Any) -> list[frozenset[str]]:
    """All pairs that share a table."""
    return [frozenset(pair) for table in tables for pair in combinations(table, 2)]


def cost_by_definition(tables: Any, m: Counter[frozenset[str]], totals: dict[str, Fraction | None]) -> Fraction:
    """SE3, word by word: the sum over all pairs at one table of m + d²; without a total d is 0."""
    cost = Fraction()
    for one, other in map(tuple, pairs(tables)):
        cost += m[frozenset((one, other))]
        if totals[one] is not None and totals[other] is not None:
            cost += (totals[one] - totals[other]) ** 2
    return cost


def all_seatings(entrants: Any, sizes: Any) -> Any:
    """Every way to seat these at tables of these sizes."""
    if not entrants:
        yield []
        return
    first, *others = entrants
    for size in set(sizes):
        left_sizes = list(sizes)
        left_sizes.remove(size)
        for mates in combinations(others, size - 1):
            left = [entrant for entrant in others if entrant not in mates]
            for tables in all_seatings(left, left_sizes):
                yield [[first, *mates], *tables]


@st.composite
def played(draw: st.DrawFn, fewest: int, most: int, **also: Any) -> Record:
    """Tournaments of rounds after some of them, with voids, adjustments, and entrants who come and go."""
    size = draw(st.integers(2, 5))
    tables = {"size": size, "min": draw(st.integers(2, size)), "max": draw(st.integers(size, 6))}
    chance = random.Random(draw(st.integers(0, 2**32)))
    rounds = Rounds(draw(st.integers(fewest, most)), tables=tables, seed=str(chance.random()), **also)
    for number in range(1, draw(st.integers(0, 4)) + 1):
        entrants = [entrant.id for entrant in rounds.record.entrants.values() if entrant.is_in]
        chance.shuffle(entrants)
        cut = []
        while len(entrants) > 1:
            cut.append([entrants.pop() for _ in range(min(chance.randint(2, 6), len(entrants)))])
        rounds.seated(cut, entrants)
        if cut and chance.random() < 0.8:
            rounds.play(chance)
            if chance.random() < 0.3:
                rounds.line("voided", id=f"g{number}-1", reason="a ruling")
        somebody = f"e{chance.randint(1, fewest)}"
        if chance.random() < 0.3:
            rounds.line("adjusted", entrant=somebody, points="-2/3", reason="a ruling")
        if chance.random() < 0.3:
            rounds.line(chance.choice(("withdrew", "removed", "returned")), entrant=somebody)
        if chance.random() < 0.3:
            rounds.line("entered", entrant=f"e{100 + number}")
    return rounds.record


def next_of(record: Record) -> NextRound:
    """The next round, of examples that have one."""
    try:
        return next_round(record)
    except NoRound:
        return reject()
