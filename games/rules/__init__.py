"""The rules of the five games as a library: pure Python, without a clock or randomness of its own."""

from games.rules.game import Game, seat_limits
from games.rules.moves import IllegalMove, MalformedMove
from games.rules.options import SetupError
from games.rules.shedding import HOUSE_GAME, SHEDDING_GAMES
from games.rules.three_thirteen import THREE_THIRTEEN

_ALL: tuple[Game, ...] = (*SHEDDING_GAMES, THREE_THIRTEEN)
GAMES: dict[str, Game] = {game.name: game for game in _ALL}
PLAYED: dict[str, Game] = {**GAMES, HOUSE_GAME.name: HOUSE_GAME}
"""The same with house games, which the command line plays."""

__all__ = ["GAMES", "PLAYED", "Game", "IllegalMove", "MalformedMove", "SetupError", "seat_limits"]
