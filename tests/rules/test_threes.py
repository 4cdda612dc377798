"""Threes (TH1-TH13), and S1-S13 where Threes shows them: each test proves the ruling its name begins with."""

import pytest

from games.rules import GAMES, IllegalMove, SetupError
from games.rules.shedding.legal import opening
from tests.rules.table import Table


def threes(*hands: str, **position):
    return Table.at("threes", hands, **position)


# TH1: decks


@pytest.mark.parametrize(("seats", "decks"), [(2, 1), (3, 2), (6, 2), (7, 3), (9, 3), (10, 4), (32, 11)])
def test_th1_the_default_number_of_decks_follows_from_the_players(seats, decks):
    _, options = GAMES["threes"].complete_options(seats, None, {})
    assert options["decks"] == decks


def test_th1_nine_cards_each_must_be_there():
    with pytest.raises(SetupError) as refusal:
        GAMES["threes"].complete_options(7, None, {"decks": 1})
    assert refusal.value.field == "options.decks"
    assert GAMES["threes"].complete_options(6, None, {"decks": 1})


def test_th1_every_deck_has_both_jokers():
    table = Table.dealt("threes", 2, "XR XB XR XB", options={"decks": 2})
    assert table.stock_count == 2 * 54 - 18


# S1, S2: the deal and the choice


def test_s1_three_lie_face_down_three_face_up_and_three_are_the_hand():
    table = Table.dealt("threes", 2, "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H 3H 4H 5H 6H", dealer=0)
    left_of_dealer = table.seen_at(1)
    assert left_of_dealer["face_down_cards"] == ["2S", "4S", "6S"]
    assert left_of_dealer["face_up"] == ["8S", "TS", "QS"]
    assert table.hand(1) == "3H 5H AS"


def test_s2_naming_the_three_that_lie_there_keeps_them():
    table = Table.dealt("threes", 2)
    lying = table.seen_at(0)["face_up"]
    table.move(0, "arrange " + " ".join(lying))
    assert table.seen_at(0)["face_up"] == lying and table.seen_at(0)["arranged"]


def test_s2_until_all_have_chosen_others_see_the_three_that_were_dealt_there():
    table = Table.dealt("threes", 2)
    dealt, hand = table.seen_at(0)["face_up"], table.seen_at(0)["hand"]
    table.move(0, "arrange " + " ".join(hand))
    assert table.seen_at(0, viewer=1)["face_up"] == dealt
    assert table.seen_at(0, viewer="public")["face_up"] == dealt
    assert table.seen_at(0, viewer=0)["face_up"] == hand
    table.move(1, "arrange " + " ".join(table.seen_at(1)["face_up"]))
    assert table.seen_at(0, viewer=1)["face_up"] == hand
    assert table.status == "playing"


def test_s2_each_chooses_once_and_three_of_the_six():
    table = Table.dealt("threes", 2)
    lying, hand = table.seen_at(0)["face_up"], table.seen_at(0)["hand"]
    assert table.refuses(0, f"arrange {lying[0]} {lying[1]}") == "choose_three"
    assert table.refuses(0, f"arrange {lying[0]} {lying[0]} {lying[1]}") == "not_your_cards"
    assert table.refuses(0, f"arrange {lying[0]} {hand[0]} {table.seen_at(1)['hand'][0]}") == "not_your_cards"
    table.move(0, "arrange " + " ".join(lying))
    assert table.refuses(0, "arrange " + " ".join(lying)) == "already_arranged"
    assert table.refuses(0, f"play {hand[0]}") == "setup"


# TH2: the opener


def test_th2_the_lowest_hand_after_the_swaps_opens_and_may_play_anything():
    # Seat 0 is dealt 2S 8S AS up and in hand; the third three of each is the hand.
    table = Table.dealt("threes", 2, "2S 2H 4S 4H 6S 6H 3S 9H TS JH QS KH AS 5H KS 6D JS 7H", dealer=1)
    assert table.hand(0) == "AS JS KS" and table.seen_at(0)["face_up"] == ["3S", "TS", "QS"]
    table.moves("0 arrange AS KS QS", "1 arrange 9H JH KH")
    assert table.to_act == [0], "seat 0 swapped the 3 into its hand"
    assert table.plays(0) == "J 3 T"
    assert table.move(0, "play JS").pile == ["JS"]


