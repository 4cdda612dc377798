"""A hand in the form that the solver uses: one number for each suit (see `runs`), and the number of wild cards."""

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.cards import SUITS
from games.rules.three_thirteen.lay_out.runs import BITS, PLACES, RunTable, place_points

MOST_CARDS = 14
_SUIT_BITS = BITS * len(PLACES)
_SUIT = (1 << _SUIT_BITS) - 1
_VALUE = _SUIT_BITS * len(SUITS)


Suits = tuple[int, int, int, int]
"""The holdings of the four suits, in the order of SUITS."""


class Hand(NamedTuple):
    """The naturals by suit, their value, the number of wild cards, and the table of runs for this value of an ace."""

    suits: Suits
    value: int
    wilds: int
    wild_rank: str
    table: RunTable

    @property
    def wild_value(self) -> int:
        """The penalty for a wild card left over: its face value (TT7)."""
        return self.table.points[PLACES.index(self.wild_rank)]


def _card_numbers(ace_points: int) -> dict[str, int]:
    """Return each card as a number. The sum of a hand's cards has its four suits, and its value in the high bits."""
    worth = place_points(ace_points)
    return {
        rank + suit: (1 << _SUIT_BITS * row + BITS * place) + (worth[place] << _VALUE)
        for row, suit in enumerate(SUITS)
        for place, rank in enumerate(PLACES)
    }


_NUMBERS = {points: _card_numbers(points) for points in (1, 15)}
_TABLES = {points: RunTable(points) for points in (1, 15)}
_WILD_PLACE = {rank: BITS * place for place, rank in enumerate(PLACES)}


def read_hand(cards: Sequence[str], wild: str, ace_points: int) -> Hand:
    """Return the hand of these cards. Raises ValueError if they are not a hand of at most 14 cards."""
    try:
        number = sum(map(_NUMBERS[ace_points].__getitem__, cards))
        shift = _WILD_PLACE[wild]
    except (KeyError, TypeError):
        raise ValueError(_what_is_wrong(cards, wild, ace_points)) from None
    if len(cards) > MOST_CARDS:
        raise ValueError(f"A hand has at most {MOST_CARDS} cards, not {len(cards)}.")
    spades = number & _SUIT
    hearts = number >> _SUIT_BITS & _SUIT
    diamonds = number >> 2 * _SUIT_BITS & _SUIT
    clubs = number >> 3 * _SUIT_BITS & _SUIT
    value = number >> _VALUE
    table = _TABLES[ace_points]
    wilds = (spades + hearts + diamonds + clubs) >> shift & 15
    if wilds:
        naturals = _SUIT - (15 << shift)
        spades &= naturals
        hearts &= naturals
        diamonds &= naturals
        clubs &= naturals
        value -= wilds * table.points[shift // BITS]
    return Hand((spades, hearts, diamonds, clubs), value, wilds, wild, table)


def without(hand: Hand, card: str) -> Hand:
    if card[0] == hand.wild_rank:
        return hand._replace(wilds=hand.wilds - 1)
    place, row = PLACES.index(card[0]), SUITS.index(card[1])
    spades, hearts, diamonds, clubs = (
        held - (1 << BITS * place) if number == row else held for number, held in enumerate(hand.suits)
    )
    return hand._replace(suits=(spades, hearts, diamonds, clubs), value=hand.value - hand.table.points[place])


def _what_is_wrong(cards: Sequence[str], wild: str, ace_points: int) -> str:
    if ace_points not in (1, 15):
        return f"ace_points must be 1 or 15, not {ace_points!r}."
    for card in cards:
        if not isinstance(card, str) or card not in _NUMBERS[15]:
            return f"{card!r} is not a card of this game. Cards are written like 'TH'; there are no jokers."
    return f"{wild!r} is not a rank. The ranks are {' '.join(PLACES)}."
