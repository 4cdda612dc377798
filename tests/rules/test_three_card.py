"""Three Card (TC1-TC9), and S1-S13 where Three Card shows them: each test proves the ruling its name begins with."""

import pytest

from games.rules import GAMES, SetupError
from tests.rules.table import Table


def three_card(*hands: str, **position):
    return Table.at("three_card", hands, **position)


def opening(*hands: str, dealer: int, direction: int = 1):
    """The opener found for these hands, and the rank it must open with."""
    table = three_card(*hands, dealer=dealer, direction=direction, turn=None)
    return tuple(table.rules.variant.opening(table.state))


@pytest.mark.parametrize(("seats", "cards"), [(2, 52), (4, 52), (5, 104), (8, 104), (9, 156), (32, 416)])
def test_tc1_one_deck_without_jokers_for_each_four_players_begun(seats, cards):
    table = Table.dealt("three_card", seats)
    assert table.stock_count == cards - 9 * seats
    assert not any(card[0] == "X" for card in table.state.stock)


@pytest.mark.parametrize("seats", [1, 33, "4", None])
def test_tc1_two_players_at_least(seats):
    with pytest.raises(SetupError) as refusal:
        GAMES["three_card"].complete_options(seats, None, {})
    assert refusal.value.field == "seats"


def test_tc1_decks_are_no_option_and_unknown_options_are_refused():
    with pytest.raises(SetupError) as refusal:
        GAMES["three_card"].complete_options(4, None, {"decks": 2})
    assert refusal.value.field == "options.decks"


def test_s1_the_first_three_lie_face_down_and_the_other_six_are_the_hand_until_the_choice():
    table = Table.dealt("three_card", 3, "2S 3S 4S 5S 6S 7S 8S 9S TS", dealer=0)
    assert table.seen_at(1)["face_down_cards"] == ["2S", "5S", "8S"], "the dealer's left is dealt to first"
    assert table.seen_at(0)["face_down_cards"] == ["4S", "7S", "TS"]
    assert table.seen_at(0)["hand_count"] == 6 and table.seen_at(0)["face_up"] == []


def test_s2_nobody_sees_a_choice_as_long_as_one_is_missing():
    table = Table.dealt("three_card", 2)
    chosen = table.seen_at(0)["hand"][:3]
    table.move(0, "arrange " + " ".join(chosen))
    assert table.seen_at(0, viewer=1)["face_up"] == [] and table.seen_at(0, viewer=1)["arranged"]
    assert table.seen_at(0, viewer=0)["face_up"] == chosen and table.seen_at(0)["hand_count"] == 3
    assert table.to_act == [1] and table.status == "setup"
    table.move(1, "arrange " + " ".join(table.seen_at(1)["hand"][:3]))
    assert table.seen_at(0, viewer=1)["face_up"] == chosen and table.status == "playing"
    assert table.refuses(0, "arrange " + " ".join(chosen)) == "setup_over"


def test_tc2_play_goes_to_the_left_unless_the_option_says_right():
    assert Table.dealt("three_card", 3).direction == 1
    assert Table.dealt("three_card", 3, options={"direction": "right"}).direction == -1
    assert three_card("9S 4S 4D", "5H", "6H", pile="9H").move(0, "play 9S").to_act == [1]
    assert three_card("9S 4S 4D", "5H", "6H", pile="9H", direction=-1).move(0, "play 9S").to_act == [2]


def test_tc2_also_when_play_goes_right_the_deal_goes_clockwise():
    table = Table.dealt("three_card", 3, "2S 3S 4S", dealer=0, options={"direction": "right"})
    assert table.seen_at(1)["face_down_cards"][0] == "2S"


def test_tc3_the_lowest_rank_from_the_dealers_left_opens():
    assert opening("4S 5S 6S", "3H 5H 6H", "3D 5D 6D", dealer=0) == ([1], "3")
    assert opening("4S 5S 6S", "3H 5H 6H", "3D 5D 6D", dealer=1) == ([2], "3")
    assert opening("3S 5S 6S", "4H 5H 6H", "3D 5D 6D", dealer=0, direction=-1) == ([0], "3"), "1, then 0, then 2"


