"""Points of a game, what counts, and totals (PT1 to PT8)."""

import pytest

from tests.tournaments.rules.table import Table
from tournaments.rules.settings import read_settings


def totals(text: str) -> dict[str, str | None]:
    return Table(text).total


def season(games: str, settings: str = 'total="sum"', names: str = "ada bob cleo dan") -> Table:
    return Table(f"season {settings}\nenter {names}\n{games}")


def test_pt1_opponents_beaten_is_the_share_of_the_opponents_with_a_worse_place():
    assert season("g1: ada > bob > cleo > dan").total == {"ada": "1", "bob": "2/3", "cleo": "1/3", "dan": "0"}


def test_pt1_opponents_beaten_counts_half_for_a_shared_place():
    assert season("g1: ada > bob = cleo > dan").total == {"ada": "1", "bob": "1/2", "cleo": "1/2", "dan": "0"}


def test_pt1_tables_of_any_size_weigh_the_same():
    assert season("g1: ada > bob\ng2: cleo > ada > dan").total == {"ada": "3/2", "cleo": "1", "bob": "0", "dan": "0"}


PLACES = 'total="sum" points={"scheme":"places","list":["5",3,"1/2"]}'


def test_pt1_places_gives_the_numbers_of_the_list_and_0_beyond_it():
    assert season("g1: ada > bob > cleo > dan", PLACES).total == {"ada": "5", "bob": "3", "cleo": "1/2", "dan": "0"}


def test_pt1_who_share_a_place_share_the_mean_of_the_places_they_fill():
    assert season("g1: ada > bob = cleo > dan", PLACES).total == {"ada": "5", "bob": "7/4", "cleo": "7/4", "dan": "0"}
    assert set(season("g1: ada = bob = cleo = dan", PLACES).total.values()) == {"17/8"}


def test_pt1_wins_is_1_for_the_first_place_shared_among_those_who_share_it():
    wins = 'total="sum" points={"scheme":"wins"}'
    assert season("g1: ada > bob > cleo > dan", wins).total == {"ada": "1", "bob": "0", "cleo": "0", "dan": "0"}
    assert season("g1: ada = bob = cleo > dan", wins).total["bob"] == "1/3"


SCORE = 'season three_thirteen points={"scheme":"score"}'


def test_pt1_and_pt2_score_is_the_penalties_per_round_and_less_is_better():
    table = Table(f"{SCORE}\nenter ada bob\ng1, 11 rounds: ada:22 > bob:33\ng2, 4 rounds: bob:3 > ada:38")
    assert table.total == {"bob": "12/5", "ada": "4"}
    assert table.place == {"bob": 1, "ada": 2}


def test_pt2_under_score_adjustments_are_penalties_and_nobody_without_a_game_has_a_place():
    table = Table(f"{SCORE}\nenter ada bob cleo\ng1, 11 rounds: ada:22 > bob:33\nadjust ada 33\nadjust cleo 5")
    assert table.total == {"bob": "3", "ada": "5", "cleo": None}
    assert table.place["cleo"] is None and table.decided_by["cleo"] is None


def test_pt2_the_sum_is_that_of_kept_games_byes_and_adjustments():
    table = Table("""
        rounds tables={"size":2}
        enter ada bob cleo
        round 1: ada bob; bye cleo
        g1 at 1.1: ada > bob
        adjust ada -1/3
        adjust cleo 2
    """)
    assert table.total == {"cleo": "5/2", "ada": "2/3", "bob": "0"}
    assert table.adjusted == {"cleo": "2", "ada": "-1/3", "bob": "0"}


def test_pt2_a_season_has_six_average_games_in_advance():
    assert Table("season\nenter ada bob cleo\ng1: ada > bob").total == {"ada": "4/7", "cleo": "1/2", "bob": "3/7"}


def test_pt2_the_mean_takes_adjustments_in_and_leaves_byes_out():
    table = Table("""
        rounds total="mean" tables={"size":2} bye=7
        enter ada bob cleo
        round 1: ada bob; bye cleo
        g1 at 1.1: ada > bob
        adjust bob 1/4
        adjust cleo 3
    """)
    assert table.total == {"ada": "1", "bob": "1/4", "cleo": "0"}  # without games and prior it is 0
    assert table.byes["cleo"] == 1