def test_th2_without_a_3_the_first_4_from_the_dealers_left_opens_and_jokers_come_last():
    table = threes("XR 2S AS", "4H 5H 6H", "4D 9D 9S", dealer=1, turn=None)
    assert opening(table.state).seats == [2], "clockwise from the dealer's left, seat 2 comes first"
    table = threes("XR XR XB", "2H 2D XB")
    assert opening(table.state).seats == [1]


# TH3: what may be played


def test_th3_equal_or_higher_may_be_played_and_lower_may_not():
    table = threes("9S TS 6S 4H", pile="9H")
    assert table.plays(0) == "9 T"
    assert table.to_beat == {"rank": "9", "or": "higher"}
    assert table.refuses(0, "play 6S") == "cannot_beat_pile"


@pytest.mark.parametrize("wild", ["2S", "8S", "XR"])
def test_th3_a_2_an_8_and_a_joker_go_on_anything(wild):
    assert threes(f"{wild} 4S 5S", pile="AH").plays(0) == wild[0]


def test_th3_all_cards_of_a_play_have_one_value():
    table = threes("9S 9D TS", "5H 5S 5C")
    assert table.refuses(0, "play 9S TS") == "mixed_ranks"
    assert table.move(0, "play 9D 9S").pile == ["9D", "9S"]


def test_th3_anything_goes_on_a_2():
    table = threes("3S 4S 5S", pile="AH 2H")
    assert table.plays(0) == "3 4 5" and table.to_beat is None


# TH4, TH5: the 7 and the 8


def test_th4_on_a_7_the_next_play_is_equal_or_lower():
    table = threes("7S 5S 9S 2D KS", pile="7H")
    assert table.plays(0) == "7 5 2"
    assert table.to_beat == {"rank": "7", "or": "lower"}
    assert table.refuses(0, "play 9S") == "cannot_beat_pile"


def test_th4_the_inversion_ends_with_the_next_value():
    table = threes("6S 3S 4D", "5H 9H KH", pile="7H").move(0, "play 6S")
    assert table.to_beat == {"rank": "6", "or": "higher"} and table.plays(1) == "9 K"


def test_th5_an_8_keeps_the_value_below_it():
    table = threes("8S 3S 4D", "8D 9H QH", pile="QS").move(0, "play 8S")
    assert table.to_beat == {"rank": "Q", "or": "higher"} and table.plays(1) == "8 Q"


def test_th5_an_8_keeps_a_7s_inversion():
    assert threes("9S 6S JD", pile="7H 8H 8D").plays(0) == "6"


def test_th5_with_nothing_but_8s_below_anything_goes():
    table = threes("3S 9S JD", pile="8H 8D")
    assert table.plays(0) == "3 9 J" and table.to_beat is None


# TH6: 10 and joker


@pytest.mark.parametrize("top", ["JH", "QH", "KH", "AH", "7H", "7H 8H"])
def test_th6_a_10_must_pass_the_ordinary_test(top):
    assert threes("TS 3S 3D", pile=top).refuses(0, "play TS") == "cannot_beat_pile"


@pytest.mark.parametrize("top", ["9H", "3H", "2H", ""])
def test_th6_a_10_that_goes_closes_also_on_the_empty_pile(top):
    table = threes("TS 3S 4D", "5H", pile=top).move(0, "play TS")
    assert table.pile == [] and table.out_of_play[-1] == "TS"
    assert table.to_act == [0] and table.bonus == "must"


@pytest.mark.parametrize("top", ["AH", "7H", ""])
def test_th6_a_joker_goes_on_anything_and_closes_and_chains_are_allowed(top):
    table = threes("XR XB TS 4S", "5H", pile=top).moves("0 play XR", "0 play XB", "0 play TS")
    assert table.pile == [] and table.to_act == [0] and table.out_of_play[-3:] == ["XR", "XB", "TS"]


