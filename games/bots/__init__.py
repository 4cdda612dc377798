"""Bots: from a seat's own view and its legal moves to a move. Pure functions; chance comes from the seed alone."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots import shedding, three_thirteen
from games.bots.forced import forced_move
from games.bots.listing import Listed, Move, any_of
from games.rules import GAMES

Bot = Callable[[Mapping[str, Any], Sequence[Listed], Random], Move]


def _random(view: Mapping[str, Any], legal: Sequence[Listed], chance: Random) -> Move:  # noqa: ARG001 (a bot sees its view)
    """Any legal move: each entry of the list as likely as another, then each way to play it."""
    return any_of(chance.choice(legal), chance)


def _steady(view: Mapping[str, Any], legal: Sequence[Listed], chance: Random) -> Move:
    """The best move of the game's own heuristic."""
    if GAMES[view["game"]].family == "shedding":
        return shedding.choose(view, legal, chance)
    return three_thirteen.choose(view, legal, chance)


BOTS: Mapping[str, Bot] = {"random": _random, "steady": _steady}
"""The levels there are."""

__all__ = ["BOTS", "Bot", "choose", "forced_move"]


def choose(level: str, view: Mapping[str, Any], legal: Sequence[Listed], seed: str | int) -> Move:
    """The move of a bot of that level, as it would be sent.

    `view` is the seat's own view and `legal` what `legal_moves` lists for it (an interruption included: then the move
    is the interruption). The same arguments always give the same move; so the seed should be another for each decision
    of a game: a random bot that throws the same dice again and again can go round in circles. Raises ValueError when
    there is no legal move.
    """
    if not legal:
        raise ValueError("There is no legal move to choose from.")
    return BOTS[level](view, legal, Random(f"{level} {seed}"))  # noqa: S311 (a game's chance, no secret)
