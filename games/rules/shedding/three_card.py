"""Three Card: equal or higher; 2s and 10s can be played on anything, and then you may play again."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.events import Facts
from games.rules.options import option
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

ORDER = "3456789JQKA2T"


def opening(state: State) -> Opening:
    """TC3: the lowest rank in any hand opens, and is played first; 2s and 10s come last in the search."""
    return first_with_lowest(state, ORDER)


def outcome(pile: Cards, played: int, options: Mapping[str, Any]) -> Outcome:
    """TC5: a 10 or four in a row closes the pile; after these and after a 2 the player may play again."""
    rank = pile[-1][0]
    if rank == "T":
        return Outcome(closes="ten", bonus="may")
    if in_a_row(pile) >= 4:
        return Outcome(closes="four_in_a_row", bonus="may")
    return AGAIN if rank == "2" else PLAIN


CALLS = ("kerchoo", "number_of_the_beast", "lucky_number_of_the_beast", "exorcism", "on_the_train")
"""The players' names for things that happen in play, in the order in which an event names them (TC10)."""
LOW = "345678"
BEASTS = {"6": "number_of_the_beast", "7": "lucky_number_of_the_beast"}


def who_dealt(hands: Sequence[Sequence[str]]) -> list[int]:
    """TC10: the seats whose second stack of six cards has nothing but 3s to 8s."""
    return [seat for seat, hand in enumerate(hands) if all(card[0] in LOW for card in hand)]


def calls(state: State, effects: Sequence[Facts]) -> list[str]:
    """TC10: what players call the things that a move causes, in the order of the ruling."""
    found = []
    for effect in effects:
        match effect["effect"]:
            case "closed":
                found.append("kerchoo")
            case "laid":
                found += _calls_of_play(state.pile, effect["cards"])
            case "picked_up" if state.is_pile_of_turn_before and state.players[effect["seat"]].train:
                found.append("on_the_train")
    return sorted(found, key=CALLS.index)


def _calls_of_play(pile: Cards, played: Sequence[str]) -> list[str]:
    rank = played[0][0]
    lay = in_a_row(pile) if pile and pile[-1][0] == rank else 0
    if rank in BEASTS and lay + len(played) == 3:
        return [BEASTS[rank]]
    return ["exorcism"] if rank == "6" and lay == 3 else []


THREE_CARD = Variant(
    name="three_card",
    title="Three Card",
    summary="Shed all your cards: play equal or higher, or a 2 or a 10 on anything, and play again.",
    min_seats=2,
    max_seats=32,
    options=(
        STALEMATE,
        play_until("first_out"),
        option("direction", "left", "The direction of play.", words=("left", "right")),
    ),
    jokers=False,
    decks=lambda seats, options: -(-seats // 4),
    opening=opening,
    to_beat=lambda pile, laid_on_empty, options: top_or_higher(pile),
    outcome=outcome,
    wild=lambda options, beat: "2T",
    order=ORDER,
    pace=(58, 7),
    plan_keeps="2T",
    direction=lambda options: 1 if options["direction"] == "left" else -1,
    face_up_joins_hand=True,
    draws="fill",
    calls=calls,
    who_dealt=who_dealt,
)
