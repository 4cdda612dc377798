"""The search over sets: which cards the set of each rank takes, so that sets and runs together save most."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from games.rules.three_thirteen.lay_out.hands import Hand, Suits
from games.rules.three_thirteen.lay_out.runs import BITS, ONES, RunTable


class Set(NamedTuple):
    """A set of one rank: its cards by suit, the blanks that complete it, and what it saves."""

    cards: Suits
    blanks: int
    value: int


class Rank(NamedTuple):
    """A rank that may have a set: the value of its naturals, the sets to try, and whether to try it without a set."""

    value: int
    sets: list[Set]
    may_go_without: bool


class Best(NamedTuple):
    """The penalty that these sets save, with the best runs of the `suits` that they leave and `wilds` blanks."""

    saved: int
    sets: tuple[Set, ...]
    suits: Suits
    wilds: int


def best_melds(hand: Hand, at_least: int) -> Best:
    """Return the melds that save most. If nothing saves `at_least` this much, the result need not be the best."""
    without_sets = Best(saved_by_runs(hand.table, hand.suits, hand.wilds), (), hand.suits, hand.wilds)
    if without_sets.saved == hand.value:
        return without_sets
    ranks = _ranks_for_sets(hand)
    if not ranks:
        return without_sets
    search = _Search(hand, ranks, without_sets, at_least)
    search.add_sets(without_sets, 0, 0)
    return search.best


class _Search:
    """A depth-first search over the sets of each rank in turn. `best` is the best found so far."""

    def __init__(self, hand: Hand, ranks: list[Rank], best: Best, at_least: int) -> None:
        self.table = hand.table
        self.everything = hand.value
        self.ranks = ranks
        # bounds[i] is the most that sets of ranks[i:] can add.
        self.bounds = [sum(rank.value for rank in ranks[i:]) for i in range(len(ranks) + 1)]
        self.best = best
        self.beat = max(best.saved, at_least - 1)

    def add_sets(self, to: Best, saved_by_sets: int, first: int) -> None:
        """Try all sets of ranks[first:] in addition to those chosen, as long as they may beat the best."""
        for index in range(first, len(self.ranks)):
            if to.saved + self.bounds[index] <= self.beat:
                return
            rank = self.ranks[index]
            for chosen in rank.sets:
                if chosen.blanks <= to.wilds:
                    self._add(chosen, to, saved_by_sets + chosen.value, index + 1)
                    if self.beat == self.everything:
                        return
            if not rank.may_go_without:
                return

    def _add(self, chosen: Set, to: Best, saved_by_sets: int, following: int) -> None:
        a, b, c, d = to.suits
        w, x, y, z = chosen.cards
        suits = (a - w, b - x, c - y, d - z)
        wilds = to.wilds - chosen.blanks
        if self.beat == self.everything - 1 and not self._may_lead_to_everything(suits, wilds, following):
            return
        saved = saved_by_sets + saved_by_runs(self.table, suits, wilds)
        if saved + self.bounds[following] > self.beat:
            found = Best(saved, (*to.sets, chosen), suits, wilds)
            if saved > self.beat:
                self.best, self.beat = found, saved
            self.add_sets(found, saved_by_sets, following)

    def _may_lead_to_everything(self, suits: Suits, wilds: int, following: int) -> bool:
        """Return False if these sets certainly cannot save everything: runs of all cards left need too many blanks."""
        return following < len(self.ranks) or sum([len(self.table[suit][0]) for suit in suits]) - len(suits) <= wilds


def saved_by_runs(table: RunTable, suits: Sequence[int], wilds: int) -> int:
    """Return the most that runs of these suits save with this many blanks in total."""
    if not wilds:
        return sum([table[suit][0][0] for suit in suits])
    if wilds == 1:
        total = most = 0
        for suit in suits:
            saved = table[suit][0]
            total += saved[0]
            if len(saved) > 1 and saved[1] - saved[0] > most:
                most = saved[1] - saved[0]
        return total + most
    spades, hearts, diamonds, clubs = [table[suit][0][: wilds + 1] for suit in suits]
    one, other = _shared(spades, hearts, wilds), _shared(diamonds, clubs, wilds)
    other += [other[-1]] * (wilds + 1 - len(other))
    return max([saved + more for saved, more in zip(one, reversed(other), strict=False)])


def _shared(one: Sequence[int], other: Sequence[int], wilds: int) -> list[int]:
    if len(one) == 1:
        return [one[0] + more for more in other]
    if len(other) == 1:
        return [other[0] + more for more in one]
    size = min(wilds + 1, len(one) + len(other) - 1)
    best = [0] * size
    for blanks, saved in enumerate(one):
        for total, more in enumerate(other[: size - blanks], blanks):
            if saved + more > best[total]:  # noqa: PLR1730  (the innermost line: max() takes half as long again)
                best[total] = saved + more
    return best


def _ranks_for_sets(hand: Hand) -> list[Rank]:
    """Return the ranks held often enough for a set, most valuable first."""
    held = sum(hand.suits)
    if hand.wilds:
        often = (held >> 1 | held >> 2 | held >> 3) & ONES  # twice or more
    else:
        often = (held >> 2 | held >> 3 | held & held >> 1) & ONES  # three times or more
    if not often:
        return []
    near = [_with_neighbours(suit, hand.wilds) for suit in hand.suits]
    ranks = []
    while often:
        lowest = often & -often
        often -= lowest
        shift = lowest.bit_length() - 1
        ranks.append(_rank(hand, shift, held >> shift & 15, near))
    ranks.sort(key=lambda rank: -rank.value)
    return ranks


def _with_neighbours(suit: int, wilds: int) -> int:
    """Return the places of a suit whose card can be in a run with another natural."""
    here = (suit | suit >> 1 | suit >> 2 | suit >> 3) & ONES
    if not wilds:
        threes = here & here >> BITS & here >> 2 * BITS
        return threes | threes << BITS | threes << 2 * BITS
    near = 0
    for distance in range(BITS, BITS * (wilds + 2), BITS):
        near |= here << distance | here >> distance
    return here & near


def _rank(hand: Hand, shift: int, held: int, near: Sequence[int]) -> Rank:
    """Return the rank at bit `shift` with its sets to try: all its `held` cards, or without some that fit in runs."""
    card_value = hand.table.points[shift // BITS]
    counts = [suit >> shift & 15 for suit in hand.suits]
    useful = [count if row >> shift & 1 else 0 for count, row in zip(counts, near, strict=True)]
    smallest = 2 if hand.wilds else 3
    sets = []
    for a, b, c, d in _to_leave_out(useful):
        size = held - a - b - c - d
        if size >= smallest:
            w, x, y, z = counts
            cards = (w - a << shift, x - b << shift, y - c << shift, z - d << shift)
            sets.append(Set(cards, max(0, 3 - size), size * card_value))
    return Rank(held * card_value, sets, may_go_without=held - sum(useful) < 3)


def _to_leave_out(useful: Sequence[int]) -> Iterable[tuple[int, ...]]:
    if not any(useful):
        return [(0, 0, 0, 0)]
    return product(*[range(count + 1) for count in useful])
