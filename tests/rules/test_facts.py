"""The facts about a game that rooms and tournaments read from its value."""

import pytest

from games.rules import GAMES, SetupError, seat_limits
from tests.rules.playing import RandomGame


def test_how_many_can_play_each_game():
    limits = {name: seat_limits(game, None, {}) for name, game in GAMES.items()}
    assert limits == {
        "three_card": (2, 32),
        "tripp_jokes": (2, 6),
        "threes": (2, 32),
        "castle": (2, 5),
        "three_thirteen": (2, 8),
    }
    assert limits == {name: (game.min_seats, game.max_seats) for name, game in GAMES.items()}


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("threes", {"decks": 1}, 6),
        ("threes", {"decks": 2}, 12),
        ("three_thirteen", {"decks": 1}, 3),
        ("three_thirteen", {"decks": 1, "rounds": 8}, 5),
        ("three_thirteen", {"decks": 16}, 8),
    ],
)
def test_th1_fewer_decks_seat_fewer_players(name, options, most):
    assert seat_limits(GAMES[name], None, options) == (2, most)
    GAMES[name].complete_options(most, None, options)


def test_limits_of_options_that_no_table_can_have_are_an_error():
    with pytest.raises(SetupError) as error:
        seat_limits(GAMES["threes"], None, {"decks": 17})
    assert error.value.field == "options.decks"
    with pytest.raises(SetupError):
        seat_limits(GAMES["castle"], "2022", {})


def test_only_three_thirteen_has_penalties_and_no_spectators():
    assert [name for name, game in GAMES.items() if game.has_penalties] == ["three_thirteen"]
    assert [name for name, game in GAMES.items() if not game.spectators] == ["three_thirteen"], "TT10"


def test_families_keep_event_types_of_one_name_apart():
    assert {game.family for game in GAMES.values()} == {"shedding", "three_thirteen"}
    assert [name for name, game in GAMES.items() if game.family == "three_thirteen"] == ["three_thirteen"]


def test_rounds_are_counted_where_there_are_any():
    game = RandomGame("three_thirteen", 3, options={"rounds": 2})
    assert game.rules.rounds_scored(game.state) == 0
    for _ in game.steps():
        pass
    assert game.rules.rounds_scored(game.state) == 2
    other = RandomGame("castle", 3)
    assert other.rules.rounds_scored(other.state) is None
