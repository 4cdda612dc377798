"""The steady player of Three Thirteen: draws and discards for the least expected penalty, goes out as soon as it can.

A hand costs what its best lay-out leaves over (`lay_out`, exact), less what the cards left over may still save: their
points times the chance that a card which completes a meld with them arrives before the round ends. Rounds with few
cards end soon, so there is little hope there. After somebody went out only the penalty counts.

The work is bounded by a count: a decision lays out at most MOST_LAID hands.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from statistics import fmean
from typing import Any

from games.bots.listing import Listed, Move, own_player
from games.rules.cards import PLAIN_DECK, SUITS, without
from games.rules.three_thirteen.lay_out import LayOut, lay_out

ORDER = "A23456789TJQK"
TURNS = 0.5
TURNS_PER_CARD = 0.2
"""The number of one's own turns to expect in a round: the first number, and the second for each card dealt."""
MOST_HOPE = 0.8
WILD = 8.0
"""The value of a wild card beyond what it saves now: it fits everywhere, next turn if not now."""
OUT = 12.0
"""The value of having everything melded after the discard: the others get one turn more, and no other."""
TRIED = 8
"""The number of unseen cards that are tried out to judge a draw from the stock."""
TRIED_DISCARDS = 4
"""The number of discards that are tried if the best lay-out leaves no card over."""
MOST_LAID = 1 + (TRIED + 1) * (1 + TRIED_DISCARDS)
"""The most hands that are laid out for one decision: as it is, then with each card that may be drawn."""


def choose(view: Mapping[str, Any], legal: Sequence[Listed], chance: Random) -> Move:
    """Return the move of least expected cost. It needs to know nothing of what went before: rounds end (TT13)."""
    judge = Judge(view)
    hand = list(own_player(view)["hand"])
    going_out = [listed for listed in legal if listed["move"] == "go_out"]
    if going_out:
        return dict(max(going_out, key=lambda listed: judge.points(listed["discard"])))
    if len(legal) == 1:
        return dict(legal[0])
    if legal[0]["move"] == "discard":
        return {"move": "discard", "card": judge.best_discard(hand)[1]}
    from_discards = judge.best_discard([*hand, view["discard_top"]])[0]
    # Of equals the stock. And what the stock may bring never counts as worse than the hand as it is, since it can be
    # thrown away at once. So a discard is taken only if it helps, and bots among themselves do not pass one round.
    source = "discard" if from_discards < judge.after_stock(hand, chance) else "stock"
    return {"move": "draw", "from": source}


@dataclass(frozen=True)
class Judge:
    view: Mapping[str, Any]

    @cached_property
    def unseen(self) -> Counter[str]:
        """The cards of the round that are neither in the hand nor on top of the discard pile."""
        there = Counter(dict.fromkeys(PLAIN_DECK, self.view["options"]["decks"]))
        top = self.view["discard_top"]
        return there - Counter([*own_player(self.view)["hand"], *([top] if top else [])])

    @cached_property
    def unseen_total(self) -> int:
        return self.unseen.total()

    @cached_property
    def turns_left(self) -> float:
        return TURNS + TURNS_PER_CARD * float(self.view["round"] + 2)

    def points(self, card: str) -> int:
        if card[0] == "A":
            return int(self.view["options"]["ace_points"])
        return min(10, ORDER.index(card[0]) + 1)

    def after_stock(self, hand: list[str], chance: Random) -> float:
        """Return what the hand is expected to cost after a draw from the stock and the best discard."""
        as_it_is = self.cost(hand, self._lay_out(hand))
        unseen = sorted(self.unseen.elements())
        tried = chance.sample(unseen, min(TRIED, len(unseen)))
        costs = [min(as_it_is, self.best_discard([*hand, card])[0]) for card in tried]
        return fmean(costs) if costs else as_it_is

    def best_discard(self, hand: list[str]) -> tuple[float, str]:
        """Return what the hand costs after the best discard, and this discard; of equals the dearest card."""
        laid = self._lay_out(hand)
        spare = dict.fromkeys(card for card in laid.left if card[0] != self.view["wild"])
        if spare:
            costs = {card: self.cost(without(hand, [card]), self._less(laid, card)) for card in spare}
        else:
            dearest = sorted(dict.fromkeys(hand), key=lambda card: (card[0] == self.view["wild"], -self.points(card)))
            rests = {card: list(without(hand, [card])) for card in dearest[:TRIED_DISCARDS]}
            costs = {card: self.cost(rest, self._lay_out(rest)) for card, rest in rests.items()}
        best = min(costs, key=lambda card: (costs[card], -self.points(card)))
        return costs[best], best

    def cost(self, hand: Sequence[str], laid: LayOut) -> float:
        """Return what a hand costs as it is laid out, less what it may still become."""
        if self.view["went_out"] is not None:
            return float(laid.penalty)
        wild = self.view["wild"]
        left = [card for card in laid.left if card[0] != wild]
        hope: float = sum(self.points(card) * self._chance_to_meld(card, left) for card in left)
        wilds: int = sum(card[0] == wild for card in hand)
        going_out = 0.0 if laid.penalty else OUT
        return laid.penalty - hope - WILD * wilds - going_out

    def _chance_to_meld(self, card: str, left: Sequence[str]) -> float:
        """Return the chance that a card left over finds its way into a meld with another before the round ends."""
        completing = _completing(card, left)
        if not completing or not self.unseen_total:
            return 0.0
        completing |= {self.view["wild"] + suit for suit in SUITS}
        each_turn = min(1.0, sum([self.unseen[other] for other in completing]) / self.unseen_total)
        missing: float = (1.0 - each_turn) ** self.turns_left
        return min(MOST_HOPE, 1.0 - missing)

    def _less(self, laid: LayOut, card: str) -> LayOut:
        return LayOut(laid.penalty - self.points(card), laid.melds, list(without(laid.left, [card])))

    def _lay_out(self, hand: Sequence[str]) -> LayOut:
        return lay_out(hand, wild=self.view["wild"], ace_points=self.view["options"]["ace_points"])


def _completing(card: str, left: Sequence[str]) -> set[str]:
    """Return the natural cards that complete a meld with this card and another one of those left over."""
    found: set[str] = set()
    others = list(without(left, [card]))
    place = ORDER.index(card[0])
    for other in others:
        there = ORDER.index(other[0])
        if there == place:
            found.update(card[0] + suit for suit in SUITS)
        elif other[1] == card[1] and abs(there - place) <= 2:
            low, high = sorted((place, there))
            wanted = [low + 1] if high - low == 2 else [low - 1, high + 1]
            found.update(ORDER[at] + card[1] for at in wanted if 0 <= at < len(ORDER))
    return found
