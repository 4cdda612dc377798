"""Everybody meets everybody as evenly as possible (SE4)."""

import random
import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.rules.finding_designs import Bases
from tests.tournaments.rules.rounds import Rounds, all_seatings, next_of, pairs, played, q_of, times_together
from tournaments.rules.seating import next_round
from tournaments.rules.seating.bound import Sitting, lower_bound
from tournaments.rules.seating.designs import PRIMES, charts, lattice, read_chart, round_robin
from tournaments.rules.seating.meetings import Meetings


def even(entrants, size, rounds, **more):
    return Rounds(entrants, tables={"size": size}, seating="even", rounds=rounds, **more)


def repeats(record):
    return q_of(times_together(record))


PUBLISHED = {
    (16, 4, 5, 0),
    (20, 4, 5, 0),
    (24, 4, 7, 0),
    (28, 4, 9, 0),
    (32, 4, 10, 0),
    (9, 3, 4, 0),
    (15, 3, 7, 0),
    (8, 4, 7, 84),
    (12, 4, 3, 9),
    (12, 4, 4, 18),
    (12, 4, 5, 30),
    (12, 4, 6, 45),
    (12, 4, 11, 198),
    (16, 4, 6, 24),
    (20, 4, 7, 20),
}
"""The entrants, sizes, rounds and Q that SE4 names."""


def figures_of_the_docs():
    """Those that the docs name: with them nobody meets twice."""
    text = (Path(__file__).parents[3] / "docs" / "organise" / "tournaments.md").read_text(encoding="utf-8")
    found = set()
    for word, row in re.findall(r"^- tables of (three|four): (.*)[;.]$", text, re.MULTILINE):
        for several, rounds in re.findall(r"((?:\d+ or )?\d+)(?: entrants)? in (\d+)", row):
            size = {"three": 3, "four": 4}[word]
            found |= {(int(entrants), size, int(rounds), 0) for entrants in several.split(" or ")}
    return found


def test_se4_the_docs_have_the_published_figures():
    assert figures_of_the_docs() >= {figure for figure in PUBLISHED if figure[3] == 0}


@pytest.mark.parametrize(("entrants", "size", "rounds", "q"), sorted(figures_of_the_docs() | PUBLISHED))
def test_se4_the_figures_of_charts(entrants, size, rounds, q):
    tournament = even(entrants, size, rounds)
    last = tournament.all_rounds(rounds)
    assert repeats(tournament.record) == last.q == last.cost == q
    assert {len(table) for seated in tournament.record.rounds.values() for table in seated.tables} == {size}


def test_se4_eight_at_fours_over_seven_rounds_meet_exactly_three_times():
    tournament = even(8, 4, 7)
    tournament.all_rounds(7)
    assert set(times_together(tournament.record).values()) == {3}


@pytest.mark.parametrize(
    "design", [*charts(), *(lattice(size, prime) for prime in PRIMES for size in range(2, prime + 1))]
)
def test_se4_a_design_seats_everybody_in_each_round(design):
    for tables in design.rounds:
        assert sorted(entrant for table in tables for entrant in table) == list(range(design.entrants))
        assert {len(table) for table in tables} == {design.size}


@pytest.mark.parametrize("design", charts())
def test_se4_a_design_that_is_written_out_is_as_even_as_can_be(design):
    meetings = Meetings([[map(str, table) for table in tables] for tables in design.rounds])
    everybody = tuple(map(str, range(design.entrants)))
    sizes = (design.size,) * (design.entrants // design.size)
    sittings = [Sitting(number, everybody, sizes) for number in range(1, len(design.rounds) + 1)]
    assert meetings.q == lower_bound(Meetings(), sittings)


def test_se4_the_search_finds_designs():
    """A small one: 16 at fours over 5 rounds modulo 5."""
    bases = Bases(4, 16, 5, [5], seed=1)
    bases.search(0)
    found = read_chart(str(bases))
    assert (found.size, found.entrants, len(found.rounds)) == (4, 16, 5)
    assert Meetings([[map(str, table) for table in tables] for tables in found.rounds]).q == 0


@pytest.mark.parametrize("prime", PRIMES)
def test_se4_in_a_lattice_nobody_meets_anybody_twice(prime):
    for size in range(2, prime + 1):
        met = [pair for tables in lattice(size, prime).rounds for pair in pairs(tables)]
        assert len(met) == len(set(met))


@pytest.mark.parametrize("entrants", [2, 3, 4, 7, 8, 31])
def test_se4_in_a_round_robin_everybody_meets_everybody_once(entrants):
    met = [pair for tables in round_robin(entrants) for pair in pairs(tables)]
    assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(range(entrants), 2)]


@pytest.mark.parametrize(("entrants", "rounds"), [(8, 7), (11, 11), (14, 13), (25, 25)])
def test_se4_at_twos_everybody_meets_everybody_once(entrants, rounds):
    tournament = Rounds(entrants, tables={"size": 2, "min": 2, "max": 2}, seating="even", rounds=rounds)
    tournament.all_rounds(rounds)
    assert set(times_together(tournament.record).values()) == {1}
    assert len(times_together(tournament.record)) == entrants * (entrants - 1) // 2


