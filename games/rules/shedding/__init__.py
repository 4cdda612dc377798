"""The shedding games: one engine, which reads a document for each game."""

from games.rules.shedding.builtin import CASTLE, THREE_CARD, THREES, TRIPP_JOKES
from games.rules.shedding.engine import SheddingGame
from games.rules.shedding.house import HOUSE_GAME, HouseGame

__all__ = ["HOUSE_GAME", "SHEDDING_GAMES", "HouseGame", "SheddingGame"]

SHEDDING_GAMES = tuple(SheddingGame(variant) for variant in (THREE_CARD, TRIPP_JOKES, THREES, CASTLE))
