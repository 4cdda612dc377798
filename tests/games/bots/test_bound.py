"""A decision does a bounded amount of work, whatever the hand: it is counted."""

from random import Random
from typing import Any

import pytest

from games.bots import three_thirteen
from games.bots.shedding.turn import MOST_RATED, rating_at
from games.rules import GAMES
from tests.games.bots.positions import big_hand, choose, rich_hand, table_of

SHEDDING = [name for name, game in GAMES.items() if game.family == "shedding"]


class Count:
    """Counts the calls of a function."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *args: Any, **named: Any) -> Any:
        self.calls += 1
        return self.function(*args, **named)


@pytest.mark.sampled
@pytest.mark.parametrize("stalled", [0, 99])
@pytest.mark.parametrize("game", SHEDDING)
def test_a_decision_rates_a_bounded_number_of_positions(
    game: str, stalled: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 0
    for number in range(60):
        view, legal = big_hand(game, Random(number))
        view |= {"stalled": stalled}
        kind = type(rating_at(table_of(view), stalled=stalled))
        rated = Count(kind.of)
        monkeypatch.setattr(kind, "of", lambda self, position, rated=rated: rated(self, position))
        choose("steady", view, legal, number)
        monkeypatch.undo()
        most = max(most, rated.calls)
    assert 20 < most <= MOST_RATED


def test_a_decision_of_three_thirteen_lays_out_a_bounded_number_of_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 0
    for number in range(40):
        view, legal = rich_hand(Random(number))
        laid = Count(three_thirteen.lay_out)
        monkeypatch.setattr(three_thirteen, "lay_out", laid)
        choose("steady", view, legal, number)
        monkeypatch.undo()
        most = max(most, laid.calls)
    assert 5 < most <= three_thirteen.MOST_LAID
