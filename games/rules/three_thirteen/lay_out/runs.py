"""Runs within one suit: how much they save with no wild card, with one, with two and so on.

A suit holding is a number with four bits for each place A..K: how many of that card there are (at most 14).
"""

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
Offer = tuple[Entry, int, int, Run]
"""A run as one choice among several: the entry of what it leaves, what it saves itself, its blanks, and the run."""

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
        offers = [(self[rest], gain, blanks, (first, last)) for last, rest, gain, blanks in self._ends(suit, first)]
        entry = _best_of(self[suit - (1 << BITS * first)], offers)
        if len(self) >= _MOST_ENTRIES:
            self.clear()
        self[suit] = entry
        return entry

    def _ends(self, suit: int, first: int) -> list[tuple[int, int, int, int]]:
        """The runs that begin at `first`, the longest first: last place, what is left, what is saved, blanks."""
        ends = []
        rest, gain, gaps = suit, 0, 0
        for last in range(first, (suit.bit_length() + BITS - 1) // BITS):
            if suit >> BITS * last & 15:
                rest -= 1 << BITS * last
                gain += self.points[last]
                ends.append((last, rest, gain, gaps + max(0, 2 - (last - first))))
            else:
                gaps += 1
        return ends[::-1]


def _best_of(left_over: Entry, offers: list[Offer]) -> Entry:
    """The best for each number of blanks. Of equals the first counts: one long run rather than two."""
    # The run of the first card alone leaves what left_over is of, and needs two blanks more: it is among the longest.
    size = max([blanks + len(rest[0]) for rest, _, blanks, _ in offers])
    saved = list(left_over[0])
    runs = list(left_over[1])
    saved += [saved[-1]] * (size - len(saved))
    runs += [runs[-1]] * (size - len(runs))
    for rest, gain, blanks, run in offers:
        for used, more in enumerate(rest[0], blanks):
            if gain + more > saved[used]:
                saved[used] = gain + more
                runs[used] = (run, *rest[1][used - blanks])
    for blanks in range(1, size):
        if saved[blanks] < saved[blanks - 1]:
            saved[blanks] = saved[blanks - 1]
            runs[blanks] = runs[blanks - 1]
    needed = saved.index(saved[-1]) + 1
    return tuple(saved[:needed]), tuple(runs[:needed])
