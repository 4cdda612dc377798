"""What goes by lot, and how a round is listed (SE5, SE6); when there is none (SE1)."""

import hashlib
import json
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.rules.notation import SEED, document
from tests.tournaments.rules.rounds import Rounds, next_of, played
from tournaments.rules import NoRound, read_record
from tournaments.rules.lots import Numbers, drawn, lot
from tournaments.rules.seating import judge, next_round
from tournaments.rules.seating.sizes import table_sizes
from tournaments.rules.standings import standings


def test_se5_a_lot_is_a_hash_of_the_seed_and_what_it_is_for():
    assert lot("5f", "bye", 3, "e7") == hashlib.sha256(b"5f/bye/3/e7").hexdigest()


def test_se5_numbers_follow_from_the_seed_alone():
    """What machines must agree on: known answers of this stream."""
    numbers = Numbers("5f", "annealing", 1)
    digest = hashlib.shake_256(b"5f/annealing/1/1").digest(16)
    assert numbers.block(2) == (int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little"))
    dice = Numbers("5f", "dice")
    thrown = Counter(dice.below(6) for _ in range(6000))
    assert set(thrown) == set(range(6))
    assert min(thrown.values()) > 900


@pytest.mark.sampled
@pytest.mark.parametrize("entrants", [8, 30])
def test_se5_the_first_round_of_standing_is_decided_by_lot(entrants):
    """Over many seeds everybody meets everybody about equally often."""
    met = Counter()
    for seed in range(300):
        for table in next_round(Rounds(entrants, seed=str(seed)).record).tables:
            met.update(other for other in table if "e1" in table and other != "e1")
    assert len(met) == entrants - 1
    assert max(met.values()) < 2.2 * min(met.values())


KNOWN = {
    ("standing", 9, 3): "cfcd0bcaa7e0",
    ("standing", 13, 3): "1f8bb90477a3",
    ("standing", 20, 4): "2b7d3c34ce2e",
    ("even", 9, 3): "12a8f4424204",
    ("even", 13, 3): "5328769e3c26",
    ("even", 20, 4): "d9a7a21fd9a5",
}
"""What a seating has always been. It changes when the way to seat does, and must not change otherwise."""


@pytest.mark.parametrize(("seating", "entrants", "rounds"), list(KNOWN))
def test_se5_the_same_record_gives_the_same_tables_on_every_machine(seating, entrants, rounds):
    tournament = Rounds(entrants, seating=seating, rounds=rounds)
    for number in range(1, rounds + 1):
        for at, table in enumerate(tournament.seat().tables, 1):
            players = [
                {"entrant": entrant, "place": place, "score": 0, "timeouts": 0}
                for place, entrant in enumerate(sorted(table), 1)
            ]
            tournament.line("result", id=f"{number}-{at}", round=number, table=at, source="game", players=players)
    seated = [tables.tables for tables in tournament.record.rounds.values()]
    assert hashlib.sha256(repr(seated).encode()).hexdigest()[:12] == KNOWN[seating, entrants, rounds]


@pytest.mark.sampled
@pytest.mark.parametrize("text", ["rounds", 'rounds seating="even" rounds=3'])
def test_se5_a_seating_does_not_depend_on_the_order_of_sets(text):
    record = json.dumps(document(f"{text}\nenter {' '.join('abcdefghijklm')}\nround 1: a b c d | e f g h i | j k l m"))
    answers = {
        subprocess.run(
            [sys.executable, "-m", "tournaments.rules", "seat", "-"],
            input=record,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "2", "3")
    }
    assert len(answers) == 1


def in_another_order(record, chance):
    """The same tournament with entrants, tables, and who sits at them named in another order."""
    entered = chance.sample([f"e{number}" for number in range(1, 12)], 11)
    log = [{"type": "entered", "entrant": entrant} for entrant in entered]
    for seated in record.rounds.values():
        tables = [chance.sample(table, len(table)) for table in seated.tables]
        chance.shuffle(tables)
        log.append(
            {
                "type": "seated",
                "round": seated.number,
                "tables": tables,
                "byes": chance.sample(seated.byes, len(seated.byes)),
            }
        )
    return read_record(
        {
            "format": "trey-tournament/1",
            "game": "threes",
            "kind": "rounds",
            "seed": record.seed,
            "settings": record.settings.as_json(),
            "log": [{"n": n, "at": "2026-01-02T00:00:00Z", **line} for n, line in enumerate(log, 1)],
        }
    )


@settings(max_examples=8)
@given(st.sampled_from(["standing", "even"]), st.integers(2, 4), st.integers(0, 10**6))
def test_se5_the_order_in_which_things_are_named_makes_no_difference(seating, size, seed):
    chance = random.Random(seed)
    tournament = Rounds(11, seating=seating, rounds=5, tables={"size": size, "min": size}, seed=str(seed))
    for _ in range(3):
        entrants = chance.sample([f"e{number}" for number in range(1, 12)], 11)
        count = 11 // size
        tournament.seated([entrants[at::count][:size] for at in range(count)], entrants[count * size :])
    assert next_round(in_another_order(tournament.record, chance)) == next_round(tournament.record)


@pytest.mark.sampled
def test_se6_tables_are_listed_by_the_best_standing_and_seats_drawn_by_lot():
    tournament = Rounds(23)
    chance = random.Random(5)
    for _ in range(3):
        tournament.seat()
        tournament.play(chance)
    found = next_round(tournament.record)
    position = {row.entrant: at for at, row in enumerate(standings(tournament.record))}
    best = [min(position[entrant] for entrant in table) for table in found.tables]
    assert best == sorted(best)
    for table in found.tables:
        hashes = [hashlib.sha256(f"{SEED}/seat/4/{entrant}".encode()).hexdigest() for entrant in table]
        assert hashes == sorted(hashes)
        assert list(table) == drawn(SEED, "seat", 4, table)


@settings(max_examples=40)
@given(played(7, 25))
def test_se1_everybody_who_is_in_sits_at_one_table_or_has_a_bye(record):
    found = next_of(record)
    entrants = sorted(entrant.id for entrant in record.entrants.values() if entrant.is_in)
    assert sorted(entrant for table in (*found.tables, found.byes) for entrant in table) == entrants
    sizes = tuple(sorted(map(len, found.tables), reverse=True))
    assert sizes == table_sizes(len(entrants), record.settings.tables)
    assert found.round == len(record.rounds) + 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rounds\nenter ada bob", "2 entrants cannot be seated, because a table needs at least 3."),
        ("rounds", "0 entrants cannot be seated, because a table needs at least 3."),
        ('rounds tables={"size":2} rounds=1\nenter ada bob\nround 1: ada bob', "All 1 rounds have been seated."),
        ("season\nenter ada bob cleo", ""),
    ],
)
def test_se1_a_round_that_would_have_no_table_is_not_seated(text, sentence):
    from tournaments.rules.seating import seat

    with pytest.raises(NoRound) as none:
        seat(read_record(document(text)))
    assert sentence in str(none.value)


def test_se1_who_withdrew_or_was_removed_is_not_seated():
    record = read_record(
        document("""
        rounds
        enter ada bob cleo dan eve fay
        ada withdraws
        bob is removed
        cleo withdraws
        cleo returns
        """)
    )
    assert sorted(next_round(record).tables[0]) == ["e3", "e4", "e5", "e6"]


def test_without_a_seed_there_is_no_lot():
    record = read_record(document("rounds\nenter ada bob cleo") | {"seed": None})
    with pytest.raises(NoRound, match="seed"):
        next_round(record)


def test_a_given_seating_is_judged_by_the_same_figures():
    """LI2: an organiser exchanges entrants of a draft and is shown the cost."""
    tournament = Rounds(12)
    chance = random.Random(2)
    for _ in range(3):
        tournament.seat()
        tournament.play(chance)
    found = next_round(tournament.record)
    assert judge(tournament.record, found.tables, found.byes) == found
    first, second, third = map(list, found.tables)
    first[0], second[0] = second[0], first[0]
    other = judge(tournament.record, [first, second, third], [])
    assert other.tables == (tuple(first), tuple(second), tuple(third))
    assert other.cost >= found.cost
    assert isinstance(other.cost, Fraction)
    assert other.bound == found.bound
