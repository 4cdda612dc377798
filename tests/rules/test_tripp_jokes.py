"""Tripp Jokes (TJ1-TJ12), and S1-S13 where it shows them: each test proves the ruling its name begins with."""

import pytest

from games.rules import GAMES, SetupError
from tests.rules.table import Table


def tripp_jokes(*hands: str, **position):
    return Table.at("tripp_jokes", hands, **position)


@pytest.mark.parametrize(("seats", "cards"), [(2, 54), (3, 54), (4, 108), (6, 108)])
def test_tj1_one_deck_with_both_jokers_and_two_from_four_players_on(seats, cards):
    assert Table.dealt("tripp_jokes", seats).stock_count == cards - 9 * seats - 1


@pytest.mark.parametrize("seats", [1, 7])
def test_tj1_two_to_six_players(seats):
    with pytest.raises(SetupError):
        GAMES["tripp_jokes"].complete_options(seats, None, {})


def test_tj2_the_top_of_the_stock_is_turned_up_and_starts_the_pile():
    order = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H 9H"
    table = Table.dealt("tripp_jokes", 2, order)
    assert table.pile == ["9H"] and table.to_beat == {"rank": "9", "or": "higher"}


@pytest.mark.parametrize("turned", ["2H", "3H", "TH", "XR"])
def test_tj2_on_a_turned_up_special_any_card_may_be_played(turned):
    table = tripp_jokes("4S KS", pile=turned)
    assert table.plays(0) == "4 K" and table.to_beat is None


def test_tj2_it_counts_for_three_in_a_row():
    assert tripp_jokes("TS TD 4S", pile="TH").move(0, "play TS TD").out_of_play == ["TH", "TS", "TD"]


def test_tj3_the_dealers_right_plays_first_and_then_the_dealer():
    table = Table.dealt("tripp_jokes", 3, dealer=2)
    for seat in range(3):
        table.move(seat, "arrange " + " ".join(table.seen_at(seat)["hand"][:3]))
    assert table.to_act == [1]
    assert tripp_jokes("9S", "9D", "9C", turn=1, dealer=2, pile="8H").move(1, "play 9D").to_act == [2]


def test_s11_when_the_opener_leaves_the_next_seat_in_play_opens():
    table = tripp_jokes("9S", "9D", "9C", turn=1, dealer=2, openers=(1,), turn_number=1, pile="8H").move(1, "resign")
    assert table.to_act == [2]


def test_tj4_match_or_exceed_and_specials_on_anything():
    table = tripp_jokes("QS KS AS 2S 3S TS XB", pile="KH")
    assert table.plays(0) == "K A 2 3 T X" and table.refuses(0, "play QS") == "cannot_beat_pile"


def test_tj4_only_specials_is_still_a_play_that_must_be_made():
    assert tripp_jokes("4S 5S XR", pile="KH").refuses(0, "pick_up") == "can_play"
    assert tripp_jokes("4S 5S 6S", pile="KH").legal(0) == [{"move": "pick_up"}]


def test_tj5_three_in_a_row_close_and_give_a_bonus_play():
    table = tripp_jokes("9S 9D 4S", pile="5H 9H").move(0, "play 9S 9D")
    assert table.out_of_play == ["5H", "9H", "9S", "9D"] and table.bonus == "may" and table.to_act == [0]
    assert tripp_jokes("9S 4S", pile="5H 9H").move(0, "play 9S").pile == ["5H", "9H", "9S"]


def test_tj5_jokers_count_as_one_rank_and_a_third_closes_before_anything_is_picked_up():
    table = tripp_jokes("XR XB 4S", "5H", "5D", "5C", pile="KH XR").move(0, "play XR XB")
    assert table.pile == [] and table.hand(0) == "4S" and table.bonus == "may"


