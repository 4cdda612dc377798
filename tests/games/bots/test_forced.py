"""Forced moves, and that making them at once gives no card away."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.bots import forced_move
from games.rules import GAMES
from tests.games.bots.positions import choose


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
            if move is not None and rules.is_safe_to_force(state, seat, move):
                rules.decide(state, seat, move, shuffle)
                mine = view["players"][seat]
                public = not mine["hand"] or (mine["hand_count"] == 1 and view["stock_count"] == 0)
                assert public or move["move"] in {"pick_up", "draw"}
            if move is None:
                move = choose("random", view, legal, made)
            for event in rules.decide(state, seat, move, shuffle):
                state = rules.evolve(state, event)
