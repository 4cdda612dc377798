"""States of the shedding engine are immutable."""

from dataclasses import FrozenInstanceError

import pytest

from games.rules.shedding import SHEDDING_GAMES
from tests.rules.playing import RandomGame


@pytest.mark.parametrize("name", [game.name for game in SHEDDING_GAMES])
def test_no_move_changes_an_earlier_state(name):
    game = RandomGame(name, 7, seats=3)
    kept = [(game.state, game.rules.dump(game.state))]
    kept += [(game.state, game.rules.dump(game.state)) for _ in game.steps(80)]
    assert all(game.rules.dump(state) == before for state, before in kept)


def test_a_state_dealt_moved_on_or_loaded_refuses_to_be_changed():
    game = RandomGame("threes", 7, seats=3)
    dealt = game.state
    game.step()
    for state in (dealt, game.state, game.rules.load(game.rules.dump(game.state))):
        with pytest.raises(FrozenInstanceError):
            state.pile = ()
        with pytest.raises(FrozenInstanceError):
            state.players[0].hand = ()
