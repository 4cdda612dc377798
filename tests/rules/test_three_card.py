"""Three Card (TC1-TC10), and S1-S13 where Three Card shows them: each test proves the ruling its name begins with."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import GAMES, SetupError
from games.rules.shedding import legal
from tests.rules.table import Table, cards, move_of, stacked

GONE = "- - -"


def three_card(*hands: str, **position):
    return Table.at("three_card", hands, **position)


def opening(*hands: str, dealer: int, direction: int = 1):
    """The opener found for these hands, and the rank it must open with."""
    table = three_card(*hands, dealer=dealer, direction=direction, turn=None)
    return tuple(legal.opening(table.state))


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


# TC10: what players call it


def calls_of(move: str, *hands: str, **position) -> list[str]:
    """What the event of seat 0's move calls what it caused; the view says the same to everybody."""
    table = three_card(*hands, **position)
    [event] = table.rules.decide(table.state, 0, move_of(move), None)
    table.move(0, move)
    for viewer in (None, 0, 1, "public"):
        assert table.view(viewer)["calls"] == event["data"]["calls"]
        assert table.rules.redact(event, viewer)["data"]["calls"] == event["data"]["calls"]
    return event["data"]["calls"]


@pytest.mark.parametrize(
    ("cards", "pile"), [("TS", "KH"), ("TS", ""), ("9S", "9H 9D 9C"), ("9S 9H 9D 9C", "3H"), ("2S", "2H 2D 2C")]
)
def test_tc10_kerchoo_the_pile_is_removed(cards, pile):
    assert calls_of(f"play {cards}", cards + " 3S", "5H", pile=pile) == ["kerchoo"]


def test_tc10_no_kerchoo_for_a_pile_that_is_picked_up_or_that_goes_on():
    assert calls_of("pick_up", "4S", "5H", pile="9H KH") == []
    assert calls_of("play KS", "KS", "5H", pile="9H KH") == []
    assert calls_of("play 2S", "2S 3S", "5H", pile="9H") == []


def test_tc10_kerchoo_also_for_who_goes_out_with_it():
    assert calls_of("play TS", "TS", "5H", pile="9H", face_down=[GONE]) == ["kerchoo"]


@pytest.mark.parametrize(
    ("cards", "pile"), [("6S", "3H 6H 6D"), ("6S 6D", "3H 6H"), ("6S 6D 6C", "3H"), ("6S", "6H 6D")]
)
def test_tc10_the_number_of_the_beast_a_play_that_makes_three_sixes_in_a_row(cards, pile):
    assert calls_of(f"play {cards}", cards + " 3S", "5H", pile=pile) == ["number_of_the_beast"]
    sevens = {"cards": cards.replace("6", "7"), "pile": pile.replace("6", "7")}
    assert calls_of(f"play {sevens['cards']}", sevens["cards"] + " 3S", "5H", pile=sevens["pile"]) == [
        "lucky_number_of_the_beast"
    ]


@pytest.mark.parametrize(
    ("cards", "pile"),
    [
        ("6S", "3H 6H"),  # two
        ("6S 6D", "6H 6C 5D"),  # two on top: what lies below the 5 does not count
        ("8S", "6S 6H 6D"),  # three lie there, but this play did not make them
        ("8S 8D 8C", "3H"),
        ("AS", "7S 7H 7D"),
    ],
)
def test_tc10_no_beast_without_exactly_three_by_this_play(cards, pile):
    assert calls_of(f"play {cards}", cards + " 3S", "5H", pile=pile) == []


@pytest.mark.parametrize(("cards", "pile"), [("6S 6D", "6H 6C"), ("6S 6D 6C", "6H"), ("6S 6D 6C 6H", "3H")])
def test_tc10_four_sixes_that_were_not_three_before_are_no_beast_and_no_exorcism(cards, pile):
    assert calls_of(f"play {cards}", cards + " 3S", "5H", pile=pile) == ["kerchoo"]


@pytest.mark.parametrize("cards", ["6S", "6S 6S", "6S 6S 6H"])
def test_tc10_an_exorcism_adds_the_fourth_six_perhaps_with_more_to_three_that_lay_there(cards):
    assert calls_of(f"play {cards}", cards + " 3S", "5H", pile="4H 6H 6D 6C") == ["kerchoo", "exorcism"]


def test_tc10_a_fourth_seven_is_no_exorcism():
    assert calls_of("play 7S", "7S 3S", "5H", pile="7H 7D 7C") == ["kerchoo"]


def test_tc10_a_flip_and_a_bonus_play_are_plays_like_others():
    assert calls_of("flip 1", "", "5H", pile="6H 6D", face_down=["4S 6S -"]) == ["number_of_the_beast"]
    assert calls_of("flip 1", "", "5H", pile="6H 6D 6C", face_down=["4S 6S -"]) == ["kerchoo", "exorcism"]
    assert calls_of("play 7S 7H 7D", "7S 7H 7D 3S", "5H", bonus="may") == ["lucky_number_of_the_beast"]


