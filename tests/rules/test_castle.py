"""Castle (CA1-CA11), and S1-S13 where Castle shows them: each test proves the ruling its name begins with."""

import pytest

from games.rules import GAMES, SetupError
from games.rules.shedding.legal import opening
from tests.rules.table import Table


def castle(*hands: str, **position):
    return Table.at("castle", hands, **position)


def race(*hands: str, seats: tuple[int, ...], rank: str):
    """An opening race between these seats."""
    return castle(*hands, turn=None, openers=seats, opening_rank=rank, turn_number=1)


def test_ca1_one_deck_without_jokers_for_two_to_five_players():
    assert Table.dealt("castle", 5).stock_count == 52 - 45
    for seats in (1, 6):
        with pytest.raises(SetupError) as refusal:
            GAMES["castle"].complete_options(seats, None, {})
        assert refusal.value.field == "seats"


def test_ca2_every_seat_with_the_lowest_rank_may_open_and_the_first_to_arrive_does():
    table = race("3S 5S 6S", "4H 5H 6H", "3D 3C 6D", seats=(0, 2), rank="3")
    assert table.to_act == [0, 2] and opening(table.state) == ([0, 2], "3")
    assert table.legal(2) == [{"move": "play", "rank": "3", "cards": ["3D", "3C"], "min": 1, "max": 2}]
    assert table.refuses(0, "play 5S") == "opening_rank" and table.refuses(1, "play 4H") == "not_your_turn"
    table.move(0, "play 3S")
    assert table.to_act == [1], "clockwise from the opener"
    assert table.refuses(2, "play 3D") == "race_lost"


def test_ca2_the_race_is_lost_only_as_long_as_the_opening_is_the_last_event():
    table = race("3S 5S 6S", "4H 5H 6H", "3D 3C 6D", seats=(0, 2), rank="3").moves("0 play 3S", "1 play 4H")
    assert table.refuses(2, "play 3D") == "cannot_beat_pile"
    assert table.refuses(0, "play 5S") == "not_your_turn"


def test_ca2_2s_are_searched_last_and_nobody_opens_with_a_draw():
    table = castle("2S AS KS", "2H AH KH", turn=None)
    assert opening(table.state).rank == "K"
    table = race("3S 5S 6S", "4H 5H 6H", seats=(0,), rank="3")
    table = castle("3S 5S 6S", stock="9S", openers=(0,), opening_rank="3", turn_number=1)
    assert table.refuses(0, "draw") == "cannot_draw" and {"move": "draw"} not in table.legal(0)


def test_s11_a_racer_who_leaves_leaves_the_race_to_the_others():
    table = race("3S 5S 6S", "4H 5H 6H", "3D 3C 6D", seats=(0, 2), rank="3").move(0, "resign")
    assert table.to_act == [2] and table.legal(2)[0]["rank"] == "3"
    table.move(2, "resign")
    assert table.result["ended_by"] == "resignation" and table.places() == [3, 1, 2]


def test_ca3_equal_or_higher_2_and_10_on_anything_and_anything_on_a_2():
    assert castle("QS KS 2S TS", pile="KH").plays(0) == "K 2 T"
    assert castle("QS KS", pile="KH").refuses(0, "play QS") == "cannot_beat_pile"
    assert castle("3S QS", pile="KH 2H").plays(0) == "3 Q"


def test_ca4_a_10_closes_and_the_next_player_starts_afresh():
    table = castle("TS 4S 5S", pile="KH").move(0, "play TS")
    assert table.pile == [] and table.to_act == [1] and table.bonus is None


def test_ca4_a_2_gives_a_bonus_play_which_is_a_right():
    table = castle("2S 4S 5S", pile="KH").move(0, "play 2S")
    assert table.bonus == "may" and table.to_act == [0] and table.plays(0) == "4 5"
    assert table.move(0, "end_turn").to_act == [1]


def test_ca5_a_7_passes_the_ordinary_test_and_asks_for_7_or_lower_or_2_or_10():
    assert castle("7S 5S", pile="9H").refuses(0, "play 7S") == "cannot_beat_pile"
    table = castle("7S 3S 9S 2S TS", pile="7H")
    assert table.plays(0) == "7 3 2 T" and table.to_beat == {"rank": "7", "or": "lower"}


@pytest.mark.parametrize(("jacks", "direction", "next_seat"), [("JS", -1, 2), ("JS JD", 1, 1), ("JS JD JC", -1, 2)])
def test_ca6_each_jack_reverses_the_direction(jacks, direction, next_seat):
    table = castle(jacks + " 4S", "5H", "6H", pile="9H").move(0, f"play {jacks}")
    assert table.direction == direction and table.to_act == [next_seat]


