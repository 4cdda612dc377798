"""The definition of a meld, for checking the melds that a player names (TT4, TT5). `lay_out` finds melds."""

from collections.abc import Sequence
from itertools import pairwise

RUN_ORDER = "A23456789TJQK"  # aces are low in runs (TT1)
SMALLEST = 3


def is_meld(cards: Sequence[str], wild: str) -> bool:
    """Return whether the cards, in any order, are a set or a run. `wild` is the wild rank.

    A wild card stands for any card, so only the other cards can spoil a meld.
    """
    if len(cards) < SMALLEST:
        return False
    natural = [card for card in cards if card[0] != wild]
    return _is_set(natural) or _is_run(natural, len(cards))


def _is_set(natural: Sequence[str]) -> bool:
    return len({card[0] for card in natural}) <= 1


def _is_run(natural: Sequence[str], length: int) -> bool:
    """One suit, no place taken twice, and all within `length` places. The wild cards always find room within A..K."""
    if len({card[1] for card in natural}) > 1 or length > len(RUN_ORDER):
        return False
    places = sorted(RUN_ORDER.find(card[0]) for card in natural)
    taken_once = all(low < high for low, high in pairwise(places))
    return taken_once and places[0] >= 0 and places[-1] - places[0] < length
