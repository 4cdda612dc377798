"""Threes: equal or higher, but 7 or lower on a 7; 8s are invisible; 10s, jokers and four in a row close the pile."""

from collections.abc import Mapping
from typing import Any

from games.rules.cards import JOKER, MAX_DECKS
from games.rules.options import option
from games.rules.shedding.state import Cards, State
from games.rules.shedding.variant import (
    AT_LEAST,
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
)

ORDER = "3456789TJQKA2X"
INVISIBLE = "8"
ANYTHING_GOES = "2" + JOKER
DECKS = (
    "How many decks, each with two jokers. The default is 1 for two players, 2 for three to six, "
    "and one more for every three players above that."
)


def default_decks(seats: int) -> int:
    """TH1: 1 for two players, 2 for three to six, then one more for every three players begun."""
    if seats == 2:
        return 1
    return 2 if seats <= 6 else 2 - (-(seats - 6) // 3)


def opening(state: State) -> Opening:
    """TH2: the first seat with the lowest rank in its hand opens, with any card."""
    return Opening(first_with_lowest(state, ORDER).seats)


def wild(options: Mapping[str, Any], beat: ToBeat | None) -> str:
    """TH3, TH11, TH12: 2, 8 and joker, and the 10 if an option says so, perhaps not while a 7 asks for lower."""
    is_ten_bound = options["ten_obeys_seven"] and beat is not None and beat.lower
    return "28XT" if options["ten_wild"] and not is_ten_bound else "28X"


def to_beat(pile: Cards, laid_on_empty: int, options: Mapping[str, Any]) -> ToBeat | None:
    """TH3-TH5: the value below any 8s, or 7 or lower. With `eight_plain_on_empty` the lowest 8 counts as an 8.

    TH12: with `powerless_on_empty` a card played on the empty pile has its plain value, and a joker has none.
    """
    powerless = laid_on_empty if options["powerless_on_empty"] else 0
    for index in range(len(pile) - 1, -1, -1):
        rank, has_power = pile[index][0], index >= powerless
        if rank == "7" and has_power:
            return SEVEN_OR_LOWER
        if rank != INVISIBLE or not has_power:
            return None if rank in ANYTHING_GOES else AT_LEAST[rank]
    return AT_LEAST[INVISIBLE] if pile and options["eight_plain_on_empty"] else None


def outcome(pile: Cards, played: int, options: Mapping[str, Any]) -> Outcome:
    """TH6-TH8: a 10, a joker, four of a value (skipping 8s) or four 8s close the pile; the player must play again.

    TH12: with `powerless_on_empty` a 10 or a joker played on the empty pile does not close it.
    """
    rank, has_power = pile[-1][0], len(pile) > played or not options["powerless_on_empty"]
    if rank == "T" and has_power:
        return Outcome(closes="ten", bonus="must")
    if rank == JOKER and has_power:
        return Outcome(closes="joker", bonus="must")
    if in_a_row(pile, skipping="" if rank == INVISIBLE else INVISIBLE) >= 4:
        return Outcome(closes="four_in_a_row", bonus="must")
    return PLAIN


THREES = Variant(
    name="threes",
    title="Threes",
    summary="Shed all your cards: play equal or higher, or lower on a 7. 8s are invisible; 10s, jokers and four of "
    "a kind clear the pile.",
    min_seats=2,
    max_seats=32,
    rulesets={
        "2023": "The rules of the 2023 tournament: 10s are not wild, and the last hand cards are played on their own.",
        "2022": "As played in 2022: 10s are wild, the last hand cards may be played together with face-up cards, "
        "and an 8 on an empty pile is an ordinary 8.",
    },
    ruleset_defaults={"2022": {"merge_last_hand": True, "eight_plain_on_empty": True, "ten_wild": True}},
    options=(
        STALEMATE,
        play_until("last_left"),
        option("decks", None, DECKS, least=1, most=MAX_DECKS),
        option(
            "merge_last_hand",
            False,
            "The last hand cards may be played together with face-up cards of their rank.",
        ),
        option("eight_plain_on_empty", False, "An 8 played on an empty pile is an ordinary 8."),
        option("ten_wild", False, "A 10 can be played on anything."),
        option("ten_obeys_seven", False, "With ten_wild: a 10 cannot be played while a 7 asks for 7 or lower."),
        option(
            "powerless_on_empty",
            False,
            "Cards played on an empty pile have no power, only their plain value: a 10 or joker does not close the "
            "pile, an 8 is an ordinary 8, a 7 asks for 7 or higher, and anything can be played on a joker.",
        ),
    ),
    seat_defaults=lambda seats: {"decks": default_decks(seats)},
    jokers=True,
    decks=lambda seats, options: int(options["decks"]),
    opening=opening,
    to_beat=to_beat,
    outcome=outcome,
    wild=wild,
    order=ORDER,
    any_card_opens=True,
    pace=(166, 22),
    plan_keeps="82XT",
    deals_face_up=True,
    refills="play",
    merges=lambda options: bool(options["merge_last_hand"]),
    after_pick_up="must",
    hand_first="Face-up cards are played once your hand and the stock are empty: the last cards of your hand cannot be "
    "played together with them (TH9).",
)