def test_ca6_with_two_players_left_it_changes_too():
    assert castle("JS 4S", pile="9H").move(0, "play JS").direction == -1


def test_ca7_on_an_empty_pile_a_card_may_be_drawn_and_is_played_at_once():
    table = castle("4S 5S 6S 8S", stock="QS KS")
    assert {"move": "draw"} in table.legal(0)
    table.move(0, "draw")
    assert table.pile == ["QS"] and table.hand(0) == "4S 5S 6S 8S" and table.to_act == [1]
    bonus = castle("9S 9D 9H 4S", stock="2S 3S KS", pile="9C").move(0, "play 9S 9D 9H")
    assert bonus.move(0, "draw").pile == ["2S"] and bonus.bonus == "may", "with all its effects, in a bonus play too"


def test_ca7_unable_to_play_with_exactly_three_cards_the_player_may_draw():
    table = castle("4S 5S 6S", stock="QS 9S", pile="9H")
    assert table.legal(0) == [{"move": "pick_up"}, {"move": "draw"}]
    assert table.move(0, "draw").pile == ["9H", "QS"] and table.to_act == [1]


def test_ca7_a_drawn_card_that_does_not_go_joins_the_hand_and_the_pile_is_picked_up():
    table = castle("4S 5S 6S", stock="8S 9S", pile="9H").move(0, "draw")
    assert table.hand(0) == "4S 5S 6S 8S 9H" and table.pile == [] and table.to_act == [1]
    assert table.stalled == 0, "S13: a card left the stock"


def test_ca7_nobody_draws_who_can_play_or_does_not_hold_three_cards_or_without_a_stock():
    assert castle("4S 5S KS", stock="8S", pile="9H").refuses(0, "draw") == "cannot_draw"
    assert castle("4S 5S 6S 8D", stock="8S", pile="9H").refuses(0, "draw") == "cannot_draw"
    assert castle("4S 5S 6S", pile="9H").refuses(0, "draw") == "cannot_draw"
    assert castle("4S 5S 6S", pile="9H").legal(0) == [{"move": "pick_up"}]


def test_ca8_picking_up_ends_the_turn():
    table = castle("4S 5S 6S 8S", pile="9H").move(0, "pick_up")
    assert table.to_act == [1] and table.hand(0) == "4S 5S 6S 8S 9H"


def test_ca9a_completing_four_with_one_on_the_pile_closes_and_gives_a_bonus_play():
    table = castle("9S 9D 9C 4S", pile="5H 9H").move(0, "play 9S 9D 9C")
    assert table.pile == [] and table.bonus == "may" and table.to_act == [0]


@pytest.mark.parametrize("rank", ["9", "2"])
def test_ca9b_all_four_at_once_close_without_a_bonus(rank):
    four = " ".join(rank + suit for suit in "SHDC")
    table = castle(four + " 4S", pile="5H").move(0, f"play {four}")
    assert table.pile == [] and table.bonus is None and table.to_act == [1]


def test_ca9c_out_of_turn_a_set_of_four_is_completed_and_the_turn_stays_as_it_was():
    table = castle("4S 5S KS", "6H", "9S 9D KD", pile="9H 9C")
    assert table.may_interrupt == [2]
    assert table.legal(2) == [{"move": "play", "rank": "9", "cards": ["9S", "9D"], "min": 2, "max": 2}]
    table.move(2, "play 9D 9S")
    assert table.pile == [] and table.to_act == [0] and table.bonus is None
    assert table.out_of_play == ["9H", "9C", "9D", "9S"]


def test_ca9c_a_bonus_play_stays_with_the_seat_that_had_it():
    table = castle("2S 5S KS", "6H", "2C 2D KD", pile="2H").move(0, "play 2S").move(2, "play 2C 2D")
    assert table.to_act == [0] and table.bonus == "may" and table.pile == []


def test_ca9c_exactly_the_missing_cards_from_the_active_zone_and_one_must_lie_on_top():
    assert castle("4S", "6H", "9S 9D KD", pile="9H 9C").refuses(2, "play 9S") == "not_your_turn"
    assert castle("4S", "6H", "9S KD", pile="9H 9C").may_interrupt == []
    assert castle("4S", "6H", "9S KD", face_up=["", "", "9D"], pile="9H 9C").may_interrupt == []
    assert castle("4S", "6H", "", face_up=["", "", "9D 9S"], pile="9H 9C").may_interrupt == [2]
    assert castle("4S", "6H", "9S 9D 9C 9H", pile="KH").may_interrupt == []
    assert castle("4S", "6H", "", face_down=["4C - -", "4D - -", "9D - -"], pile="9H 9C 9S").may_interrupt == []


