"""PL4 in the shedding games: which move a line comes to."""

import itertools

import pytest

from games.rules import GAMES, PLAYED
from games.rules.shedding import SheddingGame
from games.rules.shedding.legal import opening
from tests.games.api.test_api_sixth_game import SIXES
from tests.rules.plans.scene import HIGHEST, LOWEST, at, line, played, verdict

ORDERS = {
    "three_card": "3 4 5 6 7 8 9 J Q K A 2 T",
    "threes": "3 4 5 6 7 8 9 T J Q K A 2 X",
    "castle": "3 4 5 6 7 8 9 T J Q K A 2",
    "tripp_jokes": "4 5 6 7 8 9 J Q K A 2 3 T X",
}


@pytest.mark.parametrize("game", ORDERS)
def test_pl4_lowest_and_highest_go_by_the_order_in_which_the_game_looks_for_its_opener(game):
    order = ORDERS[game].split()
    cards = {rank: "XR" if rank == "X" else f"{rank}S" for rank in order}
    for low, high in itertools.pairwise(order):
        state = at(game, f"{cards[high]} {cards[low]}")
        assert played(game, state, line(LOWEST)) == f"play {cards[low]}"
        assert played(game, state, line(HIGHEST)) == f"play {cards[high]}"


@pytest.mark.parametrize("game", [game for game in ORDERS if game != "tripp_jokes"])
def test_pl4_the_order_of_plans_is_that_of_the_opening(game):
    """TC3, TH2, CA2: of two ranks in the hands, the one lower in the order opens."""
    rules = GAMES[game]
    order = rules.variant.order
    for low, high in itertools.pairwise(order):
        cards = ["XR" if rank == "X" else f"{rank}S" for rank in (low, high)]
        assert opening(at(game, cards[1], cards[0], dealer=1)).seats == [1]


def test_pl4_lowest_is_chosen_among_what_is_legal_now():
    assert played("three_card", at("three_card", "4S 9S KS", pile="8H"), line(LOWEST)) == "play 9S"
    assert played("threes", at("threes", "4S 9S KS", pile="7H"), line(HIGHEST)) == "play 4S"


def test_pl4_kept_ranks_come_last_and_in_the_order_given():
    state = at("three_card", "2S TS 5S KS")
    assert played("three_card", state, line({**LOWEST, "keep": ["5"]})) == "play KS"
    assert played("three_card", state, line({**LOWEST, "keep": ["T", "2", "K", "5"]})) == "play TS"
    assert played("three_card", state, line({**HIGHEST, "keep": ["T", "2"]})) == "play KS"
    assert played("three_card", state, line({**HIGHEST, "keep": ["5", "K", "T", "2"]})) == "play 5S"


def test_pl4_count_is_one_all_or_exactly_so_many():
    state = at("three_card", "5C 5S 5H 9S")
    assert played("three_card", state, line(LOWEST)) == "play 5S"
    assert played("three_card", state, line({**LOWEST, "count": 2})) == "play 5S 5H"
    assert played("three_card", state, line({**LOWEST, "count": "all"})) == "play 5S 5H 5C"


def test_pl4_a_number_of_cards_that_the_rank_does_not_have_does_not_fit():
    """The rank is chosen first: that the nines are two does not help."""
    found = verdict("three_card", at("three_card", "5S 9S 9H"), line({**LOWEST, "count": 2}), line(LOWEST))
    assert (found.line, found.lines) == (1, ["not legal", "plays"])


def test_pl4_spades_come_before_hearts_diamonds_and_clubs_and_the_red_joker_first():
    assert played("threes", at("threes", "9C 9D 9H 9S"), line({**LOWEST, "count": "all"})) == "play 9S 9H 9D 9C"
    assert played("threes", at("threes", "XB XR"), line({**HIGHEST, "count": "all"})) == "play XR XB"


@pytest.mark.parametrize(("count", "cards"), [("one", "9D"), (2, "9D 9C"), (3, "9D 9C 9S"), ("all", "9D 9C 9S 9H")])
def test_pl4_tj6_what_may_be_merged_comes_behind_the_hand(count, cards):
    state = at("tripp_jokes", "9C 9D", face_up=["9H 9S 4S"])
    assert played("tripp_jokes", state, line({**LOWEST, "count": count})) == f"play {cards}"


def test_pl4_th9_without_merge_last_hand_all_is_the_hand():
    state = at("threes", "9C 9D", face_up=["9H 9S 4S"])
    assert played("threes", state, line({**LOWEST, "count": "all"})) == "play 9D 9C"
    merging = at("threes", "9C 9D", face_up=["9H 9S 4S"], options={"merge_last_hand": True})
    assert played("threes", merging, line({**LOWEST, "count": "all"})) == "play 9D 9C 9S 9H"


