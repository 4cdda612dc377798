"""The search over sets: which cards of each rank its set takes, so that sets and runs together save most."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.rules.three_thirteen.lay_out.hands import Hand, Suits
from games.rules.three_thirteen.lay_out.runs import BITS, ONES, RunTable


class Set(NamedTuple):
    """A set of one rank: the cards it takes, by suit like a hand's, and the blanks that make it three."""

    cards: Suits
    blanks: int
    value: int


class Rank(NamedTuple):
    """A rank that may have a set: what all its naturals are worth, the sets worth trying, whether none is worth it."""

    value: int
    sets: list[Set]
    may_go_without: bool


class Best(NamedTuple):
    """What is saved, by these sets and by the best runs of the `suits` that they leave, with `wilds` blanks left."""

    saved: int
    sets: tuple[Set, ...]
    suits: Suits
    wilds: int


def best_melds(hand: Hand, at_least: int) -> Best:
    """The melds that save most. Where nothing saves `at_least` so much, it may be something that saves less."""
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
    """A depth-first search over the sets of each rank in turn. `best` is the best so far."""

    def __init__(self, hand: Hand, ranks: list[Rank], best: Best, at_least: int) -> None:
        self.table = hand.table
        self.everything = hand.value
        self.ranks = ranks
        # bounds[i]: sets of ranks[i:] add no more than this to what is saved without them.
        self.bounds = [sum(rank.value for rank in ranks[i:]) for i in range(len(ranks) + 1)]
        self.best = best
        self.beat = max(best.saved, at_least - 1)

    def add_sets(self, to: Best, saved_by_sets: int, first: int) -> None:
        """Tries all sets of ranks[first:] on top of those there are, as long as they may save more than the best."""
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
        saved = saved_by_sets + saved_by_runs(self.table, suits, wilds)
        if saved + self.bounds[following] > self.beat:
            found = Best(saved, (*to.sets, chosen), suits, wilds)
            if saved > self.beat:
                self.best, self.beat = found, saved
            self.add_sets(found, saved_by_sets, following)


def saved_by_runs(table: RunTable, suits: Sequence[int], wilds: int) -> int:
    """The most that runs of these suits save with so many blanks among them."""
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
    together = [0]  # what the suits so far save with 0, 1, 2, ... blanks
    for suit in suits:
        if suit:
            together = _shared(together, table[suit][0], wilds)
    return together[-1]


def _shared(one: Sequence[int], other: Sequence[int], wilds: int) -> list[int]:
    """What two saves lists save together when blanks are shared out between them in the best way."""
    if len(one) == 1:
        return [one[0] + more for more in other[: wilds + 1]]
    size = min(wilds + 1, len(one) + len(other) - 1)
    best = [0] * size
    for blanks, saved in enumerate(one):
        for total, more in enumerate(other[: size - blanks], blanks):
            best[total] = max(best[total], saved + more)
    return best


def _ranks_for_sets(hand: Hand) -> list[Rank]:
    """The ranks held often enough for a set, those worth most first."""
    spades, hearts, diamonds, clubs = hand.suits
    held = spades + hearts + diamonds + clubs
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
        ranks.append(_rank(hand, lowest.bit_length() - 1, near))
    ranks.sort(key=lambda rank: -rank.value)
    return ranks


def _with_neighbours(suit: int, wilds: int) -> int:
    """The places of a suit whose card can be in a run with another natural."""
    here = (suit | suit >> 1 | suit >> 2 | suit >> 3) & ONES
    if not wilds:
        threes = here & here >> BITS & here >> 2 * BITS
        return threes | threes << BITS | threes << 2 * BITS
    near = 0
    for distance in range(BITS, BITS * (wilds + 2), BITS):
        near |= here << distance | here >> distance
    return here & near


def _rank(hand: Hand, shift: int, near: Sequence[int]) -> Rank:
    """The sets of the rank at bit `shift`: all its cards, less any that may be of more use in a run."""
    counts = [suit >> shift & 15 for suit in hand.suits]
    held = sum(counts)
    card_value = hand.table.points[shift // BITS]
    useful = [count if row >> shift & 1 else 0 for count, row in zip(counts, near, strict=True)]
    sets = []
    for left_out in _left_out(useful):
        size = held - sum(left_out)
        if size > 2 or (size == 2 and hand.wilds):
            spades, hearts, diamonds, clubs = (
                count - out << shift for count, out in zip(counts, left_out, strict=True)
            )
            sets.append(Set((spades, hearts, diamonds, clubs), max(0, 3 - size), size * card_value))
    return Rank(held * card_value, sets, may_go_without=held - sum(useful) < 3)


def _left_out(useful: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """All ways to leave cards out of a set, the fewest first of each suit."""
    if not any(useful):
        return iter([(0, 0, 0, 0)])
    spades, hearts, diamonds, clubs = (range(count + 1) for count in useful)
    return ((s, h, d, c) for s in spades for h in hearts for d in diamonds for c in clubs)