# TH7: same in a row


def test_th7_four_of_one_value_close_whoever_played_them():
    table = threes("9S 9D 4S", "5H", pile="5C 9H 9C").move(0, "play 9S 9D")
    assert table.pile == [] and table.bonus == "must"
    assert table.out_of_play == ["5C", "9H", "9C", "9S", "9D"], "S10: a closed pile goes out bottom first"


def test_th7_8s_between_are_skipped_in_the_count():
    assert threes("9S 9D 4S", "5H", pile="9H 8H 9C 8D").move(0, "play 9S 9D").pile == []


def test_th7_three_in_a_row_do_not_close():
    assert threes("9S 4D 4S", "5H", pile="9H 9C").move(0, "play 9S").pile == ["9H", "9C", "9S"]


def test_th7_another_value_between_breaks_the_row():
    assert threes("9S 9D 4S", "5H", pile="9H 9C 2H").move(0, "play 9S 9D").pile == ["9H", "9C", "2H", "9S", "9D"]


def test_th7_four_8s_in_direct_succession_close_and_not_with_another_card_between():
    assert threes("8S 8D 4S", "5H", pile="QC 8H 8C").move(0, "play 8S 8D").pile == []
    assert len(threes("8S 8D 4S", "5H", pile="8H 8C QC").move(0, "play 8S 8D").pile) == 5


def test_s10_with_several_decks_more_than_four_close_too():
    assert threes("9S 9S 9D 4S", "5H", pile="9H 9C 9H").move(0, "play 9S 9S 9D").pile == []


# TH8: the turn


def test_th8_a_normal_play_ends_the_turn_and_play_goes_on_clockwise():
    assert threes("9S 4D 4S", "5H", "6H", pile="9H").move(0, "play 9S").to_act == [1]


def test_th8_who_picks_up_must_play_again_onto_the_empty_pile():
    table = threes("4S 5S 6S", "5H", pile="KH AH").move(0, "pick_up")
    assert table.to_act == [0] and table.bonus == "must" and table.pile == []
    assert table.hand(0) == "4S 5S 6S AH KH"
    assert table.refuses(0, "end_turn") == "must_play"
    assert table.move(0, "play 4S").to_act == [1] and table.bonus is None


def test_th8_after_each_play_the_hand_is_filled_to_three():
    table = threes("TS 4D 4S", "5H", stock="AS KS QS", pile="9H").move(0, "play TS")
    assert table.hand(0) == "4D 4S AS" and table.stock_count == 2
    assert table.move(0, "play 4D 4S").hand(0) == "AS KS QS"


def test_s5_who_holds_three_or_more_draws_nothing_and_the_stock_may_not_last():
    assert threes("3S 4D 4S 9S", "5H", stock="AS", pile="9H").move(0, "play 9S").stock_count == 1
    assert threes("3S 4D 9S 9D", "5H", stock="AS", pile="9H").move(0, "play 9S 9D").hand(0) == "3S 4D AS"
    assert threes("3S 9S 9D", "5H", stock="AS", pile="9H").move(0, "play 9S 9D").hand(0) == "3S AS"


def test_s4_who_can_play_must_play():
    table = threes("9S 4D 4S", "5H", pile="9H")
    assert table.refuses(0, "pick_up") == "can_play"
    assert {"move": "pick_up"} not in table.legal(0)
    assert threes("3S 4D 4S", "5H", pile="9H").legal(0) == [{"move": "pick_up"}]


def test_s3_only_cards_of_ones_own_and_only_in_turn():
    table = threes("9S 4D 4S", "9H 9D", pile="9C")
    assert table.refuses(0, "play 9H") == "not_your_cards"
    assert table.refuses(0, "play 9S 9S") == "not_your_cards"
    assert table.refuses(0, "play") == "no_cards"
    assert table.refuses(1, "play 9H") == "not_your_turn"


# TH9: the face-up cards


