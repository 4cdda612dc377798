"""The rules of the games as a library: pure Python, without a clock or randomness of its own."""

from collections.abc import Mapping
from typing import Any

from games.rules.game import Game, seat_limits
from games.rules.moves import IllegalMove, MalformedMove
from games.rules.options import SetupError
from games.rules.shedding import HOUSE_GAME, SHEDDING_GAMES
from games.rules.three_thirteen import THREE_THIRTEEN

_ALL: tuple[Game, ...] = (*SHEDDING_GAMES, THREE_THIRTEEN)
GAMES: dict[str, Game] = {game.name: game for game in _ALL}
PLAYED: dict[str, Game] = {**GAMES, HOUSE_GAME.name: HOUSE_GAME}
"""All that can be played: these, and house games."""


def game_of(name: str, options: Mapping[str, Any] | None) -> Game:
    """Return the game that is played by these options, as complete as those of a state.

    A house game has the title, the seats and the plans of its rules. Raises KeyError: there is no such game.
    """
    game = PLAYED[name]
    return HOUSE_GAME.by(options) if game is HOUSE_GAME and options else game


__all__ = ["GAMES", "PLAYED", "Game", "IllegalMove", "MalformedMove", "SetupError", "game_of", "seat_limits"]
