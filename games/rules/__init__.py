"""The front door of the rules: the five games in pure Python, without clock or chance of their own (CONTRACT)."""

from games.rules.errors import IllegalMove, MalformedMove, SetupError
from games.rules.game import Game
from games.rules.shedding import SHEDDING_GAMES

GAMES: dict[str, Game] = {game.name: game for game in SHEDDING_GAMES}

__all__ = ["GAMES", "Game", "IllegalMove", "MalformedMove", "SetupError"]
