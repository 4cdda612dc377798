"""The vocabulary of plans in Three Thirteen."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from games.rules import planning
from games.rules.cards import JOKER, RANKS, without
from games.rules.planning import CARD, YES_OR_NO, Attempt, Condition, Form, Move, Position, is_so
from games.rules.three_thirteen.lay_out import lay_out
from games.rules.three_thirteen.lay_out.runs import PLACES, place_points
from games.rules.three_thirteen.state import DRAW, State

WILD = "wild"
LONGEST = 5
"""A longer meld is two melds, so that no longer one has to be tried."""


def best_discard(position: Position) -> str:
    """Return the discard that leaves the least penalty.

    Of several the dearest card, then the highest rank, then spades before hearts, diamonds and clubs. A wild card only
    where all cards are wild.
    """
    state: State = position.state
    hand = state.hands[position.seat]
    codes = [card for card in dict.fromkeys(hand) if card[0] != state.wild] or list(dict.fromkeys(hand))
    return min(
        codes,
        key=lambda card: (
            _penalty(state, without(hand, [card])),
            -_points(state, card),
            -RANKS.index(card[0]),
            planning.SUIT_ORDER[card],
        ),
    )


def chosen_discard(position: Position, _: Mapping[str, Any]) -> Move | None:
    if not position.state.hands[position.seat]:
        return None
    return {"move": "discard", "card": best_discard(position)}


def going_out(position: Position, _: Mapping[str, Any]) -> Move | None:
    if not any(entry["move"] == "go_out" for entry in position.legal):
        return None
    # If any discard leaves everything melded, the best one does.
    return {"move": "go_out", "discard": best_discard(position)}


FORMS = (
    Form("draw", "Draw from the stock, or the top discard.", {"from": planning.words("stock", "discard")}),
    Form(
        "discard",
        "Discard what leaves the least penalty. If several cards do, the most expensive goes first, and a wild card "
        "only as a last resort.",
        {"choose": planning.only("best")},
        chosen_discard,
    ),
    Form("discard", "Discard this card.", {"card": CARD}, cards=lambda wanted: [wanted["card"]]),
    Form("go_out", "Go out, with the best discard.", {}, going_out),
    Form(
        "go_out",
        "Go out with this discard.",
        {
            "discard": CARD,
            "melds": {"type": "array", "items": planning.cards(), "title": "a list of lists of cards"},
        },
        cards=lambda wanted: [wanted["discard"], *(card for meld in wanted.get("melds", ()) for card in meld)],
        optional=frozenset({"melds"}),
    ),
)


def held(state: State, seat: int) -> Sequence[str]:
    return state.hands[seat]


def is_top(attempt: Attempt, wanted: Sequence[str]) -> bool:
    top = _top(attempt.position)
    if top is None:
        return False
    return top in wanted or top[0] in wanted or (WILD in wanted and top[0] == attempt.position.state.wild)


def top_helps(attempt: Attempt, wanted: bool | int) -> bool:
    """Return whether the top discard makes the hand cheaper, by this many points at least, with the best discard."""
    gain = _gain(attempt.position)
    return (gain > 0) is wanted if isinstance(wanted, bool) else gain >= wanted


def as_in_turn(state: State, seat: int) -> State:
    return state._replace(turn=seat, step=DRAW)


def _top(position: Position) -> str | None:
    state = position.state
    return state.discards[-1] if state.step == DRAW and state.discards else None


def _gain(position: Position) -> int:
    """Return by how many points the top discard makes the hand cheaper: 0 or less if it does not."""
    top = _top(position)
    if top is None:
        return 0
    state, hand = position.state, position.state.hands[position.seat]
    with_top = (*hand, top)
    least = min(_penalty(state, without(with_top, [card])) for card in dict.fromkeys(with_top))
    return _penalty(state, hand) - least


def _melds(position: Position) -> bool:
    """Return whether the top discard is in a meld of some lay-out of least penalty, of the hand together with it."""
    top = _top(position)
    if top is None:
        return False
    state, hand = position.state, position.state.hands[position.seat]
    found = lay_out((*hand, top), wild=state.wild, ace_points=state.options["ace_points"])
    if any(top in meld for meld in found.melds):
        return True
    if top[0] == state.wild:
        return False  # a wild card is left over only if nothing at all is melded
    # Another lay-out may cost as little and meld it.
    return any(_penalty(state, without(hand, others)) == found.penalty for others in _companions(state, hand, top))


def _companions(state: State, hand: Sequence[str], top: str) -> Iterator[Sequence[str]]:
    """Yield the cards of the hand that make a meld together with `top`, which is not wild."""
    wilds = [card for card in hand if card[0] == state.wild]
    same = [card for card in hand if card[0] == top[0]]
    for size in range(2, LONGEST):
        for naturals in range(size + 1):
            if naturals <= len(same) and size - naturals <= len(wilds):
                for chosen in combinations(same, naturals):
                    yield (*chosen, *wilds[: size - naturals])
    place = PLACES.index(top[0])
    for size in range(3, LONGEST + 1):
        for first in range(max(0, place - size + 1), min(place, len(PLACES) - size) + 1):
            codes = [PLACES[at] + top[1] for at in range(first, first + size) if at != place]
            usable = [code in hand and code[0] != state.wild for code in codes]
            for naturals_used in product(*((False, True) if there else (False,) for there in usable)):
                own = [code for code, used in zip(codes, naturals_used, strict=True) if used]
                if len(codes) - len(own) <= len(wilds):
                    yield (*own, *wilds[: len(codes) - len(own)])


def _penalty(state: State, hand: Sequence[str]) -> int:
    return lay_out(hand, wild=state.wild, ace_points=state.options["ace_points"]).penalty


def _points(state: State, card: str) -> int:
    return place_points(state.options["ace_points"])[PLACES.index(card[0])]


CONDITIONS = (
    Condition(
        "top",
        'The top discard is one of these cards, or has one of these ranks; "wild" stands for the wild rank. False '
        "after drawing.",
        {
            "type": "array",
            "items": {
                "type": "string",
                "enum": [*RANKS, JOKER, *CARD["enum"], WILD],
                "title": 'a rank, a card or "wild"',
            },
            "title": 'a list of ranks, cards or "wild"',
        },
        is_top,
    ),
    Condition(
        "top_helps",
        "If you took the top discard and made the best discard, your least penalty would be lower than now, or lower "
        "by this many points. False after drawing.",
        {"anyOf": [YES_OR_NO, {"type": "integer", "minimum": 1}], "title": "true, false or a number of points"},
        top_helps,
    ),
    Condition(
        "top_melds",
        "The top discard would be in a meld if your hand were laid out with it at the least penalty. "
        "False after drawing.",
        YES_OR_NO,
        is_so(_melds),
    ),
)
