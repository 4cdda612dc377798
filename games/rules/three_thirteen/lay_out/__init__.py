"""The exact meld solver (TT7): lays a hand out at the least possible penalty.

The question is only which of the natural cards to meld. A wild card is a blank: "for itself" is one of the cards it
may stand for. And blanks are never the trouble: one that no meld needs joins any meld there is (a set has no upper
bound; a run shorter than A..K takes one at an end; a run A..K splits in two), and three of them are a meld. So wild
cards stay behind only where nothing at all is melded, and the task is: save the greatest value of naturals with at
most `wilds` blanks.

It splits in two.

Runs never leave their suit. What the best runs of one suit save with 0, 1, 2, ... blanks follows from that suit's cards
alone, and a suit rarely holds more than a few: the answers are worked out once per suit holding and kept
(`runs.RunTable`). Blanks are then shared out among four short lists.

Sets tie the suits together, so the sets are tried out (`search.best_melds`): for each rank the cards that its set
takes, or no set. What is left of each suit is looked up. Few choices are worth trying:

- One set a rank is enough: two sets of a rank make one bigger set that needs no more blanks.
- A lone natural with two blanks is also a run, so sets have at least two naturals, and a pair needs a blank. A hand
  without wild cards tries only ranks held three times.
- A card whose rank has a set and that is not in it is in a run with another natural. Otherwise it would join the set,
  which loses nothing. So a set leaves out only cards with a neighbour of their suit near enough for the blanks at hand.
- Three cards of a rank that can be in no such run are a set for nothing: that rank needs no try without one.
- Branch and bound: what the sets chosen so far and the best runs of the rest save is itself an arrangement; sets still
  to come add at most the whole value of their ranks to it. The search ends when everything is saved.

Each step drops only arrangements that another one equals or beats, so the result is exact.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.three_thirteen.lay_out.hands import Hand, read_hand, value_of, without
from games.rules.three_thirteen.lay_out.naming import name_melds
from games.rules.three_thirteen.lay_out.search import best_melds

__all__ = ["LayOut", "discards_to_go_out", "lay_out"]


class LayOut(NamedTuple):
    """A hand in melds: `left` are the cards in none of them, `penalty` is what those cost."""

    penalty: int
    melds: list[list[str]]
    left: list[str]


def lay_out(cards: Sequence[str], wild: str, ace_points: int = 15) -> LayOut:
    """The hand arranged into sets and runs so that what is left over costs least (TT4, TT7).

    At most 14 cards of any number of decks, `wild` a rank code, `ace_points` 1 or 15. Sets come first, by rank, then
    runs, with the wild cards at the places they stand for; `left` is in the order of the hand. Where several lay-outs
    cost the same it is one of them. Raises ValueError for what is no such hand.
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
    """The different cards, sorted by code, each of whose discard leaves everything else melded (TT5).

    `cards` is the hand after drawing, at most 14. Raises ValueError for what is no such hand.
    """
    hand = read_hand(cards, wild, ace_points=15)
    saved = best_melds(hand, at_least=0).saved
    penalty = hand.value - saved + (hand.wilds * hand.wild_value if _nothing_melded(hand, saved) else 0)
    # Who can go out with a discard can lay out the whole hand with just that card left over, so the card costs what
    # the hand does, or more. Few cards do: most hands cost more than any card.
    return [card for card in sorted(set(cards)) if value_of(hand, card) >= penalty and _all_melded(without(hand, card))]


def _nothing_melded(hand: Hand, saved: int) -> bool:
    return not saved and hand.wilds < 3


def _all_melded(hand: Hand) -> bool:
    if not hand.value:
        return hand.wilds not in (1, 2)
    return best_melds(hand, at_least=hand.value).saved == hand.value
