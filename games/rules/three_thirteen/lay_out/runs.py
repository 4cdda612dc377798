"""Runs within one suit: how much they save with 0, 1, 2, ... wild cards.

The holding of a suit is a number with four bits for each place A..K: how many of that card there are (at most 14).
"""

PLACES = "A23456789TJQK"
BITS = 4
ONES = sum(1 << BITS * place for place in range(len(PLACES)))
"""The lowest bit of every place."""

Run = tuple[int, int]
"""The first and last place of a run. It takes one of each card held in between, and wild cards fill the gaps. If that
makes fewer than three cards, wild cards are added at an end."""
Runs = tuple[Run, ...]
Entry = tuple[tuple[int, ...], tuple[Runs, ...]]
"""The most that runs save with 0, 1, 2, ... wild cards, and these runs. Wild cards beyond that save no more."""
Offer = tuple[Entry, int, int, Run]
"""A run to choose from: the entry of the cards it leaves, what the run saves, the blanks it needs, and the run."""

_NOTHING: Entry = ((0,), ((),))
_MOST_ENTRIES = 20_000  # some 10 MB; hands of one deck need 8,192


def place_points(ace_points: int) -> tuple[int, ...]:
    """Return the penalty points of the places A..K (TT1)."""
    return (ace_points, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)


class RunTable(dict[int, Entry]):
    """`table[suit]` is the Entry of a holding, computed when first used. The table is cleared when it gets too big.

    Take the lowest card of the suit. Either it is left over, or it begins a run that ends at some card of the suit.
    That run takes a natural wherever there is one: if it had a blank there instead, the natural would be left over or
    in a second run over that place, and the two could be swapped. So each end gives one run and a smaller suit, whose
    entry is looked up in turn. (Wild cards at the ends of a run matter only while it is shorter than three.)
    """

    def __init__(self, ace_points: int) -> None:
        super().__init__()
        self.points = place_points(ace_points)

    def __missing__(self, suit: int) -> Entry:
        # Safe for threads: each computes its own entry, and all of them store the same.
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
        """Return the runs that begin at `first`, longest first: last place, what is left, what is saved, blanks."""
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
    """Return the best for each number of blanks. Of equal offers the first wins: one long run rather than two."""
    # The run of the first card alone leaves the same cards as left_over and needs two more blanks, so it sets the size.
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
