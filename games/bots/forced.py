"""Forced moves, and which of them a server may make at once without its clock giving cards away.

A move made at once tells whoever watches the clock that there was no other; one that is waited for, that there was.
So a move is made at once only where everybody could work that out from what lies on the table, or learns it from the
next move anyway before anybody can act on it. docs/clocks.md goes through the cases.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from games.bots.listing import Listed, Move, moves_of
from games.bots.seat import own_player
from games.bots.shedding import VARIANTS


def forced_move(legal: Sequence[Listed]) -> Move | None:
    """The only legal move, as it would be sent; None where there are several, or none."""
    if len(legal) != 1:
        return None
    found = list(islice(moves_of(legal[0]), 2))
    return found[0] if len(found) == 1 else None


def is_safe_to_force(view: Mapping[str, Any], move: Move) -> bool:
    """Whether making this forced move at once tells the others nothing about hidden cards.

    `view` is the seat's own.
    """
    variant = VARIANTS.get(view["game"])
    if variant is None:
        # Three Thirteen: all see an empty stock and a discard pile of one card. A discard is a hand's secret.
        return bool(move["move"] == "draw")
    if view["status"] != "playing" or len(view["to_act"]) != 1:
        return False  # a choice in setup; a race, which the server would win for its player
    me = own_player(view)
    if me["seat"] not in view["to_act"]:
        return False  # an interruption is a right, and a secret one (CA9c)
    if not me["hand"]:
        return (
            True  # face-up cards lie there for all to see, and a single face-down card is turned over by whoever it is
        )
    if len(me["hand"]) == 1 and view["stock_count"] == 0:
        return True  # it is played or the pile is picked up: all know that there is no choice
    # S4: a pick-up is made only by who cannot play, so it tells that itself. But where others may act out of turn, the
    # waiting before a play would tell them in time that the hand has an answer.
    return bool(move["move"] == "pick_up") and not variant.interrupts
