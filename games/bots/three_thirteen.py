"""The steady player of Three Thirteen: draws and discards for the least expected penalty, goes out as soon as it can.

A hand costs what its best lay-out leaves over (`lay_out`, exact), less a part of each card left that may still find its
way into a meld. Once somebody has gone out there is no later: then only the penalty itself counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Any

from games.bots.listing import Listed, Move
from games.bots.seat import own_player
from games.rules.cards import PLAIN_DECK
from games.rules.three_thirteen import lay_out

ORDER = "A23456789TJQK"
HOPE = (0.0, 0.3, 0.45)
"""The part of a left card's penalty that is forgiven for none, one, and two or more partners."""
WILD = 8.0
"""What a wild card is worth beyond what it costs: it fits everywhere, next turn if not now."""
OUT = 12.0
"""What it is worth to have everything melded after the discard: the others get one turn more, and no other."""
TRIED = 8
"""How many unseen cards are tried out to judge a draw from the stock."""


def choose(view: Mapping[str, Any], legal: Sequence[Listed], chance: Random) -> Move:
    """The move of least expected cost."""
    hand = list(own_player(view)["hand"])
    going_out = [listed for listed in legal if listed["move"] == "go_out"]
    if going_out:
        return dict(max(going_out, key=lambda listed: _points(view, listed["discard"])))
    if legal[0]["move"] == "draw":
        costs = {listed["from"]: _draw_cost(view, hand, listed["from"], chance) for listed in legal}
        return {"move": "draw", "from": min(sorted(costs, reverse=True), key=costs.__getitem__)}  # of equals the stock
    return dict(
        min(legal, key=lambda listed: (_cost(view, _less(hand, listed["card"])), -_points(view, listed["card"])))
    )


def _draw_cost(view: Mapping[str, Any], hand: list[str], source: str, chance: Random) -> float:
    """What the hand is expected to cost after the draw and the best discard."""
    if source == "discard":
        return _exchanged(view, hand, view["discard_top"])
    # A card from the stock can be thrown away at once, so it never costs more than the hand as it is. With that, a card
    # from the discard pile is taken only where it makes the hand better: bots among themselves do not pass one round.
    as_it_is = _cost(view, hand)
    unseen = _unseen(view, hand)
    tried = chance.sample(unseen, min(TRIED, len(unseen)))
    costs = [min(as_it_is, _exchanged(view, hand, card)) for card in tried]
    return min(as_it_is, fmean(costs)) if costs else as_it_is


def _exchanged(view: Mapping[str, Any], hand: list[str], drawn: str) -> float:
    """The cost of the hand with that card for the one that it can best do without."""
    return min(_cost(view, [*_less(hand, card), drawn]) for card in set(hand))


def _cost(view: Mapping[str, Any], hand: list[str]) -> float:
    """What a hand costs as it is, less what it may still become."""
    wild = view["wild"]
    laid = lay_out(hand, wild=wild, ace_points=view["options"]["ace_points"])
    if view["went_out"] is not None:
        return float(laid.penalty)
    wilds: int = sum(card[0] == wild for card in hand)
    left = [card for card in laid.left if card[0] != wild]
    hope = sum(_points(view, card) * _hope(card, left) for card in left)
    return laid.penalty - hope - WILD * wilds - (0.0 if laid.penalty else OUT)


def _hope(card: str, left: list[str]) -> float:
    """The part of a left card's penalty that may yet be spared."""
    return HOPE[min(2, _partners(card, left))]


def _partners(card: str, others: Iterable[str]) -> int:
    """How many of the cards need one more to make a meld with this one."""
    count = -1  # itself
    for other in others:
        near = card[1] == other[1] and 0 < abs(ORDER.index(card[0]) - ORDER.index(other[0])) <= 2
        count += card[0] == other[0] or near
    return count


def _points(view: Mapping[str, Any], card: str) -> int:
    """The penalty points of a card."""
    if card[0] == "A":
        return int(view["options"]["ace_points"])
    return min(10, ORDER.index(card[0]) + 1)


def _unseen(view: Mapping[str, Any], hand: Sequence[str]) -> list[str]:
    """All cards of the round that are neither in the hand nor on top of the discard pile."""
    there = Counter(dict.fromkeys(PLAIN_DECK, view["options"]["decks"]))
    seen = Counter(hand) + Counter([view["discard_top"]] if view["discard_top"] else [])
    return list((there - seen).elements())


def _less(hand: list[str], card: str) -> list[str]:
    """The hand without one copy of the card."""
    left = list(hand)
    left.remove(card)
    return left
