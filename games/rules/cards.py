"""Cards, decks and ranks: the codes of the contract ("TH" is the ten of hearts, "XR" and "XB" are the jokers)."""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "SHDC"
JOKER = "X"
JOKERS = ("XR", "XB")
PLAIN_DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS = frozenset(PLAIN_DECK + JOKERS)

MAX_SEATS = 32
MAX_DECKS = 16

_WORDS = {"T": "10", "X": "joker"}
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def decks(count: int, *, jokers: bool) -> tuple[str, ...]:
    """The cards of `count` decks in a fixed order, with or without both jokers each."""
    return (PLAIN_DECK + JOKERS if jokers else PLAIN_DECK) * count


def rank_word(rank: str) -> str:
    """How people write a rank: "T" is 10, "X" is joker."""
    return _WORDS.get(rank, rank)


def pretty(card: str) -> str:
    """A card for reading: "TH" is 10♥, "XR" is the red joker ★R."""
    if card[0] == JOKER:
        return "★" + card[1]
    return rank_word(card[0]) + _SIGNS[card[1]]


def without(cards: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """`cards` less one copy of each card in `taken`, in the same order.

    Raises ValueError when a card of `taken` is not there (often enough).
    """
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)
