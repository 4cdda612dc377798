"""Forced moves, and that making them at once gives no card away."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.bots import choose, forced_move, is_safe_to_force
from games.rules import GAMES


@pytest.mark.parametrize(
    ("legal", "move"),
    [
        ([], None),
        ([{"move": "pick_up"}], {"move": "pick_up"}),
        ([{"move": "pick_up"}, {"move": "draw"}], None),
        ([{"move": "flip", "positions": [2]}], {"move": "flip", "position": 2}),
        ([{"move": "flip", "positions": [0, 2]}], None),
        (
            [{"move": "play", "rank": "7", "cards": ["7S"], "min": 1, "max": 1}],
            {"move": "play", "cards": ["7S"]},
        ),
        ([{"move": "play", "rank": "7", "cards": ["7S", "7S"], "min": 1, "max": 2}], None),
        ([{"move": "play", "rank": "7", "cards": ["7S"], "min": 1, "max": 1, "with_face_up": ["7C"]}], None),
        ([{"move": "arrange", "choose": 3, "from": ["2S", "3S", "4S", "5S", "6S", "7S"]}], None),
    ],
)
def test_a_move_is_forced_when_there_is_no_other(legal: list[dict[str, Any]], move: dict[str, Any] | None) -> None:
    assert forced_move(legal) == move


def seen(game: str, hand: list[str], face_up: list[str], **more: Any) -> dict[str, Any]:
    view = {"game": game, "status": "playing", "to_act": [0], "may_interrupt": [], "stock_count": 0, "pile": ["9S"]}
    return view | {"players": [{"seat": 0, "hand": hand, "face_up": face_up}, {"seat": 1, "hand": None}]} | more


PLAY = {"move": "play", "cards": ["TH"]}
PICK_UP = {"move": "pick_up"}
FLIP = {"move": "flip", "position": 1}


@pytest.mark.parametrize("game", ["three_card", "tripp_jokes", "threes"])
def test_a_pick_up_tells_itself_that_nothing_went(game: str) -> None:
    assert is_safe_to_force(seen(game, ["3S", "4S"], []), PICK_UP)


def test_waiting_in_castle_would_tell_that_the_hand_has_an_answer_while_others_may_still_interrupt() -> None:
    assert not is_safe_to_force(seen("castle", ["3S", "4S"], []), PICK_UP)
    assert is_safe_to_force(seen("castle", [], ["3S", "4S"]), PICK_UP)


@pytest.mark.parametrize("game", ["three_card", "tripp_jokes", "threes", "castle"])
def test_an_only_play_from_a_hand_tells_what_the_rest_of_it_is_not(game: str) -> None:
    assert not is_safe_to_force(seen(game, ["TH", "3S", "4S"], []), PLAY)
    assert not is_safe_to_force(seen(game, ["TH"], [], stock_count=2), PLAY)
    assert is_safe_to_force(seen(game, ["TH"], []), PLAY)
    assert is_safe_to_force(seen(game, [], ["TH", "3S"]), PLAY)
    assert is_safe_to_force(seen(game, [], []), FLIP)


def test_a_race_is_nobodys_to_win_by_machine_and_an_interruption_is_secret() -> None:
    assert not is_safe_to_force(seen("castle", ["3S", "4S", "5S"], [], to_act=[0, 1]), PLAY)
    assert not is_safe_to_force(seen("castle", ["TH"], [], to_act=[1], may_interrupt=[0]), PLAY)


def test_in_three_thirteen_only_the_only_draw() -> None:
    assert is_safe_to_force(seen("three_thirteen", ["3S"], []), {"move": "draw", "from": "discard"})
    assert not is_safe_to_force(seen("three_thirteen", ["3S"], []), {"move": "discard", "card": "3S"})


@pytest.mark.parametrize("game", GAMES)
def test_a_forced_move_is_legal_and_two_hands_that_look_alike_are_forced_alike(game: str) -> None:
    """Whoever sees only the table can say beforehand whether a safe move from the table is coming.

    Or else it is a pick-up.
    """
    rules = GAMES[game]
    for seed in range(4):
        chance = Random(f"{game} {seed}")

        def shuffle(cards: Sequence[str], chance: Random = chance) -> list[str]:
            return chance.sample(cards, len(cards))

        state, _ = rules.deal(3, None, {"rounds": 2} if game == "three_thirteen" else {}, 0, shuffle)
        made = 0
        while rules.result(state) is None:
            made += 1
            seat = chance.choice(rules.to_act(state))
            view, legal = rules.view(state, seat), rules.legal_moves(state, seat)
            move = forced_move(legal)
            if move is not None and is_safe_to_force(view, move):
                rules.decide(state, seat, move, shuffle)
                mine = view["players"][seat]
                public = not mine["hand"] or (mine["hand_count"] == 1 and view["stock_count"] == 0)
                assert public or move["move"] in {"pick_up", "draw"}
            if move is None:
                move = choose("random", view, legal, made)
            for event in rules.decide(state, seat, move, shuffle):
                state = rules.evolve(state, event)