def test_tc3_2_and_then_10_come_last_in_the_search():
    assert opening("2S TS TD", "AH AD AC", dealer=1) == ([1], "A")
    assert opening("TS TD TC", "2S 2D TH", dealer=1) == ([1], "2")


def test_tc3_only_the_hand_counts_and_the_first_play_must_be_of_the_rank():
    table = three_card("4S 4D KS", "5H 6H 7H", face_up=["3S", "3D"], turn=0, openers=(0,), opening_rank="4")
    assert table.legal(0) == [{"move": "play", "rank": "4", "cards": ["4S", "4D"], "min": 1, "max": 2}]
    assert table.refuses(0, "play KS") == "opening_rank"
    assert table.refuses(0, "pick_up") == "can_play" and table.refuses(1, "play 5H") == "not_your_turn"
    assert table.move(0, "play 4S 4D").pile == ["4S", "4D"] and table.to_act == [1]


def test_tc4_equal_or_higher_and_2_and_10_on_anything():
    table = three_card("KS AS QS 2S TS", pile="KH")
    assert table.plays(0) == "K A 2 T"
    assert table.refuses(0, "play QS") == "cannot_beat_pile"
    assert table.to_beat == {"rank": "K", "or": "higher"}


def test_tc4_anything_goes_on_a_2():
    table = three_card("3S KS", pile="AH 2H")
    assert table.plays(0) == "3 K" and table.to_beat is None


@pytest.mark.parametrize(
    ("cards", "pile", "left"), [("2S", "KH", 2), ("TS", "KH", 0), ("9S 9D", "9H 9C", 0), ("9S 9H 9D 9C", "3H", 0)]
)
def test_tc5_a_2_a_10_and_four_in_a_row_give_a_right_to_play_again(cards, pile, left):
    table = three_card(cards + " 3S", pile=pile).move(0, f"play {cards}")
    assert len(table.pile) == left and table.to_act == [0] and table.bonus == "may"
    assert {"move": "end_turn"} in table.legal(0) and table.plays(0) == "3"
    assert table.move(0, "end_turn").to_act == [1] and table.bonus is None


def test_tc5_without_a_bonus_there_is_no_end_turn_and_three_in_a_row_do_not_close():
    table = three_card("9S 4S", pile="9H 9C")
    assert table.refuses(0, "end_turn") == "no_bonus"
    assert table.move(0, "play 9S").pile == ["9H", "9C", "9S"]


def test_tc6_at_the_end_of_a_turn_the_hand_is_filled_to_three():
    table = three_card("9S 4S 4D", stock="AS KS", pile="9H").move(0, "play 9S")
    assert table.hand(0) == "4D 4S AS" and table.stock_count == 1


def test_tc6_between_bonus_plays_the_player_may_draw_and_that_fills_to_three_at_once():
    table = three_card("2S 2D 4S", stock="AS KS QS", pile="9H").move(0, "play 2S 2D")
    assert table.hand(0) == "4S" and {"move": "draw"} in table.legal(0)
    assert table.move(0, "draw").hand(0) == "4S AS KS" and table.bonus == "may"
    assert table.refuses(0, "draw") == "cannot_draw", "three in hand"


def test_tc6_no_draw_without_a_bonus_play_or_a_stock():
    assert three_card("9S 4S", stock="AS", pile="9H").refuses(0, "draw") == "cannot_draw"
    assert three_card("2S 4S 5S", pile="9H").move(0, "play 2S").refuses(0, "draw") == "cannot_draw"


def test_tc6_a_declined_bonus_fills_the_hand_as_well():
    assert three_card("2S 4S 5S", stock="AS", pile="9H").moves("0 play 2S", "0 end_turn").hand(0) == "4S 5S AS"


def test_s5_a_hand_that_is_empty_in_a_bonus_play_is_refilled_at_once():
    table = three_card("TS", stock="AS KS QS JS", pile="9H").move(0, "play TS")
    assert table.hand(0) == "AS KS QS" and table.bonus == "may"


