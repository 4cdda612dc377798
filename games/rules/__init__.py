"""The rules of the five games: pure Python, no clock, no chance of their own. The front door (CONTRACT, Rules as a library)."""

from games.rules.errors import IllegalMove, MalformedMove, SetupError
from games.rules.game import Game
from games.rules.shedding import SHEDDING_GAMES

GAMES: dict[str, Game] = {game.name: game for game in SHEDDING_GAMES}

__all__ = ["GAMES", "Game", "IllegalMove", "MalformedMove", "SetupError"]