def test_tc10_each_event_has_the_calls_that_it_caused_itself():
    table = three_card("TS 9S 4S", "5H AH", pile="8H").move(0, "play TS")
    assert table.calls == ["kerchoo"]
    assert table.move(0, "play 9S").calls == [] and table.move(1, "play AH").calls == []


def test_tc10_settling_causes_nothing():
    table = three_card("9S", "5H", pile="8H", stalled=10, calls=("kerchoo",))
    assert table.calls == ["kerchoo"] and table.move(1, "settle").calls == []


# TC10: on the train


def on_the_train(*hands: str, moves: list[str], **position) -> list[list[str]]:
    """What each move of a game causes, of a game in which nobody has picked up so far."""
    table = three_card(*hands, **position)
    return [table.moves(move).calls for move in moves]


RIDING = ["0 play JS", "1 pick_up", "0 play QS", "1 pick_up", "0 play KS", "1 pick_up"]


def test_tc10_on_the_train_who_picks_up_in_two_turns_of_its_own_in_succession_and_in_each_further_one():
    found = on_the_train("JS QS KS AS", "4H", moves=RIDING)
    assert found == [[], [], [], ["on_the_train"], [], ["on_the_train"]]


def test_tc10_a_play_in_between_gets_off_the_train():
    moves = ["0 play JS", "1 pick_up", "0 play 3S", "1 play 4H", "0 play KS", "1 pick_up", "0 play AS", "1 pick_up"]
    assert on_the_train("JS 3S KS AS 9S", "4H", moves=moves) == [[], [], [], [], [], [], [], ["on_the_train"]]


def test_tc10_the_first_pick_up_of_each_of_two_is_no_train():
    table = three_card("KS 4S 5S", "3H AH", pile="")
    assert [table.moves(m).calls for m in ("0 play KS", "1 play AH", "0 pick_up", "1 play 3H")] == [[], [], [], []]


def test_tc10_three_play_and_each_picks_up_under_the_one_before():
    hands = ("5S 8S JS", "6H 9H AH", "4D")
    moves = ["0 play 5S", "1 play 6H", "2 pick_up", "0 play 8S", "1 play 9H", "2 pick_up"]
    assert on_the_train(*hands, moves=moves)[-1] == ["on_the_train"]


def test_tc10_with_direction_right_too_it_is_the_seat_whose_turn_was_right_before():
    hands = ("5S 8S JS", "4D", "6H 9H AH")
    moves = ["0 play 5S", "2 play 6H", "1 pick_up", "0 play 8S", "2 play 9H", "1 pick_up"]
    assert on_the_train(*hands, moves=moves, direction=-1)[-1] == ["on_the_train"]


RESIGNING = ("5S 8S JS QS AS", "6H KH", "4D")
BEFORE = ["0 play 5S", "1 play 6H", "2 pick_up"]
"""The first pick-up of seat 2."""


def test_tc10_a_card_of_another_than_the_seat_right_before_is_no_train():
    found = on_the_train(*RESIGNING, moves=[*BEFORE, "0 play 8S", "1 resign", "2 pick_up"])
    assert found[-1] == [], "seat 1 had the turn right before, and the 8 is seat 0's"


def test_tc10_after_such_a_pick_up_the_train_begins_again():
    moves = [*BEFORE, "0 play 8S", "1 resign", "2 pick_up", "0 play JS", "2 pick_up", "0 play QS", "2 pick_up"]
    assert on_the_train(*RESIGNING, moves=moves)[-3:] == [[], [], ["on_the_train"]]


def test_tc10_who_resigns_out_of_turn_does_not_stand_between():
    moves = [*BEFORE, "1 resign", "0 play 8S", "2 pick_up"]
    assert on_the_train(*RESIGNING, moves=moves)[-1] == ["on_the_train"]


def test_tc10_a_failed_flip_is_picking_up_too():
    table = three_card("JS QS KS AS 3S 3D", "", face_down=["4C - -", "4H 5H -"])
    found = [table.moves(move).calls for move in ("0 play JS", "1 flip 0", "0 play QS", "1 pick_up")]
    assert found == [[], [], [], ["on_the_train"]]


def test_tc10_a_failed_flip_can_be_the_second_one():
    table = three_card("", "JS QS", face_down=["4H 5H -", "4C - -"], turn=1)
    draft = table.state.draft()
    draft.change_player(0, train=1)
    table.state = draft.freeze()
    assert [table.moves(move).calls for move in ("1 play JS", "0 flip 0")] == [[], ["on_the_train"]]


def test_tc10_a_card_that_was_played_in_a_bonus_play_counts_for_the_same_turn():
    moves = ["0 play TS", "0 play JS", "1 pick_up", "0 play TD", "0 play QS", "1 pick_up"]
    assert on_the_train("TS JS TD QS KS", "4H", moves=moves)[-1] == ["on_the_train"]