def test_pl4_s4_face_up_cards_are_chosen_from_once_the_hand_is_gone():
    assert played("threes", at("threes", "", face_up=["KS 4S 9S"]), line(LOWEST)) == "play 4S"


def test_pl4_the_opening_rank_is_what_is_legal():
    state = at("three_card", "9S 4S KS", openers=(0,), opening_rank="4")
    assert played("three_card", state, line(HIGHEST)) == "play 4S"


def test_pl4_flip_first_is_the_first_face_down_card_left():
    state = at("castle", "", face_down=["- 9S 4S"])
    assert played("castle", state, line({"move": "flip", "choose": "first"})) == "flip 1"
    assert played("castle", state, line({"move": "flip", "position": 2})) == "flip 2"
    assert verdict("castle", state, line({"move": "flip", "position": 0})).lines == ["not legal"]
    assert verdict("castle", at("castle", "9S"), line({"move": "flip", "choose": "first"})).lines == ["not legal"]


def test_pl4_pick_up_draw_and_end_turn_as_they_are():
    assert played("castle", at("castle", "4S", pile="KS"), line("draw"), line("pick_up")) == "pick_up"
    assert played("castle", at("castle", "4S 5S 6S", pile="KS", stock="9S"), line("draw")) == "draw"
    assert played("castle", at("castle", "4S", bonus="may"), line("end_turn")) == "end_turn"
    assert verdict("castle", at("castle", "4S"), line("end_turn"), line("pick_up")).lines == ["not legal"] * 2


def test_pl4_arrange_is_a_concrete_move():
    rules = GAMES["threes"]
    state, _ = rules.deal(2, None, {}, 1, list)
    mine = [*state.players[0].hand, *state.players[0].face_up][:3]
    assert played("threes", state, line({"move": "arrange", "face_up": mine})) == f"arrange {' '.join(mine)}"


def test_pl11_a_card_in_neither_hand_nor_face_up_is_not_in_hand():
    state = at("three_card", "5S", face_up=["9S 9H 4S"])
    words = verdict(
        "three_card",
        state,
        line({"move": "play", "cards": ["9S"]}),
        line({"move": "play", "cards": ["5S", "5S"]}),
        line({"move": "play", "cards": ["XR"]}),
        line({"move": "play", "cards": ["5S"]}),
        line(LOWEST),
    )
    assert words.lines == ["not legal", "not in hand", "not in hand", "plays", "not tried"]


def test_pl11_of_several_words_the_first_that_is_true():
    state = at("three_card", "5S", pile="9H")
    assert verdict("three_card", state, line({"move": "play", "cards": ["AD"]}, bonus=True)).lines == ["does not hold"]
    assert verdict("three_card", state, line({"move": "play", "cards": ["AD"]}, bonus=False)).lines == ["not in hand"]


def test_pl8_out_of_turn_only_lines_with_interrupt_and_only_where_the_seat_may():
    fours = {"move": "play", "cards": ["4H", "4D", "4C"]}
    state = at("castle", "9S", "4H 4D 4C", pile="4S")
    found = verdict("castle", state, line(fours), line(LOWEST, interrupt=True), line(fours, interrupt=True), seat=1)
    assert (found.line, found.lines) == (2, ["not tried", "not legal", "plays"])
    all_of_them = line({**HIGHEST, "count": "all"}, interrupt=True)
    assert played("castle", state, all_of_them, seat=1) == "play 4H 4D 4C"
    state = at("castle", "9S", "4H 4D", pile="4S")
    assert verdict("castle", state, line(fours, interrupt=True), seat=1).lines == ["not tried"]


def test_pl8_in_turn_a_line_with_interrupt_is_tried_too():
    assert played("castle", at("castle", "9S"), line(LOWEST, interrupt=True)) == "play 9S"


def test_pl8_in_the_opening_race_all_lines_are_tried():
    state = at("castle", "9S 4S", "9H 4H", openers=(0, 1), opening_rank="4", turn=None)
    assert played("castle", state, line(LOWEST), seat=1) == "play 4H"


def test_a_sixth_game_of_the_family_has_plans_by_its_value_alone(monkeypatch):
    for games in (GAMES, PLAYED):
        monkeypatch.setitem(games, "sixes", SheddingGame(SIXES))
    state = at("sixes", "6S 2S XR 9S", "5S", "5H")
    assert played("sixes", state, line(LOWEST)) == "play 9S"
    assert played("sixes", state, line({**LOWEST, "keep": ["9", "2"]}, to_beat=[None])) == "play 6S"
    assert played("sixes", state, line({"move": "play", "cards": ["6S"]}, would_close=True)) == "play 6S"
