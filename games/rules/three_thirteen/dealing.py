"""Dealing a round, scoring it, and the places at the end."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules import cards
from games.rules.game import Event, Shuffle
from games.rules.three_thirteen.lay_out import lay_out
from games.rules.three_thirteen.state import (
    ABSENT_POINTS,
    State,
    clockwise_after,
    hand_size,
    wild_rank,
)


def first_deal(seats: int, ruleset: str, options: Mapping[str, Any], dealer: int, shuffle: Shuffle) -> Event:
    """Return the first event of a game, which also has the ruleset, the options and the number of seats."""
    opened = {"ruleset": ruleset, "options": options, "seats": seats}
    deal = _deal([*clockwise_after(dealer, seats), dealer], seats, options["decks"], 1, shuffle)
    return {"type": "dealt", "seat": None, "data": opened | deal}


def next_deal(state: State, shuffle: Shuffle) -> Event:
    to_the_left = [*clockwise_after(state.dealer, state.seats), state.dealer]
    dealer, *others = (seat for seat in to_the_left if seat not in state.resigned)
    deal = _deal([*others, dealer], state.seats, state.options["decks"], state.round + 1, shuffle)
    return {"type": "dealt", "seat": None, "data": deal}


def _deal(served: list[int], seats: int, decks: int, round_number: int, shuffle: Shuffle) -> dict[str, Any]:
    """Deal one card at a time to the seats in the order given, the dealer last, then turn one up (TT1)."""
    order = list(shuffle(cards.decks(decks, jokers=0)))
    dealt = hand_size(round_number) * len(served)
    hands: list[list[str]] = [[] for _ in range(seats)]
    for nth, seat in enumerate(served):
        hands[seat] = order[nth : dealt : len(served)]
    return {
        "round": round_number,
        "wild": wild_rank(round_number),
        "dealer": served[-1],
        "hands": hands,
        "discard_top": order[dealt],
        "stock_count": len(order) - dealt - 1,
        "to_act": served[:1],
        "shuffle": order,
    }


def round_scored(state: State) -> Event:
    scores = [_score(state, seat) for seat in range(state.seats)]
    totals = [state.total(seat) + score["penalty"] for seat, score in enumerate(scores)]
    result = None
    if state.round == state.options["rounds"]:
        result = {"ended_by": "rounds", "placements": placements(state, state.resigned, totals)}
    data = {
        "round": state.round,
        "went_out": state.went_out,
        "scores": scores,
        "totals": totals,
        "result": result,
    }
    return {"type": "round_scored", "seat": None, "data": data}


def _score(state: State, seat: int) -> dict[str, Any]:
    melds: Sequence[Sequence[str]] = ()
    penalty, left = 0, list[str]()
    if seat == state.went_out:
        melds = state.laid
    elif seat in state.resigned:
        # TT12: its cards left with it.
        penalty = ABSENT_POINTS * hand_size(state.round)
    else:
        penalty, melds, left = lay_out(state.hands[seat], wild=state.wild, ace_points=state.options["ace_points"])
    melded = [list(meld) for meld in melds]
    return {"penalty": penalty, "melds": melded, "left": left, "went_out": seat == state.went_out}


def placements(state: State, resigned: Sequence[int], totals: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """Return the placements: lowest total first, equal totals as 1, 2, 2, 4 (TT9, S12), seats that resigned last (S11).

    `resigned` is in the order of leaving. `totals` defaults to those of the rounds scored so far.
    """
    if totals is None:
        totals = [state.total(seat) for seat in range(state.seats)]
    stayed = [totals[seat] for seat in range(state.seats) if seat not in resigned]
    lines = []
    for seat, score in enumerate(totals):
        last = state.seats - resigned.index(seat) if seat in resigned else None
        lines.append({"seat": seat, "place": last or 1 + sum(other < score for other in stayed), "score": score})
    return sorted(lines, key=lambda line: (line["place"], line["seat"]))
