"""The order of the standings, the tie-breaks, and what a row says (ST1 to ST11)."""

from hashlib import sha256
from typing import Any

import pytest

from tests.tournaments.rules.notation import SEED, document
from tests.tournaments.rules.table import Table
from tournaments.rules import read_record, upto
from tournaments.rules.settings import read_settings
from tournaments.rules.standings import standings


def season(games: str, *tie_breaks: str, settings: str = 'total="sum"', names: str = "ada bob cleo dan") -> Table:
    listed = f"tie_breaks={list(tie_breaks)}".replace("'", '"').replace(" ", "")
    return Table(f"season {settings} {listed}\nenter {names}\n{games}")


def test_st1_who_is_tied_after_the_last_tie_break_shares_the_place_the_lower_number_first():
    table = season("adjust dan 2\nadjust cleo 1\nadjust ada 1", "wins")
    assert table.order == ["dan", "ada", "cleo", "bob"]
    assert table.place == {"dan": 1, "ada": 2, "cleo": 2, "bob": 4}


def test_st1_a_tie_break_splits_each_group_and_the_next_one_what_is_still_tied():
    table = season(
        """
        g1: ada!1 > dan
        g2: bob!1 > dan
        g3: cleo = dan!2
        adjust cleo 1/2
        adjust dan 1/2
        """,
        "wins",
        "timeouts",
    )
    assert set(table.total.values()) == {"1"}
    assert table.place == {"ada": 1, "bob": 1, "cleo": 3, "dan": 4}
    assert table.decided_by == {"ada": None, "bob": None, "cleo": "wins", "dan": "timeouts"}


def test_st2_wins_are_kept_games_with_place_1_a_shared_one_by_its_part():
    table = season("g1: ada > bob\ng2: ada = bob = cleo\ng3: bob > ada", "wins", settings='total="sum" best=2')
    assert table.value("wins") == {"ada": "4/3", "bob": "4/3", "cleo": "1/3", "dan": "0"}


def test_st3_the_better_of_two_who_met_comes_first():
    table = season("g1: bob > ada\ng2: ada > cleo", "head_to_head")
    assert table.place == {"bob": 1, "ada": 2, "cleo": 3, "dan": 3}
    assert table.value("head_to_head") == {"bob": "1", "ada": "0", "cleo": None, "dan": None}


def test_st3_each_pair_in_one_game_is_a_meeting_and_level_is_half():
    table = season("g1: dan > ada > bob = cleo\nadjust ada 1/3\nadjust bob 5/6\nadjust cleo 5/6", "head_to_head")
    assert table.value("head_to_head") == {"dan": "1", "ada": "2/3", "bob": "1/6", "cleo": "1/6"}
    assert table.place == {"dan": 1, "ada": 2, "bob": 3, "cleo": 3}


def test_st3_it_is_over_all_counted_games_kept_or_not():
    table = season("g1: ada > bob\ng2: bob > ada\ng3: bob > ada", "head_to_head", settings='total="sum" best=1')
    assert table.value("head_to_head")["bob"] == "2/3"


def test_st3_if_any_two_of_the_group_never_met_it_splits_nothing():
    table = season(
        "g1: ada > bob\ng2: bob > cleo\ng3: cleo > dan\ng4: ada > dan\nadjust bob 1\nadjust cleo 1", "head_to_head"
    )
    assert table.total == {"ada": "2", "bob": "2", "cleo": "2", "dan": "0"}
    assert set(table.value("head_to_head").values()) == {None}
    assert table.place == {"ada": 1, "bob": 1, "cleo": 1, "dan": 4}


def test_st3_the_group_is_the_one_still_tied_when_its_turn_comes():
    games = (
        "g1: ada > bob\ng2: bob > cleo\ng3: cleo > ada\ng4: dan > ada!1\ng5: ada > dan!1\nadjust bob 1\nadjust cleo 1"
    )
    table = season(games, "timeouts", "head_to_head")
    assert table.total == {"ada": "2", "bob": "2", "cleo": "2", "dan": "1"}
    assert table.value("head_to_head") == {"bob": "1", "cleo": "0", "ada": None, "dan": None}
    assert table.decided_by["ada"] == "timeouts"


def test_st4_the_mean_of_the_opponents_points_per_game_each_meeting_counting():
    table = season("g1: ada > bob\ng2: bob > cleo\ng3: ada > bob\ng4: cleo > ada", "opponents_strength")
    # points per game: ada 2/3, bob 1/3, cleo 1/2
    expected = {"ada": "7/18", "bob": "11/18", "cleo": "1/2", "dan": "1/2"}
    assert table.value("opponents_strength") == expected


