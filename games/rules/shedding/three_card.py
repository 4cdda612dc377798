"""Three Card: equal or higher; 2s and 10s can be played on anything, and then you may play again."""

from collections.abc import Mapping
from typing import Any

from games.rules.options import Option
from games.rules.shedding.state import Cards, State
from games.rules.shedding.variant import (
    AGAIN,
    PLAIN,
    STALEMATE,
    Opening,
    Outcome,
    Variant,
    first_with_lowest,
    in_a_row,
    play_until,
    top_or_higher,
)


def opening(state: State) -> Opening:
    """TC3: the lowest rank in any hand opens, and is played first; 2s and 10s come last in the search."""
    return first_with_lowest(state, "3456789JQKA2T")


def outcome(pile: Cards, played: int, options: Mapping[str, Any]) -> Outcome:
    """TC5: a 10 or four in a row closes the pile; after these and after a 2 the player may play again."""
    rank = pile[-1][0]
    if rank == "T":
        return Outcome(closes="ten", bonus="may")
    if in_a_row(pile) >= 4:
        return Outcome(closes="four_in_a_row", bonus="may")
    return AGAIN if rank == "2" else PLAIN


THREE_CARD = Variant(
    name="three_card",
    title="Three Card",
    summary="Shed all your cards: play equal or higher, or a 2 or a 10 on anything, and play again.",
    min_seats=2,
    max_seats=32,
    options=(
        STALEMATE,
        play_until("first_out"),
        Option("direction", "left", "The direction of play.", choices=("left", "right")),
    ),
    jokers=False,
    decks=lambda seats, options: -(-seats // 4),
    opening=opening,
    to_beat=lambda pile, options: top_or_higher(pile),
    outcome=outcome,
    wild=lambda options: "2T",
    direction=lambda options: 1 if options["direction"] == "left" else -1,
    face_up_joins_hand=True,
    draws="fill",
)
