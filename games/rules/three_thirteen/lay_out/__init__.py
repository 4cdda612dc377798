"""The exact meld solver (TT7): lays a hand out at the least possible penalty.

The question is only which natural cards to meld. A wild card is a blank, since "itself" is one of the cards it may
stand for. Blanks are easy to place: a blank that no meld needs can join any meld (a set has no upper bound, a run
shorter than A..K grows at an end, and a run A..K splits in two), and three blanks are a meld. So wild cards are left
over only if nothing at all is melded, and the task is to save the greatest value of naturals with at most `wilds`
blanks.

The task has two parts.

Runs stay within a suit. The most that the runs of a suit can save with 0, 1, 2, ... blanks depends on the cards of
that suit alone, and a suit rarely has more than a few. These values are computed once for each holding of a suit and
cached (`runs.RunTable`). Sharing blanks among the suits then means combining four short lists.

Sets connect the suits, so the solver searches over sets (`search.best_melds`): for each rank, which cards its set
takes, or no set. What remains of each suit is looked up. Few choices need a try:

- One set per rank is enough: two sets of a rank make one bigger set that needs no more blanks.
- A single natural with two blanks is also a run, so sets have at least two naturals, and a pair needs a blank. In a
  hand without wild cards only ranks held three times can have a set.
- A card that is not in the set of its rank is in a run with another natural. Otherwise it could join the set at no
  cost. So a set leaves out only cards with a neighbour of their suit, near enough for the blanks there are.
- Three cards of a rank that cannot be in such a run form a set for free: that rank needs no try without a set.
- Branch and bound: the sets chosen so far and the best runs of the rest are an arrangement of their own, and sets yet
  to come add at most the whole value of their ranks. The search ends when everything is saved.

Each step drops only arrangements that another one equals or beats, so the result is exact.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.three_thirteen.lay_out.hands import Hand, read_hand, value_of, without
from games.rules.three_thirteen.lay_out.naming import name_melds
from games.rules.three_thirteen.lay_out.search import best_melds

__all__ = ["LayOut", "discards_to_go_out", "lay_out"]


class LayOut(NamedTuple):
    """A hand laid out: its melds, the cards `left` over, and the `penalty` for these."""

    penalty: int
    melds: list[list[str]]
    left: list[str]


def lay_out(cards: Sequence[str], wild: str, ace_points: int = 15) -> LayOut:
    """Return the hand arranged into sets and runs at the least possible penalty (TT4, TT7).

    `cards` are at most 14 cards from any number of decks, `wild` is a rank, and `ace_points` is 1 or 15. Sets come
    first, by rank, then runs, with wild cards in the places they stand for. `left` has the order of the hand. Any of
    several lay-outs at the same penalty may be returned. Raises ValueError if the arguments are not such a hand.
    """
    hand = read_hand(cards, wild, ace_points)
    best = best_melds(hand, at_least=0)
    if _nothing_melded(hand, best.saved):
        return LayOut(hand.value + hand.wilds * hand.wild_value, [], list(cards))
    melds = name_melds(hand, best, [card for card in cards if card[0] == wild] if hand.wilds else [])
    left = list(cards)
    for meld in melds:
        for card in meld:
            left.remove(card)
    return LayOut(hand.value - best.saved, melds, left)


def discards_to_go_out(cards: Sequence[str], wild: str) -> list[str]:
    """Return the different cards, sorted by code, whose discard leaves everything else melded (TT5).

    `cards` is the hand after drawing, at most 14 cards. Raises ValueError if the arguments are not such a hand.
    """
    hand = read_hand(cards, wild, ace_points=15)
    saved = best_melds(hand, at_least=0).saved
    penalty = hand.value - saved + (hand.wilds * hand.wild_value if _nothing_melded(hand, saved) else 0)
    # If a discard leaves everything else melded, the whole hand can be laid out with just that card left over. So the
    # card costs at least as much as the hand, and few cards do.
    return [card for card in sorted(set(cards)) if value_of(hand, card) >= penalty and _all_melded(without(hand, card))]


def _nothing_melded(hand: Hand, saved: int) -> bool:
    return not saved and hand.wilds < 3


def _all_melded(hand: Hand) -> bool:
    if not hand.value:
        return hand.wilds not in (1, 2)
    return best_melds(hand, at_least=hand.value).saved == hand.value