def test_tj6_cards_of_the_rank_lying_face_up_go_with_the_whole_hand_once_the_stock_is_empty():
    table = tripp_jokes("AS AH", "5H", face_up=["AD 6C 4C"], pile="2H")
    assert table.legal(0)[0]["with_face_up"] == ["AD"]
    assert table.refuses(0, "play AS AD") == "whole_hand_first"
    table.move(0, "play AD AS AH")
    assert table.out_of_play == ["2H", "AD", "AS", "AH"] and table.bonus == "may"


def test_tj6_never_with_a_stock_or_with_another_rank_left_in_hand():
    assert tripp_jokes("AS", "5H", face_up=["AD"], stock="3S").refuses(0, "play AS AD") == "hand_first"
    assert tripp_jokes("AS KS", "5H", face_up=["AD"]).refuses(0, "play AS AD") == "whole_hand_first"


def test_tj7_a_2_gives_a_bonus_play_and_a_10_closes_and_gives_one():
    table = tripp_jokes("2S 4S 5S", pile="KH").move(0, "play 2S")
    assert table.pile == ["KH", "2S"] and table.bonus == "may" and table.plays(0) == "4 5"
    assert table.move(0, "end_turn").to_act == [1]
    table = tripp_jokes("TS 4S 5S", pile="KH").move(0, "play TS")
    assert table.pile == [] and table.bonus == "may"


def test_tj7_a_bonus_play_comes_from_the_active_zone_as_it_then_is():
    table = tripp_jokes("2S", "5H", face_up=["2D"], face_down=["9S 4D 5D"], pile="KH").move(0, "play 2S")
    assert table.plays(0) == "2", "a face-up card"
    assert table.move(0, "play 2D").legal(0)[0] == {"move": "flip", "positions": [0, 1, 2]}


@pytest.mark.parametrize("below", ["QH", "QH 3H", "QH 3H 3C"])
def test_tj8_what_must_be_matched_is_the_highest_lying_card_below_the_3s(below):
    table = tripp_jokes("JS QS KS", pile=below)
    assert table.plays(0) == "Q K" and table.to_beat == {"rank": "Q", "or": "higher"}


@pytest.mark.parametrize("below", ["3H", "3H 3C", "KH 2H 3H", "XR 3H", "TH 3H"])
def test_tj8_with_nothing_or_a_special_below_the_3s_any_card_goes(below):
    assert tripp_jokes("4S JS", pile=below).plays(0) == "4 J"


def test_tj8_a_3_between_breaks_a_row_and_three_3s_in_a_row_close():
    assert len(tripp_jokes("9S 4S", pile="9H 9C 3H").move(0, "play 9S").pile) == 4
    assert tripp_jokes("3S 3D 4S", pile="KH 3H").move(0, "play 3S 3D").pile == []


def test_tj9_who_plays_a_joker_takes_the_pile_below_it_and_the_joker_stays():
    table = tripp_jokes("XR 4S 5S", "6H", pile="KH AH").move(0, "play XR")
    assert table.pile == ["XR"] and table.hand(0) == "4S 5S AH KH"
    assert table.to_act == [1] and table.bonus is None and table.plays(1) == "6"


def test_tj9_several_jokers_in_one_play_act_as_one():
    table = tripp_jokes("XR XB 5S", pile="KH AH").move(0, "play XR XB")
    assert table.pile == ["XR", "XB"] and table.hand(0) == "5S AH KH"


def test_tj9_a_joker_on_the_empty_pile_takes_nothing():
    table = tripp_jokes("XR 4S 5S", stalled=4).move(0, "play XR")
    assert table.hand(0) == "4S 5S" and table.stalled == 4


def test_tj9_the_last_card_being_a_joker_nobody_is_out_who_takes_cards():
    table = tripp_jokes("XR", "5H", face_down=["- - -"], pile="KH").move(0, "play XR")
    assert table.places() == [None, None] and table.hand(0) == "KH"
    assert tripp_jokes("XR", "5H", face_down=["- - -"]).move(0, "play XR").places() == [1, 2]


