"""What one entry of a list of legal moves stands for."""

from random import Random

import pytest

from games.bots.listing import any_of, moves_of


def test_a_choice_of_face_up_cards_is_every_three_of_six() -> None:
    listed = {"move": "arrange", "choose": 3, "from": ["2S", "3S", "4S", "5S", "6S", "7S"]}
    assert len(list(moves_of(listed))) == 20


def test_equal_cards_are_counted_once() -> None:
    listed = {"move": "play", "rank": "7", "cards": ["7S", "7S", "7H"], "min": 1, "max": 3}
    plays = [sorted(move["cards"]) for move in moves_of(listed)]
    assert sorted(plays) == [["7H"], ["7H", "7S"], ["7H", "7S", "7S"], ["7S"], ["7S", "7S"]]


def test_face_up_cards_go_along_only_with_the_whole_hand() -> None:
    listed = {"move": "play", "rank": "7", "cards": ["7S", "7H"], "min": 1, "max": 2, "with_face_up": ["7C", "7D"]}
    merged = [set(move["cards"]) for move in moves_of(listed) if len(move["cards"]) > 2]
    assert merged == [{"7S", "7H", "7C"}, {"7S", "7H", "7D"}, {"7S", "7H", "7C", "7D"}]


def test_a_flip_is_one_move_a_position() -> None:
    listed = {"move": "flip", "positions": [0, 2]}
    assert list(moves_of(listed)) == [{"move": "flip", "position": 0}, {"move": "flip", "position": 2}]


@pytest.mark.parametrize(
    "move",
    [
        {"move": "pick_up"},
        {"move": "draw"},
        {"move": "end_turn"},
        {"move": "draw", "from": "stock"},
        {"move": "discard", "card": "7H"},
        {"move": "go_out", "discard": "7H"},
    ],
)
def test_what_is_listed_as_it_would_be_sent_is_one_move(move: dict[str, str]) -> None:
    assert list(moves_of(move)) == [move]
    assert any_of(move, Random(1)) == move


@pytest.mark.parametrize(
    "listed",
    [
        {"move": "arrange", "choose": 3, "from": ["2S", "2S", "4S", "5S", "6S", "7S"]},
        {"move": "play", "rank": "7", "cards": ["7S", "7S"], "min": 1, "max": 2, "with_face_up": ["7C", "7D"]},
        {"move": "play", "rank": "7", "cards": ["7S", "7H", "7D"], "min": 3, "max": 3},
        {"move": "flip", "positions": [1, 2]},
    ],
)
def test_a_lot_can_fall_on_each_of_them_and_on_nothing_else(listed: dict[str, object]) -> None:
    def key(move: dict[str, object]) -> str:
        return str({name: sorted(value) if isinstance(value, list) else value for name, value in move.items()})

    drawn = {key(any_of(listed, Random(seed))) for seed in range(400)}
    assert drawn == {key(move) for move in moves_of(listed)}
