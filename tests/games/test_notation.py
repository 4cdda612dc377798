"""The table in plain text."""

from games import notation
from games.rules import GAMES
from tests.rules.playing import RandomGame


def test_tt6_the_melds_of_the_player_who_went_out_lie_on_the_table():
    rules = GAMES["three_thirteen"]
    for seed in range(50):
        game = RandomGame("three_thirteen", seed, seats=3, options={"rounds": 2})
        for _ in game.steps():
            if game.rules.view(game.state, 0)["laid"]:
                break
        view = rules.view(game.state, 0)
        if view["laid"]:
            break
    shown = notation.table(view, ["ada", "bob", "cyd"])
    melds = " | ".join(notation.cards(meld) for meld in view["laid"])
    assert f"seat {view['went_out']} went out with {melds}" in shown
