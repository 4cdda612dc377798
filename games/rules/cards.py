"""Cards, decks and ranks. "TH" is the ten of hearts, "XR" and "XB" are the jokers."""

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
_COLOURS = {"R": "red", "B": "black"}
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def decks(count: int, *, jokers: int, without: str = "") -> tuple[str, ...]:
    """Return the cards of `count` decks in a fixed order, each with 0 to 4 jokers and without some ranks."""
    plain = tuple(card for card in PLAIN_DECK if card[0] not in without) if without else PLAIN_DECK
    return (plain + (JOKERS * 2)[:jokers]) * count


def rank_word(rank: str) -> str:
    """Return a rank as people write it: "10" for "T", "joker" for "X"."""
    return _WORDS.get(rank, rank)


def pretty(card: str) -> str:
    """Return a card as people read it: 10♥ for "TH", "red ★" for the red joker "XR"."""
    if card[0] == JOKER:
        return f"{_COLOURS[card[1]]}\N{NO-BREAK SPACE}★"
    return rank_word(card[0]) + _SIGNS[card[1]]


def row(cards: Iterable[str]) -> str:
    """Cards in the order given, as people read them: "7♥ 10♠"."""
    return " ".join(map(pretty, cards))


def without(cards: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Return `cards` without one copy of each card in `taken`, in the same order.

    Raises ValueError if a card of `taken` is missing.
    """
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)