def test_st4_a_walkover_does_not_cost_the_tie():
    table = season("g1: cleo > (dan)\ng2: ada > bob", "opponents_strength")
    assert table.order[:2] == ["cleo", "ada"] and table.decided_by["ada"] == "opponents_strength"
    assert table.value("opponents_strength") == {"cleo": "1/2", "ada": "0", "dan": "1/2", "bob": "1"}


@pytest.mark.parametrize(
    ("points", "worth"), [('{"scheme":"wins"}', "1/4"), ('{"scheme":"places","list":["5","3","2","1"]}', "11/4")]
)
def test_st4_without_a_meeting_it_is_an_average_game_whatever_a_bye_is_worth(points, worth):
    text = f"rounds bye=9 points={points}\nenter ada bob cleo dan\nround 1: ada bob cleo; bye dan"
    assert set(Table(text).value("opponents_strength").values()) == {worth}


def test_st4_byes_and_adjustments_are_nobodys_strength():
    table = Table("""
        rounds tables={"size":2} tie_breaks=["opponents_strength"]
        enter ada bob cleo
        round 1: ada bob; bye cleo
        g1 at 1.1: ada > bob
        round 2: ada cleo; bye bob
        g2 at 2.1: ada = cleo
        adjust ada 5
    """)
    assert table.value("opponents_strength") == {"ada": "1/4", "bob": "3/4", "cleo": "3/4"}


def test_st4_under_score_lower_is_stronger_and_who_met_nobody_comes_last():
    table = Table("""
        season three_thirteen points={"scheme":"score"} tie_breaks=["opponents_strength"]
        enter ada bob cleo dan eve
        g1, 2 rounds: ada:4 > bob:6
        g2, 2 rounds: cleo:4 > dan:8
        g3, 1 round: (eve:2) > ada:0 = bob:0
        adjust ada 2
    """)
    assert table.total == {"ada": "2", "bob": "2", "cleo": "2", "eve": "2", "dan": "4"}
    strengths = {"ada": "2", "bob": "4/3", "cleo": "4", "eve": None, "dan": "2"}
    assert table.value("opponents_strength") == strengths
    assert table.order == ["bob", "ada", "cleo", "eve", "dan"]


def test_st5_the_most_firsts_then_the_most_seconds():
    table = season(
        "g1: ada > cleo > bob\ng2: bob > ada > cleo\ng3: bob = ada\ng4: cleo > dan\nadjust cleo 1/2\nadjust ada -1/2",
        "countback",
    )
    assert table.value("countback") == {
        "ada": ["3/2", "3/2"],
        "bob": ["3/2", "1/2", "1"],
        "cleo": ["1", "1", "1"],
        "dan": ["0", "1"],
    }


def test_st5_a_longer_list_of_the_same_beginning_is_better():
    table = season("g1: ada > cleo > bob\ng2: bob > dan\nadjust ada 0", "countback")
    assert table.value("countback")["ada"] == ["1"] and table.value("countback")["bob"] == ["1", "0", "1"]
    assert table.place["bob"] == 1 and table.place["ada"] == 2


def test_st5_a_place_shared_by_three_fills_three_places():
    assert season("g1: ada > bob = cleo = dan", "countback").value("countback")["dan"] == ["0", "1/3", "1/3", "1/3"]


def test_st6_fewer_turns_missed_in_kept_games_are_better():
    table = season("g1: ada!2 > bob!1\ng2: bob!1 > ada", "timeouts", settings='total="sum" best=1')
    assert table.value("timeouts") == {"bob": "1", "ada": "2", "cleo": "0", "dan": "0"}
    assert table.order[:2] == ["bob", "ada"]


def test_st7_the_lot_is_sha_256_of_the_seed_and_the_entrant_the_smaller_first():
    table = season("finish", "lot")
    lots = {
        name: sha256(f"{SEED}/lot/e{at}".encode()).hexdigest()
        for at, name in enumerate(("ada", "bob", "cleo", "dan"), 1)
    }
    assert table.value("lot") == lots
    assert table.order == sorted(lots, key=lots.__getitem__)
    assert list(table.place.values()) == [1, 2, 3, 4]


def lots_of(record: dict[str, Any]) -> list[bool]:
    return [row.tie_breaks["lot"] is not None for row in standings(read_record(record))]


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("season\nenter ada bob", False),
        ("season\nenter ada bob\ng1: ada = bob", False),
        ("season\nenter ada bob\ng1: ada = bob\nfinish", True),
        ("season\nenter ada bob\ng1: ada = bob\nfinish\nreopen", True),
        ("rounds\nenter ada bob cleo", False),
        ("rounds\nenter ada bob cleo\nround 1: ada bob cleo", True),
        ("rounds\nenter ada bob cleo\nfinish", True),
        ("knockout advance=1\nenter ada bob", False),
        ("knockout advance=1\nenter ada bob\nseed bob ada", True),
    ],
)
def test_st7_the_lot_decides_nothing_before_the_line_that_makes_the_seed_known(text, is_known):
    kind, rest = text.split("\n", 1)
    record = document(f'{kind} tie_breaks=["lot"]\n{rest}')
    assert set(lots_of(record)) == {is_known}
    assert set(lots_of(record | {"seed": None})) == {False}