def test_pt2_the_prior_is_worth_an_average_game_whatever_a_bye_is_worth():
    table = Table('season prior=1 bye=9 points={"scheme":"wins"} tables={"size":3}\nenter ada bob\ng1: ada > bob')
    assert table.total == {"ada": "2/3", "bob": "1/6"}


def test_pt2_the_prior_may_be_set_to_0():
    assert Table("season prior=0\nenter ada bob cleo\ng1: ada > bob").total == {"ada": "1", "bob": "0", "cleo": "0"}


def test_pt2_byes_are_left_out_of_a_mean_before_the_best_are_kept():
    table = Table("""
        rounds total="mean" tables={"size":2} best=1
        enter ada bob cleo
        round 1: ada bob; bye cleo
        g1 at 1.1: ada > bob
        round 2: cleo ada; bye bob
        g2 at 2.1: ada > cleo
    """)
    assert table.total["cleo"] == "0" and table.kept["cleo"] == ["g2"]


@pytest.mark.parametrize(
    ("settings", "worth"),
    [
        ("", "1/2"),
        ('points={"scheme":"wins"} tables={"size":5}', "1/5"),
        ('points={"scheme":"places","list":[5,3,2,1]} tables={"size":3}', "10/3"),
        ('points={"scheme":"places","list":[5,3]}', "2"),
        ('points={"scheme":"wins"} bye="3/4"', "3/4"),
        ("games_per_table=3", "3/2"),
        ('games_per_table=2 bye="1/3"', "2/3"),
    ],
)
def test_pt3_a_bye_is_worth_what_a_player_at_a_full_table_gets_on_average(settings, worth):
    assert totals(f"rounds {settings}\nenter ada bob cleo\nround 1: ada bob; bye cleo")["cleo"] == worth


@pytest.mark.parametrize(("game", "size"), [("threes", 4), ("castle", 4), ("three_thirteen", 4)])
def test_pt3_the_size_is_4_unless_named(game, size):
    assert read_settings(game, "season", {}).tables.size == size


def test_pt4_the_best_games_are_kept_and_of_equal_ones_the_earlier():
    table = season("g1: bob > ada\ng2: ada > bob\ng3: ada > bob\ng4: ada > cleo", 'total="sum" best=2')
    assert table.kept["ada"] == ["g2", "g3"]
    assert table.total == {"ada": "2", "bob": "1", "cleo": "0", "dan": "0"}
    assert table.games["ada"] == 4


def test_pt4_a_game_may_be_kept_for_one_and_not_for_another():
    table = season("g1: ada > bob\ng2: bob > ada", 'total="sum" best=1')
    assert table.kept == {"ada": ["g1"], "bob": ["g2"], "cleo": [], "dan": []}


def test_pt4_kept_games_are_listed_in_the_order_of_lines():
    assert season("g1: ada = bob\ng2: bob > ada\ng3: ada > bob", 'total="sum" best=2').kept["ada"] == ["g1", "g3"]


BYE_OR_DRAW = """
    rounds best=1 tables={"size":2}
    enter ada bob cleo
    round 1: ada cleo; bye bob
    g1 at 1.1: ada = cleo
    round 2: bob cleo; bye ada
    g2 at 2.1: bob = cleo
"""


def test_pt4_a_bye_is_kept_like_a_game_the_earlier_line_first():
    table = Table(BYE_OR_DRAW)
    assert table.kept == {"ada": ["g1"], "bob": [], "cleo": ["g1"]}
    assert set(table.total.values()) == {"1/2"}
    assert table.byes == {"ada": 1, "bob": 1, "cleo": 0}


def test_pt4_with_two_games_a_table_a_bye_is_two_byes_to_keep_from():
    text = 'rounds tables={"size":2} games_per_table=2 best={}\nenter ada bob cleo\nround 1: ada bob; bye cleo'
    assert [totals(text.replace("{}", best))["cleo"] for best in "123"] == ["1/2", "1", "1"]


def test_pt4_under_score_the_penalty_per_round_says_which_are_best():
    table = Table(f"{SCORE} best=1\nenter ada bob\ng1, 1 round: ada:5 > bob:9\ng2, 11 rounds: ada:33 > bob:88")
    assert table.kept == {"ada": ["g2"], "bob": ["g2"]} and table.total == {"ada": "3", "bob": "8"}