def test_tj9_and_s5_the_pile_is_taken_before_an_empty_hand_would_be_refilled():
    table = tripp_jokes("XR", pile="KH AH 4D", stock="9S 9C", stalled=4).move(0, "play XR")
    assert table.hand(0) == "4D AH KH" and table.stock_count == 2
    assert table.stalled == 5, "S13: nothing left the stock"
    table = tripp_jokes("XR", pile="KH", stock="9S 9C 9D", stalled=4).move(0, "play XR")
    assert table.hand(0) == "9C 9S KH" and table.stalled == 0


def test_tj10_the_hand_is_filled_at_the_end_of_the_turn_only():
    table = tripp_jokes("2S 2D 4S", stock="AS KS QS", pile="9H").move(0, "play 2S 2D")
    assert table.hand(0) == "4S" and table.refuses(0, "draw") == "no_draw"
    assert table.move(0, "play 4S").hand(0) == "AS KS QS"


def test_s5_a_hand_that_is_empty_is_refilled_at_once_in_the_bonus():
    assert tripp_jokes("2S", stock="AS KS QS JS", pile="9H").move(0, "play 2S").hand(0) == "AS KS QS"


def test_tj11_picking_up_ends_the_turn_and_so_does_a_flip_that_fails():
    assert tripp_jokes("4S", pile="9H").move(0, "pick_up").to_act == [1]
    table = tripp_jokes("", "5H", face_down=["4S 9S -"], pile="8H").move(0, "flip 0")
    assert table.hand(0) == "4S 8H" and table.to_act == [1]
    assert tripp_jokes("9S", pile="9H").refuses(0, "pick_up") == "can_play"


def test_tj11_the_opener_who_cannot_play_on_the_turned_up_card_picks_it_up():
    table = tripp_jokes("4S 5S 6S", "9H", pile="KH", openers=(0,), turn_number=1)
    assert table.legal(0) == [{"move": "pick_up"}]
    assert table.move(0, "pick_up").to_act == [1] and table.plays(1) == "9"


def test_tj12_when_the_stock_is_exhausted_play_goes_on_with_hand_then_face_up_cards():
    table = tripp_jokes("9S", "5H", face_up=["QS KS"], pile="8H").move(0, "play 9S")
    assert table.hand(0) == "" and table.seen_at(0)["face_up"] == ["QS", "KS"], "they do not become the hand"
    table = tripp_jokes("", "5H", face_up=["QS KS"], pile="8H")
    assert table.plays(0) == "Q K"
    assert tripp_jokes("9S", "5H", face_up=["QS"], stock="3C", pile="8H").move(0, "play 9S").hand(0) == "3C"


def test_s13_a_joker_over_cards_from_the_hand_counts_as_a_pick_up():
    assert tripp_jokes("XR 4S 5S", pile="KH", stalled=4).move(0, "play XR").stalled == 5
    assert tripp_jokes("", "5H", face_up=["XR"], pile="KH", stalled=4).move(0, "play XR").stalled == 0


def test_s13_a_joker_over_cards_can_end_the_game():
    options = {"stalemate_after": 3}
    table = tripp_jokes("XR 4S 5S", "6H", pile="KH", stalled=5, options=options).move(0, "play XR")
    assert table.result["ended_by"] == "stalemate" and table.places() == [2, 1]
    table = tripp_jokes("XR 4S 5S", "6H", pile="XB XB", stalled=5, options=options).move(0, "play XR")
    assert (table.stalled, table.result) == (0, None), "TJ5: three jokers close the pile"


def test_s13_a_failed_flip_is_progress_since_the_card_left_the_table():
    table = tripp_jokes("", "5H", face_down=["4S 9S -"], pile="8H", stalled=4).move(0, "flip 0")
    assert table.hand(0) == "4S 8H" and table.stalled == 0
