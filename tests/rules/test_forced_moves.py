"""Which moves may be made at once for a player who has no other, without telling anybody about hidden cards."""

from typing import Any

import pytest

from tests.rules.playing import RandomGame
from tests.rules.table import Table, move_of

SHEDDING = ["three_card", "tripp_jokes", "threes", "castle"]


def is_safe(game: str, hand: str, move: str, face_up: str = "", seat: int = 0, **more: Any) -> bool:
    table = Table.at(game, [hand, "5H"], face_up=[face_up], **{"pile": "9S"} | more)
    return table.rules.is_safe_to_force(table.state, seat, move_of(move))


@pytest.mark.parametrize("game", ["three_card", "tripp_jokes", "threes"])
def test_s4_a_pick_up_itself_says_that_nothing_could_be_played(game):
    assert is_safe(game, "4S 5S", "pick_up")


def test_s4_waiting_in_castle_would_say_that_the_hand_has_an_answer_while_others_may_still_interrupt():
    assert not is_safe("castle", "4S 5S", "pick_up")
    assert is_safe("castle", "", "pick_up", face_up="4S 5S")


@pytest.mark.parametrize("game", SHEDDING)
def test_the_only_play_from_a_hand_says_what_its_other_cards_are_not(game):
    assert not is_safe(game, "TH 4S 5S", "play TH")
    assert not is_safe(game, "TH", "play TH", stock="6S 7S")
    assert is_safe(game, "TH", "play TH")


@pytest.mark.parametrize("game", SHEDDING)
def test_everybody_sees_that_the_table_cards_leave_no_choice(game):
    assert is_safe(game, "", "play TH", face_up="TH 4S")
    assert is_safe(game, "", "flip 0")


@pytest.mark.parametrize("game", SHEDDING)
def test_s2_a_choice_in_setup_is_secret(game):
    table = Table.dealt(game, 2)
    assert not table.rules.is_safe_to_force(table.state, 0, table.legal(0)[0])


def test_ca2_nobody_wins_a_race_by_machine():
    assert not is_safe("castle", "3S", "play 3S", pile="", turn=None, openers=(0, 1), opening_rank="3")


def test_ca9_an_interruption_is_a_secret_right():
    assert not is_safe("castle", "TH", "play TH", turn=1)


def test_tt8_everybody_sees_when_only_one_draw_is_left():
    game = RandomGame("three_thirteen", 1)
    seat = game.able()[0]
    assert game.rules.is_safe_to_force(game.state, seat, {"move": "draw", "from": "discard"})
    assert not game.rules.is_safe_to_force(game.state, seat, {"move": "discard", "card": "3S"})
