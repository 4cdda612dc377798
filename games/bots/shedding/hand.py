"""What everybody knows of a hand. Suits never matter."""

from typing import NamedTuple

NO_RANKS: frozenset[str] = frozenset()


class Hand(NamedTuple):
    """What everybody knows of a hand."""

    known: str = ""
    """The ranks of cards that everybody saw, in any order."""
    cannot: tuple[frozenset[str], ...] = ()
    """For each of the other cards the ranks that it cannot be of, the oldest card first.

    What a newer card cannot be, an older one cannot be either.
    """

    @property
    def cards(self) -> int:
        return len(self.known) + len(self.cannot)

    def with_known(self, cards: str) -> "Hand":
        return Hand(self.known + cards, self.cannot)

    def with_unknown(self, count: int) -> "Hand":
        return Hand(self.known, self.cannot + (NO_RANKS,) * count)

    def without(self, rank: str) -> "Hand":
        """Return the hand without a card of the rank: a known one, or the oldest one that can be it.

        Most is known of that one, so what is known of the others stays true whichever card it was.
        """
        if rank in self.known:
            return Hand(self.known.replace(rank, "", 1), self.cannot)
        at = next(at for at, cannot in enumerate(self.cannot) if rank not in cannot)
        return Hand(self.known, self.cannot[:at] + self.cannot[at + 1 :])

    def with_nothing_of(self, going: frozenset[str]) -> "Hand":
        """Return the hand when it was seen that no card of it is of these ranks."""
        return Hand(self.known, tuple([cannot | going for cannot in self.cannot]))
