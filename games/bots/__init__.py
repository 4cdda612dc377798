"""Bots choose a move from a seat's own view and its legal moves. They are pure: all chance comes from the seed."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots import house, shedding, three_thirteen
from games.bots.circles import Event, events_wanted
from games.bots.listing import Listed, Move, any_of, forced_move
from games.bots.shedding import Memory
from games.rules.game import Game
from games.rules.shedding import HouseGame, SheddingGame

BOTS = ("random", "steady")
HOUSE_BOTS = ("easy", "plain")
"""The levels that can be chosen, and those in house games. The last one is the usual one."""
LEVELS = (*BOTS, *HOUSE_BOTS)

__all__ = [
    "BOTS", "LEVELS", "Event", "Memory", "choose", "events_wanted", "forced_move", "levels_of", "remember", "remembers",
]  # fmt: skip


def levels_of(game: Game) -> tuple[str, ...]:
    return HOUSE_BOTS if isinstance(game, HouseGame) else BOTS


def remembers(level: str, game: Game) -> bool:
    """Return whether a bot of this level needs to remember what everybody saw of the game."""
    return level == "steady" and isinstance(game, SheddingGame)


def remember(game: Game, events: Iterable[Event], memory: Memory | None = None) -> Memory | None:
    """Return what a bot remembers after events of a game as everybody sees them, in their order, from the deal on.

    With `memory` the events are those since then. None for a game of which no bot remembers anything.
    """
    return shedding.remember(game, events, memory) if isinstance(game, SheddingGame) else None


def choose(
    level: str,
    game: Game,
    view: Mapping[str, Any],
    legal: Sequence[Listed],
    seed: str | int,
    *,
    events: Sequence[Event] = (),
    memory: Memory | None = None,
) -> Move:
    """Return the move of a bot of this level, in the form in which it is sent.

    `view` is the seat's own view of the game and `legal` is what `legal_moves` lists for it. Out of turn these are
    interruptions, and the bot makes one. `events` are the last `events_wanted(view)` events as everybody sees them, in
    their order, or as many as are known: without them a bot cannot see that it goes round in circles. `memory` is what
    `remember` makes of all events so far: without it a bot knows nothing of the others' hands. The same arguments
    always give the same move, so use a new seed for each decision: with one seed a random bot can go round in circles.
    Raises ValueError if there is no legal move, and KeyError for an unknown level.
    """
    if not legal:
        raise ValueError("There is no legal move to choose from.")
    if level not in LEVELS:
        raise KeyError(level)
    chance = Random(f"{level} {seed}")  # noqa: S311  not used for secrets
    if level == "random":
        return any_of(chance.choice(legal), chance)
    if isinstance(game, SheddingGame) and level in HOUSE_BOTS:
        rules = game.rules(view["options"])
        return house.plain(rules, legal) if level == "plain" else house.easy(rules, legal, chance)
    if isinstance(game, SheddingGame):
        return shedding.choose(game, view, legal, events, memory)
    return three_thirteen.choose(view, legal, chance)
