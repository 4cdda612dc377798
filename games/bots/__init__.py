"""Bots choose a move from a seat's own view and its legal moves. They are pure: all chance comes from the seed."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots import shedding, three_thirteen
from games.bots.forced import forced_move
from games.bots.listing import Listed, Move, any_of
from games.rules import GAMES

Bot = Callable[[Mapping[str, Any], Sequence[Listed], Random], Move]


def _random(view: Mapping[str, Any], legal: Sequence[Listed], chance: Random) -> Move:  # noqa: ARG001 (the signature of a bot)
    """Return any legal move: each entry of the list is equally likely, then each way to play it."""
    return any_of(chance.choice(legal), chance)


def _steady(view: Mapping[str, Any], legal: Sequence[Listed], chance: Random) -> Move:
    """Return the move that the player of the game's family rates best."""
    if GAMES[view["game"]].family == "shedding":
        return shedding.choose(view, legal, chance)
    return three_thirteen.choose(view, legal, chance)


BOTS: Mapping[str, Bot] = {"random": _random, "steady": _steady}
"""The levels that can be chosen."""

__all__ = ["BOTS", "Bot", "choose", "forced_move"]


def choose(level: str, view: Mapping[str, Any], legal: Sequence[Listed], seed: str | int) -> Move:
    """Return the move of a bot of this level, in the form in which it is sent.

    `view` is the seat's own view and `legal` is what `legal_moves` lists for it. Out of turn that is an interruption,
    and it is made. The same arguments always give the same move, so use a new seed for each decision: with one seed a
    random bot can go round in circles. Raises ValueError if there is no legal move, and KeyError for an unknown level.
    """
    if not legal:
        raise ValueError("There is no legal move to choose from.")
    return BOTS[level](view, legal, Random(f"{level} {seed}"))  # noqa: S311 (not used for secrets)
