"""The shedding games: one engine, and one value for each game with its differences."""

from games.rules.shedding.castle import CASTLE
from games.rules.shedding.engine import SheddingGame
from games.rules.shedding.three_card import THREE_CARD
from games.rules.shedding.threes import THREES
from games.rules.shedding.tripp_jokes import TRIPP_JOKES

__all__ = ["SHEDDING_GAMES", "SheddingGame"]

SHEDDING_GAMES = tuple(SheddingGame(variant) for variant in (THREE_CARD, TRIPP_JOKES, THREES, CASTLE))