def test_th9_face_up_cards_are_played_once_hand_and_stock_are_empty():
    table = threes("", "5H", face_up=["9S 4D QS"], pile="9H")
    assert table.plays(0) == "9 Q"
    assert table.move(0, "play 9S").seen_at(0)["face_up"] == ["4D", "QS"]
    assert threes("9D", "5H", face_up=["9S"]).refuses(0, "play 9S") == "hand_first"


def test_th9_the_last_hand_cards_never_merge_unless_the_option_says_so():
    position = {"face_up": ["QS 4D"], "pile": "9H"}
    assert threes("QD", "5H", **position).refuses(0, "play QD QS") == "hand_first"
    merging = threes("QD", "5H", options={"merge_last_hand": True}, **position)
    assert merging.legal(0)[0] == {
        "move": "play", "rank": "Q", "cards": ["QD"], "min": 1, "max": 1, "with_face_up": ["QS"],
    }  # fmt: skip
    assert merging.move(0, "play QS QD").pile == ["9H", "QS", "QD"], "S3: in the order the move names them"


def test_th9_merging_takes_the_whole_hand_and_no_stock():
    options = {"merge_last_hand": True}
    two = threes("QD QH", "5H", face_up=["QS"], options=options)
    assert two.refuses(0, "play QD QS") == "whole_hand_first"
    assert "with_face_up" not in threes("QD 4H", "5H", face_up=["QS"], options=options).legal(0)[0]
    assert threes("QD", "5H", face_up=["QS"], stock="3S", options=options).refuses(0, "play QD QS") == "hand_first"


def test_s3_a_code_in_hand_and_face_up_is_taken_from_the_hand_first():
    table = threes("QD", "5H", face_up=["QD"], options={"merge_last_hand": True}).move(0, "play QD")
    assert table.seen_at(0)["face_up"] == ["QD"] and table.seen_at(0)["hand"] == []


def test_th9_who_picks_up_plays_the_hand_again_and_the_face_up_cards_stay():
    table = threes("", "5H", face_up=["4D 5S"], pile="9H").move(0, "pick_up")
    assert table.hand(0) == "9H" and table.seen_at(0)["face_up"] == ["4D", "5S"]
    assert table.refuses(0, "play 4D") == "hand_first"


# TH10, S6: flips


def test_s6_a_flip_that_fits_is_played_with_all_its_effects():
    table = threes("", "5H", face_down=["TS 4D 5D"], pile="9H").move(0, "flip 0")
    assert table.pile == [] and table.to_act == [0] and table.seen_at(0)["face_down"] == [False, True, True]


def test_th10_a_flip_that_fails_goes_to_the_hand_with_the_pile_and_the_player_plays_again():
    table = threes("", "5H", face_down=["4S 4D 5D"], pile="9H").move(0, "flip 0")
    assert table.hand(0) == "4S 9H" and table.to_act == [0] and table.bonus == "must"
    assert table.seen_at(0)["face_down"] == [False, True, True]


def test_s4_with_only_face_down_cards_left_the_player_must_flip():
    table = threes("", "5H", face_down=["4S - 5D"], pile="9H")
    assert table.legal(0) == [{"move": "flip", "positions": [0, 2]}]
    assert table.refuses(0, "pick_up") == "must_flip" and table.refuses(0, "play 4S") == "must_flip"
    assert table.refuses(0, "flip 1") == "position_empty"
    assert threes("3S", "5H", face_down=["4S - 5D"]).refuses(0, "flip 0") == "not_yet_flipping"


def test_s6_nobody_sees_a_face_down_card_not_even_its_owner():
    table = threes("", "5H", face_down=["4S 6D 5D"], pile="9H")
    for viewer in (0, 1, "public"):
        assert table.seen_at(0, viewer)["face_down_cards"] == [None, None, None]
        assert table.seen_at(0, viewer)["face_down"] == [True, True, True]


# TH11: the ruleset 2022


def test_th11_ruleset_2022_switches_its_three_options_on():
    _, options = GAMES["threes"].complete_options(2, "2022", {})
    assert options["merge_last_hand"] and options["eight_plain_on_empty"] and options["ten_wild"]
    _, options = GAMES["threes"].complete_options(2, "2022", {"ten_wild": False})
    assert not options["ten_wild"] and options["merge_last_hand"]