def test_tc10_settling_in_between_is_no_turn():
    moves = ["0 play JS", "1 pick_up", "1 settle", "0 play QS", "1 settle", "1 pick_up"]
    assert on_the_train("JS QS KS AS", "4H", moves=moves, stalled=10)[-1] == ["on_the_train"]


# TC10: who dealt


LOW = "3S 4S 5S 6S 7S 8S"


def dealt_to(*six: str, **options) -> Table:
    """A game in which each seat is dealt these cards as its second stack."""
    seats = len(six)
    used = cards(" ".join(six))
    rest = [card for card in stacked("three_card", seats, "") if card not in used]
    down = [rest.pop() for _ in range(3 * seats)]
    top = down + [cards(hand)[at] for at in range(6) for hand in six]
    return Table.dealt("three_card", seats, " ".join(top), **options)


def test_tc10_who_dealt_is_told_to_the_seat_that_it_concerns_and_hidden_from_others():
    table = dealt_to(LOW, "3H 4H 5H 6H 7H 9H")
    assert table.view(0)["calls"] == ["who_dealt"] == table.view(None)["calls"]
    assert table.view(1)["calls"] == [] == table.view("public")["calls"]


@pytest.mark.parametrize("high", ["9S", "TS", "JS", "AS", "2S"])
def test_tc10_who_dealt_needs_all_six_from_3_to_8(high):
    assert dealt_to(LOW.replace("8S", high), "9H TH JH QH KH AH").view(0)["calls"] == []


def test_tc10_the_undercards_do_not_matter_for_who_dealt():
    table = dealt_to(LOW, "9H TH JH QH KH AH")
    assert "who_dealt" in table.view(0)["calls"]
    assert {card[0] for card in table.seen_at(0)["face_down_cards"]} <= set("9TJQKA2")


def test_tc10_two_such_hands_are_named_once_in_the_omniscient_view():
    table = dealt_to(LOW, "3H 4H 5H 6H 7H 8H", "9H TH JH QH KH AH")
    assert table.calls == ["who_dealt"] and table.view(1)["calls"] == ["who_dealt"] and table.view(2)["calls"] == []


def test_tc10_who_dealt_is_of_the_deal_until_the_first_move():
    table = dealt_to(LOW, "9H TH JH QH KH AH")
    table.move(1, "arrange 9H TH JH")
    assert table.calls == [] == table.view(0)["calls"]


def test_tc10_the_event_of_the_deal_hides_it_until_the_end():
    order = stacked("three_card", 2, "KS KH KD KC QS QH 3S 9H 4S TH 5S JH 6S QD 7S AH 8S 9D")
    _, [event] = GAMES["three_card"].deal(2, None, {}, 1, lambda pack: order)
    redact = GAMES["three_card"].redact
    seen = {viewer: redact(event, viewer)["data"] for viewer in (0, 1, "public", None)}
    assert {viewer: data["calls"] for viewer, data in seen.items()} == {
        0: ["who_dealt"], 1: [], "public": [], None: ["who_dealt"],
    }  # fmt: skip
    assert [seen[viewer]["who_dealt"] for viewer in (0, 1, "public")] == [None] * 3, "nor is it told of whom"
    assert seen[None]["who_dealt"] == [0]


@pytest.mark.parametrize("other", ["tripp_jokes", "threes", "castle"])
def test_tc10_in_other_games_nothing_is_called_anything(other):
    table = Table.at(other, ["TS 9S", "5H"], pile="9H" if other == "threes" else "KH").move(0, "play TS")
    assert table.calls == [] and table.pile == []
    assert Table.dealt(other, 2).calls == []


@given(seed=st.integers(min_value=0, max_value=2**32))
@settings(max_examples=40)
def test_tc10_nobody_can_tell_from_a_deal_whether_another_hand_is_low(seed):
    rules, chance = GAMES["three_card"], random.Random(seed)
    pack = stacked("three_card", 3, "")
    low = chance.sample([card for card in pack if card[0] in "345678"], 6)
    own = chance.sample([card for card in pack if card not in low], 6)
    hidden = chance.sample([card for card in pack if card not in low and card not in own], len(pack) - 12)

    def deal(of_seat_1, rest):
        rest = list(rest)
        down, others = [rest.pop() for _ in range(9)], [rest.pop() for _ in range(6)]
        order = [*down, *(hand[at] for at in range(6) for hand in (own, of_seat_1, others)), *rest]
        state, [event] = rules.deal(3, None, {}, 2, lambda pack: order)
        return state, event

    state, event = deal(low, hidden)
    twin_state, twin = deal(hidden[:6], [*hidden[6:], *low])
    assert rules.redact(event, 1)["data"]["calls"] == ["who_dealt"] == rules.view(state, 1)["calls"]
    for viewer in (0, "public"):
        assert rules.redact(event, viewer) == rules.redact(twin, viewer)
        assert rules.view(state, viewer) == rules.view(twin_state, viewer)
