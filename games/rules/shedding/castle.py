"""Castle: equal or higher, 7 or lower on a 7. Jacks reverse play; a set of four clears the pile, even out of turn."""

from collections.abc import Mapping
from typing import Any

from games.rules.shedding.state import Cards, State
from games.rules.shedding.variant import (
    AGAIN,
    PLAIN,
    SEVEN_OR_LOWER,
    STALEMATE,
    Opening,
    Outcome,
    ToBeat,
    Variant,
    first_with_lowest,
    in_a_row,
    play_until,
    top_or_higher,
)

ORDER = "3456789TJQKA2"


def opening(state: State) -> Opening:
    """CA2: every seat that holds the lowest rank may open with it; the first play to arrive does."""
    rank = first_with_lowest(state, ORDER).rank
    holders = [seat for seat in state.in_play if any(card[0] == rank for card in state.players[seat].hand)]
    return Opening(holders, rank)


def to_beat(pile: Cards, laid_on_empty: int, options: Mapping[str, Any]) -> ToBeat | None:
    """CA3, CA5: the top card's rank or higher; on a 7, 7 or lower."""
    beat = top_or_higher(pile)
    return SEVEN_OR_LOWER if beat and beat.rank == "7" else beat


def outcome(pile: Cards, played: int, options: Mapping[str, Any]) -> Outcome:
    """CA4, CA6, CA9: a 10 or a set of four closes the pile; a set not played all at once gives a bonus play."""
    rank = pile[-1][0]
    reversals = played if rank == "J" else 0
    if rank == "T":
        return Outcome(closes="ten")
    if in_a_row(pile) >= 4:
        return Outcome(closes="set_of_four", bonus="may" if played < 4 else None, reversals=reversals)
    if reversals:
        return Outcome(reversals=reversals)
    return AGAIN if rank == "2" else PLAIN


CASTLE = Variant(
    name="castle",
    title="Castle",
    summary="Shed all your cards. Jacks reverse the direction; a set of four clears the pile, even out of turn.",
    min_seats=2,
    max_seats=5,
    options=(STALEMATE, play_until("first_out")),
    jokers=False,
    decks=lambda seats, options: 1,
    opening=opening,
    to_beat=to_beat,
    outcome=outcome,
    wild=lambda options, beat: "2T",
    order=ORDER,
    pace=(76, 11),
    plan_keeps="2T",
    plans_small_hands=True,
    failed_flip_returns=True,
    draws="gamble",
    interrupts=True,
)