def test_th11_an_8_on_the_empty_pile_is_an_ordinary_8():
    table = threes("8S 3S 4S", "8D 7H 9H", ruleset="2022").move(0, "play 8S")
    assert table.to_beat == {"rank": "8", "or": "higher"} and table.plays(1) == "8 9"
    assert threes("3S 9S 4S", pile="9H 8D", ruleset="2022").plays(0) == "9", "on a pile it is invisible all the same"


def test_th11_a_wild_10_goes_on_anything():
    assert threes("TS 3S 4S", pile="AH", options={"ten_wild": True}).plays(0) == "T"
    assert threes("TS 3S 4S", pile="7H", options={"ten_wild": True}).plays(0) == "T 3 4"


# S7, S8, S12: going out


def test_s7_out_in_the_middle_of_a_turn_the_turn_passes_and_a_closed_pile_stays_closed():
    table = threes("TS", "5H", "6H", face_down=["- - -"], pile="9H").move(0, "play TS")
    assert table.places() == [1, None, None] and table.to_act == [1] and table.bonus is None and table.pile == []


def test_s7_a_pile_not_closed_stays_for_the_next_player():
    table = threes("QS", "5H", "6H", face_down=["- - -"], pile="9H").move(0, "play QS")
    assert table.pile == ["9H", "QS"] and table.to_act == [1]
    assert table.refuses(0, "play QS") == "already_out"


def test_s8_last_left_goes_on_until_one_player_holds_cards():
    table = threes("QS", "KH", "6H", face_down=["- - -"] * 2, pile="9H").moves("0 play QS", "1 play KH")
    assert table.status == "finished" and table.to_act == []
    assert table.result["ended_by"] == "out"
    assert table.result["placements"] == [
        {"seat": 0, "place": 1, "score": 0},
        {"seat": 1, "place": 2, "score": 0},
        {"seat": 2, "place": 3, "score": 2},
    ]


def test_s8_first_out_ranks_the_others_by_cards_left_and_s12_shared_places_count_1_2_2_4():
    table = threes(
        "QS", "3H 4H", "5H 6D", "7H 7D 7S", face_down=["- - -"] * 4, options={"play_until": "first_out"}, pile="9H"
    ).move(0, "play QS")
    assert table.places() == [1, 2, 2, 4]
    assert [row["score"] for row in table.result["placements"]] == [0, 2, 2, 3]


def test_s9_aces_are_high_and_2_is_below_3():
    assert threes("AS KS 3S", pile="AH").plays(0) == "A"
    assert threes("AS 3S 4S", pile="2H").to_beat is None


# S11: leaving


def test_s11_who_resigns_takes_the_last_place_and_its_cards_are_nowhere():
    table = threes("QS 4S", "5H", "6H", pile="9H").move(1, "resign")
    assert table.places() == [None, 3, None] and table.out_of_play == [] and table.to_act == [0]
    assert table.seen_at(1)["hand"] == [] and table.seen_at(1)["face_down"] == [False, False, False]
    assert table.move(0, "play QS").to_act == [2], "its seat is skipped"
    assert table.refuses(1, "resign") == "resigned"


def test_s11_the_turn_passes_when_its_holder_resigns_and_with_one_left_the_game_ends():
    table = threes("QS 4S", "5H", "6H", pile="9H").move(0, "resign")
    assert table.to_act == [1]
    table.move(2, "resign")
    assert table.places() == [3, 1, 2] and table.result["ended_by"] == "resignation"
    assert [row["score"] for row in table.result["placements"]] == [2, None, None]


def test_s11_a_resignation_ends_the_setup_when_all_others_have_chosen():
    table = Table.dealt("threes", 3)
    for seat in (0, 2):
        table.move(seat, "arrange " + " ".join(table.seen_at(seat)["face_up"]))
    assert table.status == "setup"
    assert table.move(1, "resign").status == "playing"


