"""Runs within one suit: how much they save with no wild card, with one, with two and so on.

A suit holding is a number with four bits for each place A..K: how many of that card there are (at most 14).
"""

from collections.abc import Iterable

PLACES = "A23456789TJQK"
BITS = 4
ONES = sum(1 << BITS * place for place in range(len(PLACES)))
"""The lowest bit of every place."""

Run = tuple[int, int]
"""First and last place between which a run takes one of every card there is; its gaps are filled by wild cards. Where
that makes fewer than three cards, wild cards make up for it at an end."""
Runs = tuple[Run, ...]
Entry = tuple[tuple[int, ...], tuple[Runs, ...]]
"""The most that runs save with 0, 1, 2, ... wild cards, and the runs that do. More wild cards save no more."""

_NOTHING: Entry = ((0,), ((),))
_MOST_ENTRIES = 20_000  # some 10 MB; hands of one deck need 8,192


def place_points(ace_points: int) -> tuple[int, ...]:
    """The penalty points of the places A..K (TT1)."""
    return (ace_points, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)


class RunTable(dict[int, Entry]):
    """`table[suit]` is the Entry of a suit holding, worked out when first asked for; forgotten when there are too many.

    Take the lowest card of the suit. Either it is left over, or it begins a run that ends at some other card of the
    suit. That run takes a natural wherever there is one: if it had a blank there, the natural would be left over, or
    be in a second run over that place, and the two can be exchanged. So each end gives one run and one smaller suit,
    whose entry is looked up in turn. (Wild cards at the ends of a run only matter while it is shorter than three.)
    """

    def __init__(self, ace_points: int) -> None:
        super().__init__()
        self.points = place_points(ace_points)

    def __missing__(self, suit: int) -> Entry:
        # Threads may come here at once: each works on its own numbers, and all of them store the same.
        if not suit:
            self[suit] = _NOTHING
            return _NOTHING
        first = ((suit & -suit).bit_length() - 1) // BITS
        left_over = self[suit - (1 << BITS * first)]
        saved, runs = list(left_over[0]), list(left_over[1])
        ends = []  # of each run that begins there: its last place, what it leaves, what it saves, its blanks
        rest, gain, gaps = suit, 0, 0
        for last in range(first, (suit.bit_length() + BITS - 1) // BITS):
            if suit >> BITS * last & 15:
                rest -= 1 << BITS * last
                gain += self.points[last]
                ends.append((last, rest, gain, gaps + max(0, 2 - (last - first))))
            else:
                gaps += 1
        for last, rest, gain, blanks in reversed(ends):  # of equals the first stays: one long run rather than two
            offers = [(gain + more, ((first, last), *others)) for more, others in zip(*self[rest], strict=True)]
            _enter(saved, runs, offers, blanks)
        entry = _trimmed(saved, runs)
        if len(self) >= _MOST_ENTRIES:
            self.clear()
        self[suit] = entry
        return entry


def _enter(saved: list[int], runs: list[Runs], offers: Iterable[tuple[int, Runs]], blanks: int) -> None:
    """Enters, where they save more, runs that need `blanks` blanks, one more than that, two more, and so on."""
    for used, (value, offered) in enumerate(offers, blanks):
        while len(saved) <= used:
            saved.append(saved[-1])
            runs.append(runs[-1])
        for index in range(used, len(saved)):
            if saved[index] >= value:
                break
            saved[index] = value
            runs[index] = offered


def _trimmed(saved: list[int], runs: list[Runs]) -> Entry:
    needed = saved.index(saved[-1]) + 1
    return tuple(saved[:needed]), tuple(runs[:needed])