def test_tc7_picking_up_ends_the_turn_and_only_who_cannot_play_may():
    table = three_card("4S 5S", pile="9H KH").move(0, "pick_up")
    assert table.hand(0) == "4S 5S 9H KH" and table.to_act == [1] and table.pile == []
    assert three_card("4S KS", pile="9H").refuses(0, "pick_up") == "can_play"


def test_tc8_with_stock_and_hand_empty_the_face_up_cards_become_the_hand_at_once():
    table = three_card("9S", "5H", face_up=["3S 4S 5S"], pile="8H").move(0, "play 9S")
    assert table.hand(0) == "3S 4S 5S" and table.seen_at(0)["face_up"] == []


def test_tc8_also_within_a_bonus_play_and_a_pile_picked_up_later_joins_them():
    table = three_card("TS", "AH", face_up=["3S 4S 5S"], pile="8H").move(0, "play TS")
    assert table.hand(0) == "3S 4S 5S" and table.bonus == "may"
    table.moves("0 play 3S", "1 play AH", "0 pick_up")
    assert table.hand(0) == "3S 4S 5S AH"


def test_tc8_not_as_long_as_there_is_a_stock():
    table = three_card("9S", "5H", face_up=["3S 4S 5S"], stock="KS", pile="8H").move(0, "play 9S")
    assert table.hand(0) == "KS" and table.seen_at(0)["face_up"] == ["3S", "4S", "5S"]


def test_tc9_one_flip_a_turn_and_one_more_for_each_bonus_play():
    table = three_card("", "5H", face_down=["9S TS 4S"], pile="8H")
    assert table.legal(0) == [{"move": "flip", "positions": [0, 1, 2]}]
    assert table.move(0, "flip 0").to_act == [1]
    table = three_card("", "5H", face_down=["9S TS 4S"], pile="8H").move(0, "flip 1")
    assert table.to_act == [0] and table.bonus == "may"
    assert table.move(0, "flip 2").pile == ["4S"] and table.to_act == [1]


def test_tc9_a_flip_that_fails_goes_to_the_hand_with_the_pile_and_the_turn_ends():
    table = three_card("", "5H", face_down=["4S 9S -"], pile="8H").move(0, "flip 0")
    assert table.hand(0) == "4S 8H" and table.pile == [] and table.to_act == [1]
    assert table.seen_at(0)["face_down"] == [False, True, False]


def test_s7_who_goes_out_on_a_2_wins_and_s8_the_others_are_ranked_by_cards_left():
    table = three_card("2S", "5H 6H", "5D", face_down=["- - -"] * 3, pile="8H").move(0, "play 2S")
    assert table.places() == [1, 3, 2] and table.result["ended_by"] == "out"


def test_s8_last_left_plays_on_for_every_place():
    options = {"play_until": "last_left"}
    table = three_card("2S", "5H 6H", "5D", face_down=["- - -"] * 3, pile="8H", options=options).move(0, "play 2S")
    assert table.status == "playing" and table.places() == [1, None, None] and table.to_act == [1]


def test_s11_when_the_opener_leaves_the_new_one_has_to_open_with_the_rank_found():
    table = three_card("3S 5S 6S", "5H 6H 7H", "4D 6D 7D", turn=0, turn_number=1, openers=(0,), opening_rank="3").move(
        0, "resign"
    )
    assert table.to_act == [2] and table.refuses(2, "play 6D") == "opening_rank"
    assert table.move(2, "play 4D").to_act == [1], "seat 0 is skipped"


def test_s13_a_failed_flip_is_progress_since_a_table_card_left():
    table = three_card("", "5H", face_down=["4S 9S -"], pile="8H", stalled=9).move(0, "flip 0")
    assert table.stalled == 0


def test_s13_a_pick_up_counts_even_with_a_stock_left():
    assert three_card("4S 5S 6S", pile="9H", stock="3S", stalled=9).move(0, "pick_up").stalled == 10
