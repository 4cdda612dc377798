"""Who has a bye (SE2)."""

import hashlib
import random
from collections import Counter

import pytest

from tests.tournaments.rules.notation import SEED, document
from tests.tournaments.rules.rounds import Rounds
from tournaments.rules import read_record
from tournaments.rules.seating import next_round


def byes(text):
    record = read_record(document(text))
    return sorted(record.entrants[entrant].name for entrant in next_round(record).byes)


def lot(entrant, round_number):
    return hashlib.sha256(f"{SEED}/bye/{round_number}/{entrant}".encode()).hexdigest()


THREES = 'rounds tables={"size":3,"min":3,"max":3}'


def test_se2_the_lowest_in_the_standings_has_the_bye():
    assert byes(f"""
        {THREES}
        enter ada bob cleo
        round 1: ada bob cleo
        g1 at 1.1: cleo > ada > bob
        enter dan
        adjust dan 1/4
        """) == ["bob"]


def test_se2_nobody_has_a_second_bye_before_all_had_one():
    assert byes(f"""
        {THREES}
        enter ada bob cleo dan
        round 1: ada cleo dan; bye bob
        g1 at 1.1: dan > cleo > ada
        adjust bob -5
        """) == ["ada"]


@pytest.mark.parametrize("opening", ["", "\nadjust ada 3\nadjust bob -2"])
def test_se2_by_lot_when_nobody_has_a_game_yet(opening):
    expected = min((f"e{number}" for number in range(1, 5)), key=lambda entrant: lot(entrant, 1))
    names = dict(zip(("e1", "e2", "e3", "e4"), ("ada", "bob", "cleo", "dan"), strict=True))
    assert byes(f"{THREES}\nenter ada bob cleo dan{opening}") == [names[expected]]


def test_se2_by_lot_among_those_who_are_level():
    rounds = Rounds(10, tables={"size": 3, "min": 3, "max": 3})
    rounds.seated([["e1", "e2", "e3"], ["e4", "e5", "e6"], ["e7", "e8", "e9"]], ["e10"])
    for at, first in enumerate((1, 4, 7), 1):
        players = [{"entrant": f"e{first + by}", "place": 1 + by, "score": 0, "timeouts": 0} for by in range(3)]
        rounds.line("result", id=f"g{at}", round=1, table=at, source="game", players=players)
    assert next_round(rounds.record).byes == (min(("e3", "e6", "e9"), key=lambda entrant: lot(entrant, 2)),)


def test_se2_even_gives_byes_by_lot_whatever_the_standings():
    rounds = Rounds(7, tables={"size": 3, "min": 3, "max": 3}, seating="even", rounds=7)
    chance = random.Random(3)
    had: Counter[str] = Counter()
    for number in range(1, 8):
        open_to = [f"e{at}" for at in range(1, 8) if had[f"e{at}"] == min(had[f"e{at}"] for at in range(1, 8))]
        found = rounds.seat()
        rounds.play(chance)
        assert found.byes == (min(open_to, key=lambda entrant: lot(entrant, number)),)
        had.update(found.byes)
    assert set(had.values()) == {1}


def test_se2_who_is_late_or_was_away_has_had_fewer_byes():
    rounds = Rounds(4, tables={"size": 3, "min": 3, "max": 3})
    for _ in range(4):
        rounds.seat()
        rounds.play(random.Random(1))
    rounds.line("withdrew", entrant="e1")
    rounds.line("entered", entrant="e9")
    assert next_round(rounds.record).byes == ("e9",)


def test_se2_without_a_place_one_is_lowest():
    """PT2: under score who has no game has no total and no place."""
    assert byes("""
        rounds three_thirteen points={"scheme":"score"} tables={"size":2,"min":2,"max":2}
        enter ada bob cleo dan eve
        round 1: ada bob | cleo dan; bye eve
        g1 at 1.1, 1 rounds: ada:5 > bob:90
        """) != ["bob"]