def test_pt5_only_the_first_games_of_exactly_the_same_entrants_count():
    table = season("g1: ada > bob\ng2: ada > bob\ng3: ada > bob > cleo\ng4: ada > bob", 'total="sum" same_table=1')
    assert table.kept["ada"] == ["g1", "g3"]
    assert table.games == {"ada": 2, "bob": 2, "cleo": 1, "dan": 0}


def test_pt5_who_was_absent_is_one_of_the_set():
    table = season("g1: ada > bob > (cleo)\ng2: ada > bob\ng3: bob > ada > cleo", 'total="sum" same_table=1')
    assert table.kept["ada"] == ["g1", "g2"]


def test_pt5_and_pt6_games_that_do_not_count_take_no_place_among_the_first():
    table = season("g1: ada > bob\ng2: bob > ada > bob\ng3: bob > ada\nvoid g1", 'total="sum" same_table=1')
    assert table.kept["bob"] == ["g3"]
    table = season("g1: ada > bob\ng3: bob > ada\nvoid g1\nrestore g1", 'total="sum" same_table=1')
    assert table.kept["bob"] == ["g1"]


def test_pt6_a_voided_result_does_not_count_until_it_is_restored():
    assert season("g1: ada > bob\nvoid g1").games["ada"] == 0
    assert season("g1: ada > bob\nvoid g1\nvoid g1\nrestore g1\nrestore g1").total["ada"] == "1"


def test_pt6_a_result_with_an_entrant_twice_does_not_count():
    assert season("g1: ada > bob > ada").games == {"ada": 0, "bob": 0, "cleo": 0, "dan": 0}


def test_pt6_results_of_who_withdrew_or_was_removed_count_for_their_opponents():
    table = season("g1: ada > bob\ng2: cleo > dan\nbob withdraws\ndan is removed")
    assert table.total == {"ada": "1", "cleo": "1", "bob": "0", "dan": "0"}
    assert table.place == {"ada": 1, "cleo": 1, "bob": 3, "dan": None}


def test_pt7_who_has_too_few_games_has_no_place_and_stands_below():
    table = season("g1: ada > bob\ng2: ada > bob\ng3: cleo > ada\ng4: cleo > dan > bob", "min_games=3 prior=0")
    assert table.order == ["ada", "bob", "cleo", "dan"]
    assert table.place == {"ada": 1, "bob": 2, "cleo": None, "dan": None}
    assert table.decided_by == {"ada": None, "bob": "total", "cleo": None, "dan": None}


def test_pt7_it_is_counted_games_that_are_asked_for_kept_or_not():
    assert season("g1: ada > bob\ng2: ada > bob", "min_games=2 best=1").place["bob"] == 2


def test_pt7_it_goes_with_the_mean_alone():
    assert season("g1: ada > bob", 'total="sum" min_games=5').place["bob"] == 2
    table = Table(f"{SCORE} min_games=2\nenter ada bob\ng1, 11 rounds: ada:22 > bob:33")
    assert table.place == {"ada": None, "bob": None}


def test_pt7_who_has_no_place_is_in_nobodys_tied_group():
    settings = 'min_games=2 prior=0 tie_breaks=["head_to_head"]'
    table = season("g1: ada > bob\ng2: bob > ada\ng3: cleo = dan\n", settings)
    assert table.value("head_to_head") == {"ada": "1/2", "bob": "1/2", "cleo": None, "dan": None}


def test_pt8_the_others_score_as_a_table_without_the_absent():
    table = season("g1: ada > (bob) > cleo > dan")
    assert table.total == {"ada": "1", "cleo": "1/2", "bob": "0", "dan": "0"}
    assert table.games["bob"] == 1 and table.kept["bob"] == ["g1"]


def test_pt8_their_places_are_counted_among_themselves():
    table = season("g1: (ada) > bob > cleo = dan", 'total="sum" points={"scheme":"places","list":[5,3,1]}')
    assert table.total == {"bob": "5", "cleo": "2", "dan": "2", "ada": "0"}
    assert table.value("countback") == {
        "bob": ["1"],
        "cleo": ["0", "1/2", "1/2"],
        "dan": ["0", "1/2", "1/2"],
        "ada": [],
    }


