"""Forced moves. The game says whether one can be made at once (`Game.is_safe_to_force`)."""

from collections.abc import Sequence
from itertools import islice

from games.bots.listing import Listed, Move, moves_of


def forced_move(legal: Sequence[Listed]) -> Move | None:
    """Return the only legal move, in the form in which it is sent. None if there are several, or none."""
    if len(legal) != 1:
        return None
    found = list(islice(moves_of(legal[0]), 2))
    return found[0] if len(found) == 1 else None
