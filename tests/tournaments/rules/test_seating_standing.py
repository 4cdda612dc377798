"""Seating by standing (SE3), and what goes by lot (SE5)."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given, settings

from tests.tournaments.rules.notation import document
from tests.tournaments.rules.rounds import all_seatings, cost_by_definition, next_of, pairs, played, times_together
from tournaments.rules import read_record
from tournaments.rules.seating import judge, next_round
from tournaments.rules.standings import standings

PAIRS = 'tables={"size":2,"min":2,"max":2}'


def seated(text):
    """The next round of a tournament in notation, its tables by name, in any order."""
    record = read_record(document(text))
    found = next_round(record)
    names = [{record.entrants[entrant].name for entrant in table} for table in found.tables]
    return found, names


def totals(record, unit=1):
    return {row.entrant: None if row.total is None else row.total / unit for row in standings(record)}


def test_se3_who_have_much_the_same_total_sit_together():
    found, tables = seated(f"""
        rounds {PAIRS}
        enter ada bob cleo dan
        round 1: ada bob | cleo dan
        g1 at 1.1: ada > bob
        g2 at 1.2: cleo > dan
        """)
    assert {"ada", "cleo"} in tables
    assert found.cost == 0


def test_se3_the_same_opponent_again_costs_what_a_win_away_costs():
    record = read_record(
        document(f"""
        rounds {PAIRS}
        enter ada bob cleo dan
        round 1: ada bob | cleo dan
        g1 at 1.1: ada = bob
        g2 at 1.2: cleo = dan
        adjust ada 1
        adjust cleo 1
        """)
    )
    again = judge(record, [["e1", "e3"], ["e2", "e4"]], [])
    away = judge(record, [["e1", "e4"], ["e2", "e3"]], [])
    assert (again.cost, away.cost) == (0, 2)
    assert judge(record, [["e1", "e2"], ["e3", "e4"]], []).cost == 2 + 2


@pytest.mark.parametrize("then", ["", "void g1", "void 1.2", "void g1\nrestore g1"])
def test_se3_having_sat_together_counts_whatever_became_of_the_games(then):
    found, tables = seated(f"""
        rounds {PAIRS}
        enter ada bob cleo dan
        round 1: ada bob | cleo dan
        g1 at 1.1: ada = bob
        {then}
        """)
    assert found.repeats == 0
    assert {"ada", "bob"} not in tables


def test_se3_m_counts_rounds_not_games():
    record = read_record(
        document(f"""
        rounds {PAIRS} games_per_table=3
        enter ada bob
        round 1: ada bob
        g1 at 1.1: ada > bob
        g2 at 1.1: bob > ada
        """)
    )
    found = next_round(record)
    assert (found.repeats, found.cost, found.q) == (1, 1, 1)


@pytest.mark.parametrize(
    ("scheme", "game", "most"),
    [
        ('{"scheme":"opponents_beaten"}', "threes", 1),
        ('{"scheme":"wins"}', "threes", 1),
        ('{"scheme":"places","list":["7","1/2"]}', "threes", 7),
        ('{"scheme":"places","list":["-1","0","3","9"]}', "threes", 3),
        ('{"scheme":"score"}', "three_thirteen", 10),
    ],
)
def test_se3_the_unit_of_differences_is_the_most_that_one_game_can_give(scheme, game, most):
    record = read_record(
        document(f"""
        rounds {game} points={scheme} tables={{"size":2,"min":2,"max":3}}
        enter ada bob
        round 1: ada bob
        g1 at 1.1, 1 rounds: ada:2 > bob:45
        adjust ada 5
        """)
    )
    of = totals(record, most)
    assert next_round(record).cost == 1 + (of["e1"] - of["e2"]) ** 2


def test_se3_when_no_game_can_give_anything_totals_do_not_matter():
    found, _ = seated(f"""
        rounds {PAIRS} points={{"scheme":"places","list":[]}}
        enter ada bob cleo dan
        adjust ada 100
        """)
    assert found.cost == 0


def test_se3_under_score_who_has_no_kept_game_differs_from_nobody():
    found, tables = seated(f"""
        rounds three_thirteen points={{"scheme":"score"}} {PAIRS}
        enter ada bob cleo dan
        round 1: ada bob | cleo dan
        g1 at 1.1, 1 rounds: ada:10 > bob:30
        """)
    assert {"ada", "bob"} not in tables
    assert found.cost == 0


def test_se3_with_games_still_open_totals_are_as_they_stand():
    found, tables = seated(f"""
        rounds {PAIRS}
        enter ada bob cleo dan
        round 1: ada bob | cleo dan
        g2 at 1.2: cleo > dan
        """)
    assert found.round == 2
    assert found.cost == 1
    assert {"cleo", "dan"} not in tables


@settings(max_examples=60)
@given(played(8, 9))
def test_se3_up_to_nine_entrants_nothing_costs_less(record):
    found = next_of(record)
    m, of = times_together(record), totals(record)
    entrants = [entrant for table in found.tables for entrant in table]
    assume(len(entrants) <= 9)
    seatings = all_seatings(entrants, [len(table) for table in found.tables])
    assert found.cost == min(cost_by_definition(tables, m, of) for tables in seatings)


@settings(max_examples=25)
@given(played(10, 45))
def test_se3_no_exchange_of_two_entrants_of_tables_at_most_five_apart_lowers_the_cost(record):
    found = next_of(record)
    m, of = times_together(record), totals(record)
    tables = [list(table) for table in found.tables]
    before = cost_by_definition(tables, m, of)
    assert found.cost == before
    for one, other in combinations(range(len(tables)), 2):
        if other - one > 5:
            continue
        alone = before - cost_by_definition([tables[one], tables[other]], m, of)
        for i in range(len(tables[one])):
            for j in range(len(tables[other])):
                first, second = list(tables[one]), list(tables[other])
                first[i], second[j] = second[j], first[i]
                assert alone + cost_by_definition([first, second], m, of) >= before


@settings(max_examples=60)
@given(played(8, 30) | played(2, 30, game="three_thirteen", points={"scheme": "score"}))
def test_se3_figures_are_what_their_definitions_say(record):
    found = next_of(record)
    m = times_together(record)
    unit = 10 if record.settings.less_is_better else 1
    assert found.cost == cost_by_definition(found.tables, m, totals(record, unit))
    assert found.repeats == sum(m[pair] > 0 for pair in pairs(found.tables))
    m.update(pairs(found.tables))
    assert found.q == sum(Fraction(times * (times - 1), 2) for times in m.values())
    assert found.bound <= found.q
