"""Tripp Jokes: equal or higher; three in a row close the pile, 3s are see-through, and jokers make you pick up."""

from collections.abc import Mapping
from typing import Any

from games.rules.cards import JOKER
from games.rules.shedding.state import Cards, State
from games.rules.shedding.variant import (
    AGAIN,
    AT_LEAST,
    PLAIN,
    STALEMATE,
    Opening,
    Outcome,
    ToBeat,
    Variant,
    in_a_row,
    play_until,
)

SPECIALS = "23TX"


def opening(state: State) -> Opening:
    """TJ3: the seat to the dealer's right opens; if it has left, the next seat in play (S11)."""
    right = (state.dealer - 1) % len(state.players)
    return Opening([next(seat for seat in state.around(right) if state.players[seat].place is None)])


def to_beat(pile: Cards, laid_on_empty: int, options: Mapping[str, Any]) -> ToBeat | None:
    """TJ4, TJ8: the topmost card that is not a 3; anything if there is none, or on a 2, a joker or a turned-up 10."""
    for card in reversed(pile):
        if card[0] != "3":
            return None if card[0] in SPECIALS else AT_LEAST[card[0]]
    return None


def outcome(pile: Cards, played: int, options: Mapping[str, Any]) -> Outcome:
    """TJ5 comes first, then TJ7 and TJ9."""
    rank = pile[-1][0]
    if in_a_row(pile) >= 3:
        return Outcome(closes="three_in_a_row", bonus="may")
    if rank == "T":
        return Outcome(closes="ten", bonus="may")
    if rank == JOKER:
        return Outcome(takes_below=True)
    return AGAIN if rank == "2" else PLAIN


TRIPP_JOKES = Variant(
    name="tripp_jokes",
    title="Tripp Jokes",
    summary="Shed all your cards: three of a rank close the pile, 3s are see-through, and a joker makes its player "
    "take the pile.",
    min_seats=2,
    max_seats=6,
    options=(STALEMATE, play_until("first_out")),
    jokers=True,
    decks=lambda seats, options: 1 if seats <= 3 else 2,
    opening=opening,
    to_beat=to_beat,
    outcome=outcome,
    wild=lambda options, beat: SPECIALS,
    order="456789JQKA23TX",
    pace=(121, 16),
    plan_keeps="T23X",
    turns_up=True,
    merges=lambda options: True,
)