@pytest.mark.parametrize(("scheme", "win"), [("opponents_beaten", "1"), ("wins", "1"), ("places", "5")])
def test_pt8_the_one_who_is_left_has_won(scheme, win):
    points = f'points={{"scheme":"{scheme}","list":[5,3]}}'
    table = season("g1: (ada) > bob > (cleo)", f'total="sum" {points}')
    assert table.total == {"bob": win, "ada": "0", "cleo": "0", "dan": "0"}
    assert table.value("wins")["bob"] == "1"


def test_pt8_if_all_are_absent_nobody_scores():
    table = season("g1: (ada) > (bob)", 'total="sum" points={"scheme":"places","list":[5,3]}')
    assert table.total["ada"] == table.total["bob"] == "0"
    assert table.games["ada"] == 1


def test_pt8_an_absent_game_has_0_points_which_best_may_leave_out():
    table = season("g1: ada > bob\ng2: bob > (ada)", 'total="sum" best=1')
    assert table.kept["ada"] == ["g1"]
    points = 'points={"scheme":"places","list":[2,-1]}'
    assert season("g1: ada > bob\ng2: bob > (ada)", f'total="sum" {points}').total == {
        "bob": "1",
        "ada": "2",
        "cleo": "0",
        "dan": "0",
    }


def test_pt8_the_absent_are_nobodys_opponents():
    table = season("g1: ada > bob\ng2: ada > (bob) > cleo", 'total="sum" tie_breaks=["opponents_strength"]')
    # bob's points per game are (0 + 0) / 2; ada met bob once and cleo once, bob met ada once
    assert table.value("opponents_strength") == {"ada": "0", "bob": "1", "cleo": "1", "dan": "1/2"}


def test_pt8_under_score_the_absent_keep_the_penalties_made_in_their_name():
    table = Table(f"{SCORE}\nenter ada bob cleo\ng1, 11 rounds: ada:22 > (cleo:33) > bob:44")
    assert table.total == {"ada": "2", "cleo": "3", "bob": "4"}
    assert table.value("countback") == {"ada": ["1"], "cleo": [], "bob": ["0", "1"]}


def test_pt9_who_was_gone_before_it_began_has_no_place():
    text = "season\nenter ada bob cleo\ng1: ada > bob\n"
    table = Table(text + "cleo withdraws")
    assert table.total == {"ada": "4/7", "bob": "3/7", "cleo": "1/2"}
    assert table.place == {"ada": 1, "bob": 2, "cleo": None} and table.order == ["ada", "bob", "cleo"]
    assert table.status["cleo"] == "withdrawn" and table.decided_by["cleo"] is None
    assert Table(text + "cleo withdraws\ncleo returns").place["cleo"] == 2
    assert Table(text + "adjust cleo 9\ncleo withdraws").place["cleo"] is None
    assert Table(text + "g2: cleo > ada\nvoid g2\ncleo withdraws").place["cleo"] is None
    assert Table(text + "g2: (cleo) > ada\ncleo withdraws").place["cleo"] == 3


def test_pt9_a_bye_or_an_open_game_is_a_beginning():
    text = """
        rounds tables={"size":2} total="mean"
        enter ada bob cleo dan eve fay
        round 1: ada bob | cleo dan; bye eve
        g1 at 1.1: ada > bob
        cleo withdraws
        eve withdraws
        fay withdraws
    """
    table = Table(text)
    assert [name for name, place in table.place.items() if place is None] == ["fay"]
    assert Table(text + "void 1.2").place["cleo"] is None
    assert Table(text + "finish").place["cleo"] is None


def test_pt9_with_those_of_pt7_in_one_order():
    table = Table("""
        season min_games=2 tie_breaks=["timeouts"]
        enter ada bob cleo dan
        dan withdraws
        g1: ada > bob
        g2: ada > bob
        g3: cleo > ada
    """)
    assert table.order == ["ada", "bob", "cleo", "dan"]
    assert list(table.place.values()) == [1, 2, None, None] and table.decided_by["dan"] is None


def test_pt9_bounds_are_for_those_who_have_a_place():
    table = Table("""
        rounds rounds=1 tables={"size":2,"min":2,"max":2} tie_breaks=[]
        enter ada bob cleo dan eve
        round 1: ada bob | cleo dan
        g1 at 1.1: ada > bob
        cleo withdraws
        eve withdraws
    """)
    assert set(table.bounds) == {"ada", "bob", "cleo", "dan"}
    assert table.round == {"ada": [1, 2], "bob": [3, 4], "cleo": [1, 4], "dan": [1, 4]}