def test_ca9c_not_before_the_opening():
    table = race("3S 5S 6S", "4H 5H 6H", "3D 3C 6D", seats=(0, 2), rank="3")
    assert table.may_interrupt == []
    assert castle("4S", "6H", "3S", pile="3H 3D 3C", openers=(0,), turn_number=1).may_interrupt == []


def test_ca9c_jacks_in_it_still_reverse_and_the_turn_then_goes_on_that_way():
    table = castle("KS", "6H", "JD KD", pile="JS JH JC").move(2, "play JD")
    assert table.direction == -1 and table.to_act == [0]
    assert table.move(0, "play KS").to_act == [2]


def test_ca9c_only_the_holder_is_shown_that_it_may_interrupt():
    table = castle("4S 5S KS", "6H", "9S 9D KD", pile="9H 9C")
    assert table.view(2)["may_interrupt"] == [2]
    for viewer in (0, 1, "public"):
        assert table.view(viewer)["may_interrupt"] == []


def test_ca10_the_hand_is_filled_at_the_end_of_the_turn_and_after_an_interruption_at_once():
    table = castle("2S 4S 5S", "6H", "9S 9D KD", stock="QS QD QC", pile="9H 9C")
    assert table.move(2, "play 9S 9D").hand(2) == "KD QD QS"
    table = castle("2S 4S 5S", stock="QS QD QC", pile="9H").move(0, "play 2S")
    assert table.hand(0) == "4S 5S"
    assert table.move(0, "play 4S").hand(0) == "5S QD QS"


def test_s5_an_empty_hand_is_refilled_at_once_in_the_bonus():
    assert castle("2S", stock="QS QD QC KS", pile="9H").move(0, "play 2S").hand(0) == "QC QD QS"


def test_ca11_a_face_down_card_that_fails_goes_back_and_all_go_on_seeing_it():
    table = castle("", "5H", face_down=["4S 9S -"], pile="8H").move(0, "flip 0")
    assert table.hand(0) == "8H" and table.to_act == [1] and table.pile == []
    for viewer in (0, 1, "public"):
        assert table.seen_at(0, viewer)["face_down_cards"] == ["4S", None, None]
    assert table.seen_at(0)["face_down"] == [True, True, False]


def test_ca11_a_flip_that_fits_is_played_and_lies_there_no_more():
    table = castle("", "5H", face_down=["4S 9S -"], pile="8H").move(0, "flip 1")
    assert table.pile == ["8H", "9S"] and table.seen_at(0)["face_down"] == [True, False, False]


def test_s13_a_failed_flip_is_not_progress_because_the_card_still_lies_there():
    assert castle("", "5H", face_down=["4S 9S -"], pile="8H", stalled=3).move(0, "flip 0").stalled == 4


def test_s13_a_failed_flip_can_end_the_game():
    options = {"stalemate_after": 3}
    table = castle("", "5H", face_down=["4S 9S -"], pile="8H", stalled=5, options=options).move(0, "flip 0")
    assert table.result["ended_by"] == "stalemate" and table.places() == [2, 1]


def test_s13_a_card_drawn_in_vain_is_progress_since_it_left_the_stock():
    table = castle("4S 4C 5S", pile="9H", stock="6H 7H", stalled=3).move(0, "draw")
    assert table.hand(0) == "4C 4S 5S 6H 9H" and table.stalled == 0


def test_s7_an_interrupter_who_goes_out_wins_and_the_turn_is_nobodys():
    table = castle("4S KS", "6H", "9S 9D", face_down=["4C - -", "4D - -", "- - -"], pile="9H 9C")
    table.move(2, "play 9S 9D")
    assert table.places() == [3, 2, 1] and table.status == "finished"


def test_s7_in_last_left_the_turn_stays_where_it_was_when_an_interrupter_goes_out():
    table = castle(
        "4S KS",
        "6H",
        "9S 9D",
        face_down=["4C - -", "4D - -", "- - -"],
        pile="9H 9C",
        options={"play_until": "last_left"},
    ).move(2, "play 9S 9D")
    assert table.places() == [None, None, 1] and table.to_act == [0]


def test_ca7_the_gamble_also_holds_under_a_7():
    table = castle("9S QD KS", pile="7H", stock="4S 4D 4C")
    assert table.legal(0) == [{"move": "pick_up"}, {"move": "draw"}], "nothing is 7 or lower"
    assert table.move(0, "draw").pile == ["7H", "4S"], "a card that goes is played"
    table = castle("9S QD KS", pile="7H", stock="8S 4D 4C").move(0, "draw")
    assert table.pile == [] and "8S" in table.hand(0) and "7H" in table.hand(0), "one that does not joins the hand"
    assert castle("9S QD KS JS", pile="7H", stock="4S").legal(0) == [{"move": "pick_up"}], "more than three cards"