def test_s11_when_the_opener_leaves_another_opener_is_found():
    table = Table.dealt("threes", 3)
    for seat in range(3):
        table.move(seat, "arrange " + " ".join(table.seen_at(seat)["face_up"]))
    opener = table.to_act[0]
    table.move(opener, "resign")
    expected = opening(table.state).seats
    assert table.to_act == expected != [opener]


# TH12: proposed in passing

OBEDIENT = {"ten_wild": True, "ten_obeys_seven": True}
POWERLESS = {"powerless_on_empty": True}


def test_th12_both_options_are_off_in_both_rulesets():
    for ruleset in ("2022", "2023"):
        _, options = GAMES["threes"].complete_options(2, ruleset, {})
        assert options["ten_obeys_seven"] is options["powerless_on_empty"] is False


def test_th12_ten_obeys_seven_a_wild_10_goes_on_anything_but_a_7s_inversion():
    table = threes("TS 4S", "5H", pile="7H", options=OBEDIENT)
    assert table.plays(0) == "4" and table.refuses(0, "play TS") == "cannot_beat_pile"
    for pile in ("KH", "AH", "QH 8H", "9H", "7H 9H", "8H", "2H"):
        table = threes("TS 4S", "5H", pile=pile, options=OBEDIENT)
        assert table.move(0, "play TS").pile == [], pile


def test_th12_ten_obeys_seven_also_where_8s_lie_on_the_7():
    assert threes("TS 4S", "5H", pile="7H 8H 8D", options=OBEDIENT).refuses(0, "play TS") == "cannot_beat_pile"


def test_th12_ten_obeys_seven_a_player_with_nothing_else_picks_up():
    assert threes("TS 9S", "5H", pile="7H", options=OBEDIENT).legal(0) == [{"move": "pick_up"}]


def test_th12_ten_obeys_seven_is_nothing_without_ten_wild():
    table = threes("TS 4S", "5H", pile="KH", options={"ten_obeys_seven": True})
    assert table.legal(0) == [{"move": "pick_up"}], "the ordinary test (TH6)"
    assert threes("TS 4S", "5H", pile="7H", options={"ten_wild": True}).plays(0) == "T 4", "without the option"


def test_th12_a_flipped_10_obeys_as_well():
    table = threes("", "5H", face_down=["TS 4S -"], pile="7H", options=OBEDIENT).move(0, "flip 0")
    assert table.hand(0) == "7H TS" and table.pile == []


@pytest.mark.parametrize(
    ("play", "to_beat"),
    [
        ("TS", ("T", "higher")),  # it does not close
        ("TS TD TC", ("T", "higher")),
        ("8S", ("8", "higher")),  # a plain 8
        ("8S 8D", ("8", "higher")),
        ("7S", ("7", "higher")),  # it inverts nothing
        ("7S 7D", ("7", "higher")),
        ("XR", None),  # no value, and anything goes on it
        ("XR XB", None),
        ("2S", None),
        ("9S", ("9", "higher")),
    ],
)
def test_th12_powerless_on_empty_no_card_of_the_play_has_power(play, to_beat):
    table = threes(play + " 4S", "5H 6H", options=POWERLESS).move(0, f"play {play}")
    assert table.pile == play.split() and table.out_of_play == []
    assert table.to_act == [1] and table.bonus is None, "an ordinary play: it ends the turn"
    assert table.to_beat == (to_beat and {"rank": to_beat[0], "or": to_beat[1]})


def test_th12_without_the_option_cards_have_their_power_on_an_empty_pile():
    assert threes("TS 4S", "5H").move(0, "play TS").bonus == "must"
    assert threes("7S 4S", "5H").move(0, "play 7S").to_beat == {"rank": "7", "or": "lower"}
    assert threes("8S 4S", "5H").move(0, "play 8S").to_beat is None


