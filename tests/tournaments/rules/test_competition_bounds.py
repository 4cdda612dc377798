"""Bounds: what can still happen (BO1 to BO4), against walking through everything that can."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.rules.notation import document
from tests.tournaments.rules.table import Table
from tournaments.rules import Record, evolve, read_record
from tournaments.rules.bounds import bounds
from tournaments.rules.counting import placed, tally
from tournaments.rules.standings import standings

Totals = dict[str, Fraction]
Span = tuple[int, int]

PAIRS = 'rounds tables={"size":2} rounds=1\nenter ada bob cleo dan\nround 1: ada bob | cleo dan\n'


def test_bo1_best_counts_those_who_must_be_above_and_worst_those_who_can_be_level():
    table = Table(PAIRS + "g1 at 1.1: ada > bob")
    assert table.round == {"ada": [1, 2], "bob": [3, 4], "cleo": [1, 4], "dan": [1, 4]}


def test_bo1_tie_breaks_decide_only_within_the_bounds():
    table = Table(PAIRS + "g1 at 1.1: ada > bob\ng2 at 1.2: cleo > dan!1")
    assert table.place["dan"] == 4 and table.round == {
        "ada": [1, 2], "cleo": [1, 2], "bob": [3, 4], "dan": [3, 4],
    }  # fmt: skip


def test_bo1_the_removed_have_no_bounds_and_are_passed_over():
    table = Table(PAIRS + "g1 at 1.1: ada > bob\nada is removed\ndan is removed")
    assert table.round == {"bob": [1, 2], "cleo": [1, 2]}


@pytest.mark.parametrize(
    "text",
    [
        "season\nenter ada bob\ng1: ada > bob",
        "knockout advance=1\nenter ada bob\nseed ada bob\nround 1: ada bob",
        'rounds total="mean" rounds=2\nenter ada bob\nround 1: ada bob',
        'rounds three_thirteen points={"scheme":"score"} rounds=2\nenter ada bob\nround 1: ada bob',
    ],
)
def test_bo2_only_sums_of_rounds_have_bounds(text):
    assert Table(text).bounds == {}


def test_bo2_a_voided_game_is_not_open_and_a_void_may_name_the_table():
    by_id = Table(PAIRS + "g1 at 1.1: ada > bob\nvoid g1")
    by_table = Table(PAIRS + "void 1.1")
    assert by_id.bounds == by_table.bounds
    assert by_id.round == {"ada": [2, 4], "bob": [2, 4], "cleo": [1, 4], "dan": [1, 4]}
    assert by_id.needs == {
        "ada": None,
        "bob": None,
        "cleo": {"1": [1, 1], "2": [2, 4]},
        "dan": {"1": [1, 1], "2": [2, 4]},
    }


@pytest.mark.parametrize(
    ("games", "lines", "still_open"),
    [
        (2, "a at 1.1: ada > bob\nvoid a", 1),
        (2, "a at 1.1: ada > bob\nvoid a\nb at 1.1 by ruling: ada > bob", 0),
        (2, "a at 1.1: ada > bob\nvoid a\nb at 1.1: ada > bob", 0),
        (2, "a at 1.1 by ruling: ada > bob\nb at 1.1: ada > bob\nvoid a", 0),
        (3, "a at 1.1 by ruling: ada > bob\nb at 1.1 by ruling: bob > ada\nvoid a", 1),
        (2, "void 1.1\nb at 1.1 by table: ada > bob", 0),
        (3, "void 1.1\nb at 1.1 by ruling: ada > bob", 1),
        (2, "void 1.1\nvoid 1.1\nvoid 1.1", 0),
        (2, "a at 1.1: ada > bob\nvoid a\nvoid a\nrestore a\nrestore a", 1),
        (1, "a at 1.1: ada > bob\nvoid a\nb at 1.1 by ruling: ada > bob", 0),
        (2, "finish", 0),
        (2, "a at 1.1: ada > bob\nfinish", 0),
        (2, "a at 1.1: ada > bob\nfinish\nreopen", 1),
    ],
)
def test_bo2_a_game_is_open_until_it_has_a_result_or_a_void(games, lines, still_open):
    text = f'rounds tables={{"size":2}} games_per_table={games}\nenter ada bob\nround 1: ada bob\n{lines}'
    assert read_record(document(text)).open_games((1, 1)) == still_open


def test_bo2_with_no_open_game_a_shared_total_is_still_a_span():
    table = Table(PAIRS + "g1 at 1.1: ada > bob\nvoid 1.2")
    assert table.round == {"ada": [1, 1], "bob": [2, 4], "cleo": [2, 4], "dan": [2, 4]}
    assert table.final == table.round


def test_bo2_and_bo3_once_all_is_over_nothing_is_open_and_no_round_is_to_come():
    running = 'rounds tables={"size":2} rounds=3\nenter ada bob cleo dan\nround 1: ada bob | cleo dan\n'
    over = running + "g1 at 1.1: ada > bob\nfinish\n"
    table = Table(over)
    assert table.round == {"ada": [1, 1], "bob": [2, 4], "cleo": [2, 4], "dan": [2, 4]}
    assert table.final == table.round
    assert set(table.needs.values()) == {None}
    again = Table(over + "reopen")
    assert again.final["bob"] == [1, 4] and again.needs["cleo"] == {"1": [1, 2], "2": [3, 4]}


def test_bo2_a_game_that_same_table_leaves_out_moves_nobody():
    table = Table("""
        rounds tables={"size":2} same_table=1
        enter ada bob
        round 1: ada bob
        g1 at 1.1: ada > bob
        round 2: bob ada
    """)
    assert table.round == {"ada": [1, 1], "bob": [2, 2]}
    assert table.needs["bob"] == {"1": [2, 2], "2": [2, 2]}


def test_bo2_at_two_open_tables_everybody_is_weighed_alone():
    table = Table("""
        rounds tables={"size":2} parallel=2
        enter ada bob cleo
        round 1: ada bob; bye cleo
        round 2: bob cleo; bye ada
    """)
    assert table.round == {"ada": [1, 3], "bob": [1, 3], "cleo": [1, 3]}
    assert table.needs["bob"] is None and table.needs["ada"] == {"1": [1, 3], "2": [1, 3]}


def test_bo2_a_table_too_large_to_weigh_is_never_wrong():
    names = " ".join(f"p{number}" for number in range(12))
    table = Table(f'rounds tables={{"size":12}} rounds=1\nenter {names} guest\nround 1: {names}; bye guest')
    assert table.round["guest"] == [1, 13] and table.round["p0"] == [1, 13]
    assert table.needs["p0"]["1"][0] == 1


def test_bo3_further_rounds_give_everybody_anything_up_to_the_most():
    table = Table(PAIRS.replace("rounds=1", "rounds=2") + "g1 at 1.1: ada > bob\ng2 at 1.2: cleo > dan\nadjust cleo 1")
    assert table.round == {"cleo": [1, 1], "ada": [2, 2], "bob": [3, 4], "dan": [3, 4]}
    assert table.final == {"cleo": [1, 2], "ada": [1, 4], "bob": [2, 4], "dan": [2, 4]}


def test_bo3_a_round_may_be_missed_and_a_bye_may_be_worth_more_than_any_game():
    text = 'rounds tables={{"size":2}} points={{"scheme":"places","list":[5,3]}} bye={} rounds=2\n'
    text += "enter ada bob\nround 1: ada bob\ng1 at 1.1: ada > bob\nadjust ada 6"
    assert Table(text.format(4)).final == {"ada": [1, 1], "bob": [2, 2]}
    assert Table(text.format(8)).final == {"ada": [1, 2], "bob": [1, 2]}


def test_bo3_the_least_may_be_below_0():
    text = """
        rounds tables={"size":2,"max":2} points={"scheme":"places","list":[1,-2]} rounds=2 games_per_table=2
        enter ada bob cleo
        round 1: ada bob; bye cleo
        void 1.1
        void 1.1
        adjust cleo 7
    """
    assert Table(text).total == {"cleo": "6", "ada": "0", "bob": "0"}
    assert Table(text).final == {"cleo": [1, 3], "ada": [1, 3], "bob": [1, 3]}
    assert Table(text.replace("adjust cleo 7", "adjust cleo 8")).final["cleo"] == [1, 1]


def test_bo3_final_is_left_out_where_the_number_of_rounds_is_not_set():
    assert "final" not in Table('rounds tables={"size":2}\nenter ada bob\nround 1: ada bob').bounds["ada"]


def test_bo3_with_best_a_further_game_replaces_the_worst_that_is_kept():
    text = 'rounds tables={"size":2} best=1 rounds=2\nenter ada bob cleo dan\nround 1: ada bob | cleo dan\n'
    text += "g1 at 1.1: ada > bob\ng2 at 1.2: cleo = dan\nadjust ada 1/4"
    assert Table(text).final == {"ada": [1, 1], "cleo": [2, 4], "dan": [2, 4], "bob": [2, 4]}


def test_bo4_needs_says_what_each_place_of_ones_own_would_make_of_the_round():
    table = Table(PAIRS + "g1 at 1.1: ada > bob")
    assert table.needs == {
        "ada": None,
        "bob": None,
        "cleo": {"1": [1, 2], "2": [3, 4]},
        "dan": {"1": [1, 2], "2": [3, 4]},
    }


# --- Against walking through everything: each outcome of each open table is played out with real lines of the log.


def weak_orders(players: int) -> Iterator[tuple[int, ...]]:
    """All ways of giving places with any shared."""
    for levels in product(range(players), repeat=players):
        if set(levels) == set(range(max(levels) + 1)):
            yield tuple(1 + sum(other < level for other in levels) for level in levels)


def open_seats(record: Record) -> list[tuple[int, int]]:
    seats = [(r.number, at) for r in record.rounds.values() for at in range(1, len(r.tables) + 1)]
    return [seat for seat in seats for _ in range(record.open_games(seat))]


def outcome(record: Record, seat: tuple[int, int], places: tuple[int, ...], tag: str) -> Record:
    entrants = record.rounds[seat[0]].tables[seat[1] - 1]
    players = [{"entrant": entrant, "place": place} for entrant, place in zip(entrants, places, strict=True)]
    line: dict[str, Any] = {"n": record.n + 1, "at": "2027-01-01T00:00:00Z", "type": "result", "id": tag}
    return evolve(record, line | {"round": seat[0], "table": seat[1], "players": players})


def endings(record: Record) -> Iterator[tuple[dict[tuple[int, int], tuple[int, ...]], Totals]]:
    """Everything that the open games can still make of the totals, one game after the other."""
    seats = open_seats(record)
    sizes = [len(record.rounds[number].tables[table - 1]) for number, table in seats]
    for chosen in product(*(list(weak_orders(size)) for size in sizes)):
        after = record
        for at, (seat, places) in enumerate(zip(seats, chosen, strict=True)):
            after = outcome(after, seat, places, f"open{at}")
        counts = tally(after)
        # Who has withdrawn without a counted game has no place (PT9).
        totals = {entrant: counts.totals[entrant] or Fraction() for entrant in placed(after, counts)}
        yield dict(zip(seats, chosen, strict=True)), totals


def span(totals: list[Totals], entrant: str) -> Span:
    best = min(1 + sum(total > found[entrant] for total in found.values()) for found in totals)
    return best, max(sum(total >= found[entrant] for total in found.values()) for found in totals)


SCHEMES = [
    {"scheme": "opponents_beaten"},
    {"scheme": "wins"},
    {"scheme": "places", "list": ["5", "3", "1"]},
    {"scheme": "places", "list": ["1", "3", "-1"]},
]


@st.composite
def tournaments(draw: st.DrawFn, *, sizes: list[list[int]], games: int = 1) -> Record:
    """A first round with results, byes, voids and adjustments, then a second of which some games are open."""
    size = draw(st.sampled_from(sizes))
    names = [f"p{number}" for number in range(sum(size) + draw(st.integers(0, 2)))]
    lines = [f"enter {' '.join(names)}"]
    for number in (1, 2):
        order = draw(st.permutations(names))
        cuts = [sum(size[:at]) for at in range(len(size) + 1)]
        tables = [order[low:high] for low, high in pairwise(cuts)]
        byes = order[cuts[-1] :]
        lines.append(
            f"round {number}: {' | '.join(' '.join(t) for t in tables)}" + (f"; bye {' '.join(byes)}" if byes else "")
        )
        for at, table in enumerate(tables, 1):
            given_results = games if number == 1 else draw(st.integers(0, games))
            for game in range(given_results):
                signs = [draw(st.sampled_from([" > ", " = "])) for _ in table[1:]]
                absent = draw(st.integers(0, 9)) == 0
                shown = [f"({name})" if absent and name == table[-1] else name for name in draw(st.permutations(table))]
                text = "".join(name + sign for name, sign in zip(shown, [*signs, ""], strict=True))
                lines.append(f"g{number}{at}{game} at {number}.{at}: {text}")
                if draw(st.integers(0, 7)) == 0:
                    lines.append(f"void g{number}{at}{game}")
    adjusted = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(["1/2", "-1", "1/6", "2"])), max_size=2))
    lines += [f"adjust {name} {points}" for name, points in adjusted]
    gone = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    lines += [f"{name} {draw(st.sampled_from(['withdraws', 'is removed']))}" for name in gone]
    made = document("rounds\n" + "\n".join(lines))
    made["settings"] = {
        "points": draw(st.sampled_from(SCHEMES)),
        "best": draw(st.sampled_from([None, 1, 2])),
        "same_table": draw(st.sampled_from([None, 1])),
        "bye": draw(st.sampled_from([None, "1/4"])),
        "games_per_table": games,
    }
    return read_record(made)


@settings(max_examples=60)
@given(tournaments(sizes=[[2, 2], [3, 2], [3, 3], [4]]))
def test_bo2_and_bo4_are_exact_where_each_open_table_has_one_open_game(record):
    found = list(endings(record))
    everything = [totals for _, totals in found]
    of_record = bounds(record)
    assert set(of_record) == {row.entrant for row in standings(record) if row.place is not None}
    for entrant, bound in of_record.items():
        assert bound.round == span(everything, entrant)
        seats = [s for s in open_seats(record) if entrant in record.rounds[s[0]].tables[s[1] - 1]]
        assert (bound.needs is not None) == (len(seats) == 1)
        for place, claimed in (bound.needs or {}).items():
            at = record.rounds[seats[0][0]].tables[seats[0][1] - 1].index(entrant)
            assert claimed == span(
                [t for chosen, t in found if chosen[seats[0]][at] == place and chosen[seats[0]].count(place) == 1],
                entrant,
            )


@settings(max_examples=30)
@given(tournaments(sizes=[[2, 2], [2], [3]], games=2))
def test_bo2_is_never_wrong_with_several_open_games_at_a_table(record):
    everything = [totals for _, totals in endings(record)]
    for entrant, bound in bounds(record).items():
        best, worst = span(everything, entrant)
        assert bound.round[0] <= best and worst <= bound.round[1]


@settings(max_examples=30)
@given(tournaments(sizes=[[2, 2], [3]]), st.data())
def test_bo3_is_never_wrong_whatever_one_more_round_brings(record, data):
    rounds = with_settings(record, rounds=3)
    claimed = bounds(rounds)
    names = [entrant.id for entrant in record.entrants.values() if entrant.is_in]
    order = data.draw(st.permutations(names))
    tables = [order[:2], order[2:4]] if len(order) > 3 else [order[:2]] if len(order) > 1 else []
    line: dict[str, Any] = {"at": "2027-01-01T00:00:00Z", "n": rounds.n + 1, "type": "seated", "round": 3}
    after = evolve(rounds, line | {"tables": tables, "byes": order[2 * len(tables) :]})
    everything = [totals for _, totals in endings(after)]
    for entrant, bound in claimed.items():
        best, worst = span(everything, entrant)
        assert bound.final is not None and bound.final[0] <= best and worst <= bound.final[1]


def with_settings(record: Record, **changes: Any) -> Record:
    return replace(record, settings=replace(record.settings, **changes))


def test_bo2_a_table_of_five_is_exact():
    text = """
        rounds tables={"size":5} points={"scheme":"places","list":[4,2,1]}
        enter ada bob cleo dan eve fay
        round 1: ada bob cleo dan eve; bye fay
        adjust ada 1
        adjust fay 1/2
        adjust bob -1/3
    """
    record = read_record(document(text))
    found = list(endings(record))
    for entrant, bound in bounds(record).items():
        assert bound.round == span([totals for _, totals in found], entrant)
