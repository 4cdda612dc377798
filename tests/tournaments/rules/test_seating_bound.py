"""The lower bound of Q that stands beside it (SE4)."""

import random

import pytest
from hypothesis import assume, given, settings

from tests.tournaments.rules.rounds import Rounds, all_seatings, next_of, pairs, played, q_of, times_together
from tournaments.rules.seating import next_round
from tournaments.rules.seating.bound import Sitting, lower_bound
from tournaments.rules.seating.meetings import Meetings


def whole(entrants, sizes, rounds):
    """The bound of a tournament of which no round is seated yet."""
    everybody = tuple(map(str, range(entrants)))
    return lower_bound(Meetings(), [Sitting(number, everybody, sizes) for number in range(rounds)])


@pytest.mark.parametrize(
    ("entrants", "sizes", "rounds", "bound"),
    [
        (12, (4, 4, 4), 3, 9),
        (12, (4, 4, 4), 11, 198),
        (8, (4, 4), 7, 84),
        (16, (4,) * 4, 5, 0),
        (16, (4,) * 4, 6, 24),
        (20, (4,) * 5, 7, 20),
        (9, (5, 4), 2, 6),
        (10, (5, 5), 3, 24),
    ],
)
def test_se4_the_bound_of_a_whole_tournament(entrants, sizes, rounds, bound):
    assert whole(entrants, sizes, rounds) == bound


def seated(*rounds):
    """A tournament at fours after rounds written as "1 2 3 4 | 5 6 7 8"."""
    tournament = Rounds(0, tables={"size": 4}, seating="even", rounds=9)
    seatings = [[[f"e{number}" for number in table.split()] for table in text.split("|")] for text in rounds]
    for entrant in sorted({entrant for table in seatings[0] for entrant in table}, key=lambda e: int(e[1:])):
        tournament.line("entered", entrant=entrant)
    for tables in seatings:
        tournament.seated(tables)
    return tournament


@pytest.mark.sampled
def test_se4_each_two_rounds_spread_the_tables_of_one_over_those_of_the_other():
    """Two tables of four over two: each gives two pairs that meet again."""
    assert next_round(seated("1 2 3 4 | 5 6 7 8").record).bound == 4


@pytest.mark.sampled
def test_se4_the_seatings_that_were_are_as_they_were():
    again = "1 2 3 4 | 5 6 7 8"
    assert next_round(seated(again, again).record).bound == 12 + 2 * 4


@pytest.mark.sampled
def test_se4_who_has_left_meets_nobody_again():
    """The table that has lost one gives one pair at least, the other two."""
    tournament = seated("1 2 3 4 | 5 6 7 8")
    tournament.line("withdrew", entrant="e8")
    found = next_round(tournament.record)
    assert found.bound == found.q == 3


def test_se4_each_entrant_meets_again_those_it_has_met_least_often():
    """After five rounds of the chart everybody has met everybody once: all 24 pairs of a sixth round meet again."""
    tournament = Rounds(16, tables={"size": 4}, seating="even", rounds=6)
    tournament.all_rounds(5)
    assert next_round(tournament.record).bound == 24


@pytest.mark.sampled
def test_se4_larger_tables_go_to_those_whom_one_more_costs_least():
    """Three sit at a table of three, five at one of five; all others have met once, whoever sits where."""
    tournament = Rounds(8, tables={"size": 5, "min": 3, "max": 5}, seating="even", rounds=9)
    for _ in range(2):
        tournament.seated([[f"e{number}" for number in range(1, 9)]])
    found = next_round(tournament.record)
    assert found.bound == found.q == 28 + 2 * (3 + 10)


@settings(max_examples=60)
@given(played(5, 7) | played(5, 7, seating="even"))
def test_se4_no_seating_has_a_q_below_the_bound(record):
    found = next_of(record)
    entrants = [entrant for table in found.tables for entrant in table]
    assume(len(entrants) <= 8)
    m = times_together(record)
    seatings = all_seatings(entrants, [len(table) for table in found.tables])
    assert found.bound <= q_of(m) + min(sum(m[pair] for pair in pairs(tables)) for tables in seatings)


@pytest.mark.parametrize("lot", range(5))
def test_se4_the_larger_of_the_two_spreads_after_twenty_rounds_of_twelve(lot):
    """Nobody is met twice in one round, so the three met least often count as they are."""
    tournament = Rounds(12, tables={"size": 4})
    chance = random.Random(lot)
    for _ in range(20):
        order = chance.sample(range(1, 13), 12)
        tournament.seated([[f"e{number}" for number in order[at : at + 4]] for at in (0, 4, 8)])
    found = next_round(tournament.record)
    m = times_together(tournament.record)
    everybody = list(tournament.record.entrants)
    met_least = [sorted(m[frozenset({one, other})] for other in everybody if other != one)[:3] for one in everybody]
    by_rounds, by_entrants = 20 * 3, -(-sum(map(sum, met_least)) // 2)
    assert found.bound == q_of(m) + max(by_rounds, by_entrants)