def test_th12_what_is_laid_on_a_powerless_card_has_power():
    seven = threes("7S 4S", "7H TH 5H", options=POWERLESS).move(0, "play 7S")
    assert seven.plays(1) == "7 T", "a 10 goes on a 7 that inverts nothing"
    assert seven.move(1, "play 7H").to_beat == {"rank": "7", "or": "lower"}
    ten = threes("TS 4S", "TH XR 5H", options=POWERLESS).move(0, "play TS")
    assert ten.plays(1) == "T X" and ten.move(1, "play TH").pile == [] and ten.bonus == "must"
    joker = threes("XR 4S", "3H 5H", options=POWERLESS).move(0, "play XR")
    assert joker.plays(1) == "3 5" and joker.move(1, "play 3H").to_beat == {"rank": "3", "or": "higher"}


def test_th12_an_8_laid_on_a_powerless_card_is_invisible():
    for below, to_beat in (("8S", ("8", "higher")), ("7S", ("7", "higher")), ("TS", ("T", "higher")), ("XR", None)):
        table = threes(below + " 4S", "8H 8D 5H", options=POWERLESS).moves(f"0 play {below}", "1 play 8H")
        assert table.to_beat == (to_beat and {"rank": to_beat[0], "or": to_beat[1]}), below


def test_th12_of_two_7s_of_one_play_neither_inverts_but_the_second_of_two_plays_does():
    together = threes("7S 7D 4S", "5H", options=POWERLESS).move(0, "play 7S 7D")
    apart = threes("7S 4S", "7D 5H", options=POWERLESS).moves("0 play 7S", "1 play 7D")
    assert together.pile == apart.pile == ["7S", "7D"]
    assert together.to_beat == {"rank": "7", "or": "higher"} and apart.to_beat == {"rank": "7", "or": "lower"}


@pytest.mark.parametrize("four", ["9S 9H 9D 9C", "TS TH TD TC", "8S 8H 8D 8C", "7S 7H 7D 7C", "XR XR XB XB"])
def test_th12_four_in_a_row_close_as_ever(four):
    table = threes(four + " 4S", "5H", options={**POWERLESS, "decks": 2}).move(0, f"play {four}")
    assert table.pile == [] and table.to_act == [0] and table.bonus == "must"


def test_th12_four_in_a_row_that_begin_with_powerless_cards_close_as_well():
    table = threes("9S 4S", "8H 5H", "9H 9D 9C 5D", options=POWERLESS).moves("0 play 9S", "1 play 8H")
    assert table.move(2, "play 9H 9D 9C").pile == [], "an 8 between them is skipped (TH7)"


def test_th12_after_a_pile_is_taken_or_closed_the_next_play_is_on_an_empty_pile():
    taken = threes("KS 4S", "5H", pile="AH", options=POWERLESS).moves("0 pick_up", "0 play KS")
    assert taken.to_act == [1], "TH8: the play that follows is an ordinary one"
    taken = threes("7S 4S", "5H", pile="AH", options=POWERLESS).moves("0 pick_up", "0 play 7S")
    assert taken.to_beat == {"rank": "7", "or": "higher"}
    closed = threes("XR TS 4S", "5H", pile="AH", options=POWERLESS).moves("0 play XR", "0 play TS")
    assert closed.pile == ["TS"] and closed.to_act == [1], "no chain of closing cards"


def test_th12_a_flip_onto_an_empty_pile_has_no_power():
    table = threes("", "5H", face_down=["TS 4S -"], options=POWERLESS).move(0, "flip 0")
    assert table.pile == ["TS"] and table.to_act == [1]


def test_th12_powerless_on_empty_with_the_options_of_2022():
    options = {**POWERLESS, "ten_wild": True, "merge_last_hand": True, "eight_plain_on_empty": True}
    ten = threes("TS 4S", "TH 5H", options=options).move(0, "play TS")
    assert ten.pile == ["TS"] and ten.move(1, "play TH").pile == []
    merged = threes("7D", "5H", face_up=["7S 4D"], options=options).move(0, "play 7D 7S")
    assert merged.pile == ["7D", "7S"] and merged.to_beat == {"rank": "7", "or": "higher"}, "one play"
    eight = threes("8S 4S", "8H 5H", options=options).move(0, "play 8S")
    assert eight.move(1, "play 8H").to_beat == {"rank": "8", "or": "higher"}


