"""The endgame: what is worked out backwards is what value iteration comes to, and it is bounded."""

from itertools import product

import pytest

from games.bots.shedding import endgame
from games.bots.shedding.endgame import FAILED_FLIP, MOST_CARDS, MOST_LEFT, PICK_UP, TURN, Endgame, can_be_solved
from games.bots.shedding.forecast import Forecast
from games.bots.shedding.ratings import Points
from tests.games.bots.positions import table_of
from tests.games.bots.test_steady import SHEDDING, table


def last_cards(game: str, hand: list[str], face_up: list[str], face_down: int) -> Endgame:
    view = table(game, hand, ["6D"], stock_count=0)
    down = [True] * face_down + [False] * (3 - face_down)
    view["players"][0] |= {"face_up": face_up, "face_down": down}
    seen = table_of(view)
    return Endgame(seen, Forecast(seen, 1))


@pytest.mark.parametrize("game", SHEDDING)
def test_cards_that_go_on_anything_and_end_the_game_take_one_turn(game: str) -> None:
    game_of_twos = last_cards(game, ["2S", "2H"], [], 0)
    assert game_of_twos.worth(game_of_twos.table.position) == pytest.approx(TURN)


@pytest.mark.sampled
def test_a_hand_in_castle_is_worth_what_value_iteration_gives() -> None:
    """CA3, CA5: each state is the ranks left and what the pile asks for; picking up keeps the ranks."""
    ours = last_cards("castle", ["4S", "7S", "KS", "AS"], [], 0)
    rules, beats = ours.rules, ours.beats
    kept = [
        "".join(rank for rank, held in zip("47KA", held, strict=True) if held) for held in product((0, 1), repeat=4)
    ]
    worth = {(hand, beat): 1.0 if not hand else 0.0 for hand in kept for beat in beats}
    for _ in range(200):
        for hand in filter(None, kept):
            for beat in beats:
                turn = [
                    max(
                        [
                            worth[hand.replace(rank, ""), rules.to_beat((rank,))]
                            for rank in hand
                            if rank in rules.going(asked)
                        ]
                        or [PICK_UP * worth[hand, None]]
                    )
                    for asked in beats
                ]
                chances = ours.asked(beat)
                worth[hand, beat] = TURN * sum(chance * value for chance, value in zip(chances, turn, strict=True))
    for beat in beats:
        assert ours.left(ours.table.position).later(beat) == pytest.approx(worth["47KA", beat])


@pytest.mark.parametrize("game", ["castle", "three_card"])
def test_the_last_face_down_card_is_flipped_until_it_goes(game: str) -> None:
    """CA11, TC9: in Castle it stays face down if it fails, elsewhere it comes to the hand."""
    ours = last_cards(game, [], [], 1)
    goes = [ours.table.chance(beat) for beat in ours.beats]
    fresh = ours.asked(None)
    ends = sum(chance * can for chance, can in zip(fresh, goes, strict=True))
    picked_up = TURN * ends / (1 - TURN * FAILED_FLIP * (1 - ends))
    assert ours.left(ours.table.position).later(None) == pytest.approx(picked_up)


@pytest.mark.parametrize("game", SHEDDING)
def test_a_hand_with_too_many_remains_is_not_solved(game: str) -> None:
    small = table(game, ["3S", "4S", "5S", "6S", "7S", "9S", "JS"], [], stock_count=0)
    assert can_be_solved(table_of(small).position)
    large = table(game, ["3S", "4S", "5S", "6S", "7S", "9S", "JS", "QS"], [], stock_count=0)
    assert not can_be_solved(table_of(large).position)
    assert not can_be_solved(table_of(table(game, ["3S"], [])).position)


def test_a_hand_of_many_copies_is_not_solved() -> None:
    """With 16 decks there are 64 of each rank, and a recursion as deep as the hand."""
    most = last_cards("threes", ["5S"] * MOST_CARDS, [], 0)
    assert can_be_solved(most.table.position)
    assert 0 < most.worth(most.table.position) < 1
    more = last_cards("threes", ["5S"] * (MOST_CARDS + 1), [], 0)
    assert not can_be_solved(more.table.position)


@pytest.mark.parametrize("game", SHEDDING)
def test_no_more_is_thought_through_than_the_bound(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(endgame.Left):
        def __init__(self, *arguments: object) -> None:
            made.append(arguments)
            super().__init__(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(endgame, "Left", Counted)
    seen = table_of(table(game, ["3S", "4S", "5S", "6S", "7S", "9S", "JS"], [], stock_count=0))
    Points(seen).of(seen.position)
    assert 100 < len(made) <= MOST_LEFT
