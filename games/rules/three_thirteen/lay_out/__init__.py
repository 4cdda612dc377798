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

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.rules.cards import SUITS
from games.rules.three_thirteen.lay_out.hands import Hand, read_hand, without
from games.rules.three_thirteen.lay_out.runs import BITS, PLACES, Runs
from games.rules.three_thirteen.lay_out.search import Best, Set, best_melds, saved_by_runs

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
    points = hand.table.points
    dear = [card for card in sorted(set(cards)) if points[PLACES.index(card[0])] >= penalty]
    return [card for card in dear if _all_melded(without(hand, card))]


def _nothing_melded(hand: Hand, saved: int) -> bool:
    return not saved and hand.wilds < 3


def _all_melded(hand: Hand) -> bool:
    if not hand.value:
        return hand.wilds not in (1, 2)
    return best_melds(hand, at_least=hand.value).saved == hand.value


_LAST = len(PLACES) - 1


def name_melds(hand: Hand, best: Best, wild_cards: list[str]) -> list[list[str]]:
    """Return the melds as lists of cards: sets by rank, then runs by suit. Takes all of `wild_cards`, from the end.

    Something must be melded, or there must be at least three wild cards.
    """
    sets = [_cards_of_set(chosen, wild_cards) for chosen in sorted(best.sets, key=lambda chosen: max(chosen.cards))]
    runs: list[list[str]] = []
    lowest: list[int] = []  # the first place of each run
    for row, plan in enumerate(_runs_of(hand, best)):
        for first, cards in _cards_of_runs(plan, best.suits[row], SUITS[row], wild_cards):
            lowest.append(first)
            runs.append(cards)
    if wild_cards:
        if sets:
            sets[0] += wild_cards
        elif runs:
            runs[:1] = _longer(runs[0], lowest[0], wild_cards)
        else:
            sets.append(wild_cards)
    return sets + runs


def _cards_of_set(chosen: Set, wild_cards: list[str]) -> list[str]:
    cards = []
    for suit, held in zip(SUITS, chosen.cards, strict=True):
        if held:
            place = (held.bit_length() - 1) // BITS
            cards += [PLACES[place] + suit] * (held >> BITS * place)
    return cards + [wild_cards.pop() for _ in range(chosen.blanks)]


def _runs_of(hand: Hand, best: Best) -> Iterator[Runs]:
    """Yield the runs of each suit, with the blanks that the sets leave shared out so that most is saved."""
    blanks = best.wilds
    to_come = list(best.suits)
    for row, suit in enumerate(best.suits):
        saved, runs = hand.table[suit]
        used = 0
        if blanks:
            most = saved_by_runs(hand.table, to_come, blanks)
            to_come[row] = 0
            while saved[used] + saved_by_runs(hand.table, to_come, blanks - used) < most:
                used += 1
            blanks -= used
        yield runs[used]


def _cards_of_runs(plan: Runs, held: int, suit: str, wild_cards: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first place of each run and its cards, with wild cards in the places they stand for."""
    for first, last in plan:
        end = min(max(last, first + 2), _LAST)
        begin = min(first, end - 2)
        cards = []
        for place in range(begin, end + 1):
            if first <= place <= last and held >> BITS * place & 15:
                held -= 1 << BITS * place
                cards.append(PLACES[place] + suit)
            else:
                cards.append(wild_cards.pop())
        yield begin, cards


def _longer(run: list[str], first: int, wild_cards: list[str]) -> list[list[str]]:
    """Return the run with all `wild_cards` added: at its end, then before it; a run A..K becomes two runs."""
    run = list(run)
    for number, card in enumerate(wild_cards):
        if first + len(run) <= _LAST:
            run.append(card)
        elif first:
            first -= 1
            run.insert(0, card)
        else:
            return [run[:3] + wild_cards[number:], run[3:]]
    return [run]
