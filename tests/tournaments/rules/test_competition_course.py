"""How totals came about (PT2), as the chart of a tournament draws it."""

import pytest

from tests.tournaments.rules.notation import document
from tournaments.rules import read_record
from tournaments.rules.counting import course
from tournaments.rules.standings import standings

ROUNDS = """
    rounds tables={"size":2} rounds=4
    enter ada bob cleo
    round 1: ada bob; bye cleo
    g1 at 1.1: ada > bob
    adjust bob 1/4
    round 2: ada cleo; bye bob
    g2 at 2.1: cleo > ada
    adjust ada -1/3
    round 3: bob cleo; bye ada"""
SEASON = "enter ada bob cleo\n" + "\n".join(
    f"g{n}: {pair}" for n, pair in enumerate(["ada > bob", "bob > ada", "cleo > ada", "ada > cleo", "ada > bob"], 1)
)


def steps(text: str, most: int = 24) -> dict[int, list[str]]:
    found = course(read_record(document(text)), ["e1", "e2", "e3"], most)
    return {step.number: [str(total) for total in step.totals] for step in found}


def test_pt2_totals_after_a_round_have_its_byes_and_what_was_adjusted_by_then():
    assert steps(ROUNDS) == {0: ["0", "0", "0"], 1: ["1", "0", "1/2"], 2: ["7/6", "3/4", "3/2"]}


def test_pt4_the_best_games_of_each_moment_make_its_total():
    assert steps(f'season total="sum" best=2\n{SEASON}') == {
        0: ["0", "0", "0"],
        1: ["1", "0", "0"],
        2: ["1", "1", "0"],
        3: ["1", "1", "1"],
        4: ["2", "1", "1"],
        5: ["2", "1", "1"],
    }


def test_a_long_season_has_parts_of_equal_length():
    assert list(steps(f"season\n{SEASON}", most=2)) == [0, 3, 5]


@pytest.mark.parametrize(
    "text",
    [
        ROUNDS,
        ROUNDS + "\nvoid g1",
        ROUNDS.replace("rounds tables", "rounds best=1 tables"),
        f"season best=3\n{SEASON}\nadjust cleo 5/7",
        f"season same_table=1\n{SEASON}\nvoid g2",
        'season three_thirteen points={"scheme":"score"}\nenter ada bob cleo\n'
        "g1, 11 rounds: ada:22 > bob:33\ng2, 4 rounds: cleo:3 > ada:38\nadjust bob 10",
        "season\nenter ada bob cleo\nadjust ada 1",
    ],
)
def test_the_course_ends_with_the_totals_of_the_standings(text: str):
    record = read_record(document(text))
    totals = {row.entrant: row.total for row in standings(record)}
    assert course(record, list(totals), 24)[-1].totals == list(totals.values())


def test_a_knockout_has_no_course():
    record = read_record(document('knockout tables={"size":2} advance=1\nenter ada bob\nseed ada bob'))
    assert course(record, ["e1", "e2"], 24) == []