def test_th12_a_wild_10_that_obeys_goes_on_a_7_that_has_no_power():
    table = threes("7S 4S", "TH 5H", options={**OBEDIENT, **POWERLESS}).move(0, "play 7S")
    assert table.plays(1) == "T" and table.move(1, "play TH").pile == []


def test_th12_the_view_says_how_many_cards_came_on_the_empty_pile():
    assert threes("9S 9D 4S", "TH 5H", options=POWERLESS).move(0, "play 9S 9D").laid_on_empty == 2
    assert threes("9S 4S", "KH 5H").moves("0 play 9S", "1 play KH").laid_on_empty == 1
    assert threes("4S", "5H", pile="KH", laid_on_empty=1).move(0, "pick_up").laid_on_empty == 0
    assert threes("9S 4S", "5H", pile="9H 9D 9C", laid_on_empty=2).move(0, "play 9S").laid_on_empty == 0


# TH13: the refusal names its rule


def test_th13_mixing_the_last_hand_cards_with_face_up_cards_is_refused_with_the_sentence_of_th9():
    table = threes("QD", "5H", face_up=["QS 4D"], pile="9H")
    with pytest.raises(IllegalMove) as refusal:
        table.rules.decide(table.state, 0, {"move": "play", "cards": ["QD", "QS"]}, None)
    assert refusal.value.code == "hand_first"
    assert refusal.value.detail == (
        "Face-up cards are played once your hand and the stock are empty: the last cards of your hand cannot be played "
        "together with them (TH9)."
    )


def test_th13_a_card_that_one_does_not_have_is_refused_as_such():
    table = threes("QD", "5H", face_up=["QS 4D"], pile="9H")
    assert table.refuses(0, "play QD QH") == "not_your_cards"
    assert table.refuses(0, "play QD QS QS") == "not_your_cards", "there is one such card"


def test_th13_also_with_a_stock_or_with_cards_left_in_hand():
    assert threes("QD", "5H", face_up=["QS"], stock="3S", pile="9H").refuses(0, "play QD QS") == "hand_first"
    assert threes("QD 3D", "5H", face_up=["QS"], pile="9H").refuses(0, "play QD QS") == "hand_first"


# S13: stalemate


def test_s13_pick_ups_without_progress_are_counted_and_progress_sets_the_count_back():
    table = threes("4S 5S 6S", "5H", pile="KH", stalled=7).move(0, "pick_up")
    assert table.stalled == 8
    assert table.move(0, "play KH").stalled == 8, "a play that is no progress leaves it"
    assert threes("TS 4S", "5H", pile="9H", stalled=7).move(0, "play TS").stalled == 0, "a closed pile"
    assert threes("QS 4S", "5H", pile="9H", stock="3S", stalled=7).move(0, "play QS").stalled == 0, "the stock"
    assert threes("", "5H", face_up=["QS 4S"], pile="9H", stalled=7).move(0, "play QS").stalled == 0, "a table card"
    assert threes("", "5H", face_down=["3S 4S 5S"], pile="9H", stalled=7).move(0, "flip 0").stalled == 0
    assert threes("QS", "5H", "6H", pile="9H", stalled=7).move(2, "resign").stalled == 0, "a player leaves"


def test_s13_at_the_limit_the_game_ends_and_the_seats_left_are_ranked_by_cards():
    options = {"stalemate_after": 3}
    table = threes("4S 5S", "5H", "6H 6D", pile="KH", options=options, stalled=7).move(0, "pick_up")
    assert table.status == "playing" and table.stalled == 8
    table = threes("4S 5S", "5H", "6H 6D", pile="KH", options=options, stalled=8).move(0, "pick_up")
    assert table.result["ended_by"] == "stalemate" and table.places() == [3, 1, 2]
    assert table.bonus is None and table.to_act == []


@pytest.mark.parametrize("value", [2, 101, "20", True])
def test_s13_the_limit_is_from_3_to_100(value):
    with pytest.raises(SetupError) as refusal:
        GAMES["threes"].complete_options(2, None, {"stalemate_after": value})
    assert refusal.value.field == "options.stalemate_after"