def test_st7_and_st11_before_its_line_the_lot_decides_nothing_in_hindsight_either():
    record = read_record(document('rounds tie_breaks=["lot"]\nenter ada bob cleo\nround 1: ada bob cleo'))
    assert [row.place for row in standings(upto(record, 3))] == [1, 1, 1]
    assert sorted(row.place or 0 for row in standings(record)) == [1, 2, 3]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("season", ["head_to_head", "wins", "countback", "opponents_strength", "timeouts"]),
        ("rounds", ["opponents_strength", "wins", "head_to_head", "countback", "timeouts"]),
        ("knockout", ["wins", "countback", "timeouts"]),
    ],
)
def test_st8_the_default_order_of_tie_breaks(kind, names):
    assert list(read_settings("threes", kind, {"advance": 1}).tie_breaks) == names


def test_st8_the_lot_decides_only_when_it_is_named():
    assert set(Table("season\nenter ada bob cleo").place.values()) == {1}


def test_st9_decided_by_is_what_set_a_row_apart_from_the_row_above():
    table = season("g1: ada > bob\ng2: cleo > dan\nadjust bob 1\nadjust dan 1/2", "wins", "head_to_head")
    assert table.decided_by == {"ada": None, "cleo": None, "bob": "wins", "dan": "total"}
    assert table.place == {"ada": 1, "cleo": 1, "bob": 3, "dan": 4}


def test_st9_values_are_shown_also_where_they_were_not_needed():
    table = season("g1: ada > bob", "wins", "countback", "timeouts", "head_to_head")
    assert table.tie_breaks["ada"] == {"wins": "1", "countback": ["1"], "timeouts": "0", "head_to_head": None}


def test_st9_head_to_head_shows_the_value_by_which_it_decided():
    table = season("g1: ada > bob\nadjust bob 1", "head_to_head", "wins", "head_to_head")
    assert table.value("head_to_head") == {"ada": "1", "bob": "0", "cleo": None, "dan": None}
    circle = season("g1: ada > bob\ng2: bob > cleo\ng3: cleo > ada\nadjust dan 5", "head_to_head")
    assert circle.value("head_to_head") == {"dan": None, "ada": "1/2", "bob": "1/2", "cleo": "1/2"}


def test_st10_removed_entrants_stand_at_the_end_by_entry_and_are_passed_over():
    table = season("adjust dan 3\nadjust bob 2\nadjust cleo 1\ndan is removed\nbob is removed")
    assert table.order == ["cleo", "ada", "bob", "dan"]
    assert table.place == {"cleo": 1, "ada": 2, "bob": None, "dan": None}
    assert table.status == {"cleo": "in", "ada": "in", "bob": "removed", "dan": "removed"}
    assert table.decided_by["bob"] is None and table.total["bob"] == "2"


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ("ada withdraws", "withdrawn"),
        ("ada withdraws\nada returns", "in"),
        ("ada withdraws\nada is removed", "removed"),
        ("ada withdraws\nada is removed\nada is reinstated", "withdrawn"),
        ("ada withdraws\nada is removed\nada returns\nada is reinstated", "in"),
        ("ada withdraws\nada withdraws\nada returns", "in"),
        ("ada is removed\nada is removed\nada is reinstated", "in"),
        ("ada returns\nada is reinstated", "in"),
    ],
)
def test_st10_the_status_follows_what_happened(changes, status):
    assert Table(f"season\nenter ada bob\n{changes}").status["ada"] == status


def test_st10_who_withdrew_keeps_a_place_in_a_season():
    assert season("g1: ada > bob\nada withdraws").place["ada"] == 1


def test_st10_who_is_replaced_keeps_results_under_a_new_name():
    table = season("g1: ada > bob\nada is replaced by zoe")
    assert table.rows["zoe"]["entrant"] == "e1" and table.total["zoe"] == "1"


VOIDED_LATER = "season\nenter ada bob\ng1: ada > bob\ng2: bob > ada\nvoid g1\nadjust ada 3"


@pytest.mark.parametrize("n", range(8))
def test_st11_upto_a_line_is_the_record_that_ended_there(n):
    whole = document(VOIDED_LATER)
    assert upto(read_record(whole), n) == read_record(whole | {"log": whole["log"][:n]})