@pytest.mark.parametrize(
    ("entrants", "rounds", "q"), [(15, 5, 0), (14, 4, 0), (31, 10, 0), (30, 10, 0), (23, 7, 0), (10, 4, 6), (13, 4, 24)]
)
def test_se4_numbers_that_do_not_fill_the_tables_are_as_even_as_can_be(entrants, rounds, q):
    tournament = even(entrants, 4, rounds)
    tournament.all_rounds(rounds)
    assert repeats(tournament.record) == q


@pytest.mark.parametrize(
    ("entrants", "rounds", "changes", "q"),
    [
        (16, 5, {3: ("withdrew", "e3")}, 0),
        (15, 5, {3: ("entered", "e16")}, 0),
        (16, 5, {2: ("entered", "e17")}, 6),
        (28, 9, {4: ("removed", "e3"), 5: ("entered", "e29")}, 0),
        (12, 6, {3: ("withdrew", "e3")}, 36),
    ],
)
def test_se4_who_drops_out_or_comes_late_changes_the_rounds_not_yet_seated(entrants, rounds, changes, q):
    tournament = even(entrants, 4, rounds)
    for number in range(1, rounds + 1):
        if number in changes:
            type_, entrant = changes[number]
            tournament.line(type_, entrant=entrant)
        tournament.seat()
    assert repeats(tournament.record) == q


@pytest.mark.parametrize(("number", "met", "q"), [(1, 0, 0), (2, 1, 0), (2, 0, 6)])
def test_se4_after_an_exchange_in_a_draft_the_rest_is_planned_anew(number, met, q):
    """Two of different tables are exchanged, who met in round 1 or not; in the third case nothing below 6 was found."""
    tournament = even(16, 4, 5)
    for _ in range(number - 1):
        tournament.seat()
    m = times_together(tournament.record)
    first, second, *others = (list(table) for table in next_round(tournament.record).tables)
    one = first[0]
    other = next(entrant for entrant in second if m[frozenset((one, entrant))] == met)
    first[first.index(one)], second[second.index(other)] = other, one
    tournament.seated([first, second, *others])
    tournament.all_rounds(5 - number)
    assert repeats(tournament.record) == q


@pytest.mark.parametrize("seated", range(1, 5))
def test_se4_rounds_of_another_plan_are_completed(seated):
    tournament = even(16, 4, 5)
    chart = next(design for design in charts() if design.entrants == 16)
    for tables in chart.rounds[:seated]:
        tournament.seated([[f"e{16 - entrant}" for entrant in table] for table in tables])
    tournament.all_rounds(5 - seated)
    assert repeats(tournament.record) == 0


def test_se4_rounds_that_are_open_at_once_are_those_of_one_plan():
    """LI2: with `parallel` a round may be seated before the ones before it are played."""
    one_by_one, at_once = even(16, 4, 5), even(16, 4, 5, parallel=3)
    for _ in range(5):
        one_by_one.seat()
        one_by_one.play(random.Random(1))
        at_once.seat()
    for number, seated in one_by_one.record.rounds.items():
        assert {*map(frozenset, seated.tables)} == {*map(frozenset, at_once.record.rounds[number].tables)}


@pytest.mark.parametrize(("entrants", "q"), [(16, [0, 0, 0, 0, 0, 24]), (20, [0, 0, 0, 0, 0]), (12, [0, 3, 9, 18])])
def test_se4_without_a_number_of_rounds_each_is_the_best_by_itself(entrants, q):
    tournament = Rounds(entrants, tables={"size": 4}, seating="even")
    assert [tournament.seat().q for _ in q] == q


@settings(max_examples=20)
@given(played(8, 9, seating="even"))
def test_se4_the_last_round_of_few_is_the_best_by_itself(record):
    found = next_of(record)
    entrants = [entrant for table in found.tables for entrant in table]
    if len(entrants) <= 9:
        m = times_together(record)
        before = q_of(m)
        seatings = all_seatings(entrants, [len(table) for table in found.tables])
        least = min(sum(m[pair] for pair in pairs(tables)) for tables in seatings)
        assert found.q == before + least
        assert found.bound <= before + least


def test_se4_above_48_entrants_rounds_are_planned_one_by_one():
    tournament = even(60, 4, 8)
    tournament.all_rounds(8)
    assert repeats(tournament.record) == 0


@settings(max_examples=15)
@given(st.integers(5, 20), st.integers(2, 5), st.integers(2, 4), st.integers(0, 10**6))
def test_se4_everybody_is_seated_or_has_a_bye_in_each_round(entrants, size, rounds, seed):
    tournament = Rounds(
        entrants, tables={"size": size, "min": size, "max": size + 1}, seating="even", rounds=rounds, seed=str(seed)
    )
    for _ in range(rounds):
        found = tournament.seat()
        named = [entrant for table in (*found.tables, found.byes) for entrant in table]
        assert sorted(named) == sorted(f"e{number}" for number in range(1, entrants + 1))
