"""A position as numbers, by name: what the value network reads. All are between 0 and 1."""

from collections.abc import Iterator
from functools import cache, partial

from games.bots.shedding.forecast import AHEAD, Forecast, Other, chance_to_fail, chance_to_go
from games.bots.shedding.position import HAND, Position
from games.bots.shedding.table import KnownTable
from games.rules.shedding.rules import ALL_RANKS, in_a_row

Feature = tuple[str, float]

OPPONENTS = 4
"""The number of opponents that are described one by one: those who have the next turns."""
IN_A_DECK = 4
"""The number of cards of a rank in a deck; of jokers, half as many."""
MOST_EQUAL = 4
MOST_CARDS = 30
MOST_HAND = 15
MOST_PILE = 20
MOST_STOCK = 40
MOST_UNSEEN = 80
"""Larger numbers of cards than these make no further difference."""


def share(count: int, most: int) -> float:
    return min(count, most) / most


class Features:
    def __init__(self, table: KnownTable) -> None:
        self.table = table
        self._forecast = cache(partial(Forecast, table))

    def of_table(self, direction: int) -> Iterator[Feature]:
        """Yield what is the same in every position of the decision: the others, and the cards nobody has seen."""
        table = self.table
        yield "unseen cards", share(table.unseen_total, MOST_UNSEEN)
        for rank, left in table.unseen.items():
            yield f"unseen {rank}", left / (IN_A_DECK * table.decks)
        for rank in sorted(table.seen_face_down):
            yield f"seen face down {rank}", 1.0
        others = self._forecast(direction).others
        yield "opponents", share(len(others), AHEAD)
        for number, other in enumerate(others[:OPPONENTS], start=1):
            yield f"opponent {number}", 1.0
            if not table.is_setup:
                for name, value in self._of_other(other):
                    yield f"opponent {number}: {name}", value
        if table.is_setup:
            yield "setup", 1.0

    def _of_other(self, other: Other) -> Iterator[Feature]:
        opponent = other.opponent
        yield "cards", share(opponent.cards, MOST_CARDS)
        yield "near the end", 1.0 / max(1, opponent.cards)
        yield "hand", share(opponent.hand_count, MOST_HAND)
        if opponent.hand_count <= HAND:
            yield f"hand of {opponent.hand_count}", 1.0
        if opponent.face_down:
            yield f"{len(opponent.face_down)} face down", 1.0
        for rank in sorted(set(opponent.face_up)):
            yield f"face up {rank}", share(opponent.face_up.count(rank), HAND)
        hand = opponent.hand
        yield "unknown", share(len(hand.cannot), HAND)
        for rank, chance in other.maybe.items():
            yield f"maybe {rank}", chance
        for rank in ALL_RANKS:
            if known := hand.known.count(rank):
                yield f"known {rank}", 1.0
                yield f"known {rank}: more", share(known - 1, HAND)

    def of_position(self, position: Position) -> Iterator[Feature]:
        """Yield what the seat has, what lies on the table, and what is likely to happen until its next turn."""
        yield from self._of_cards(position)
        yield from self._of_counts(position)
        if self.table.is_setup:
            yield "to beat anything", 1.0
        else:
            yield from self._of_pile(position)
            yield from self._of_next_turn(position)

    def _of_cards(self, position: Position) -> Iterator[Feature]:
        hand, face_up = position.hand, position.face_up
        for rank in ALL_RANKS:
            for number in range(1, min(hand.count(rank), MOST_EQUAL) + 1):
                yield f"hand {rank} {number}", 1.0
            if held := face_up.count(rank):
                yield f"face up {rank}", 1.0
                if held > 1:
                    yield f"face up {rank}: more", share(held - 1, HAND - 1)
        for number in range(1, position.drawn + 1):
            yield f"drawn {number}", 1.0
        for number in range(1, position.face_down + 1):
            yield f"face down {number}", 1.0

    def _of_counts(self, position: Position) -> Iterator[Feature]:
        yield "near the end", 1.0 / max(1, position.cards)
        if position.in_hand:
            in_hand = min(position.in_hand, MOST_CARDS)
            yield "hand", in_hand / MOST_CARDS
            yield "hand: any", 1.0
            yield "hand: small", 1.0 / position.in_hand
            if in_hand > HAND:
                yield "hand: surplus", (in_hand - HAND) / (MOST_CARDS - HAND)
        if position.stock:
            yield "stock", share(position.stock, MOST_STOCK)
            for most in (HAND, 3 * HAND):
                if position.stock <= most:
                    yield f"stock: {most} at most", 1.0

    def _of_pile(self, position: Position) -> Iterator[Feature]:
        pile, rules = position.pile, self.table.rules
        beat = rules.to_beat(pile, position.laid_on_empty)
        yield ("to beat anything" if beat is None else f"to beat {beat.rank}"), 1.0
        if not pile:
            return
        yield "pile", share(len(pile), MOST_PILE)
        for rank in ALL_RANKS:
            if rank in pile:
                yield f"pile {rank}", share(pile.count(rank), MOST_EQUAL)
        yield "pile: equal on top", share(in_a_row(pile), 3)
        top = pile[-1]
        if held := position.active.count(top):
            yield "pile: equal held", share(held, 3)
            if rules.outcome((*pile, *(top * held)), held).closes:
                yield "pile: can be closed", 1.0

    def _of_next_turn(self, position: Position) -> Iterator[Feature]:
        forecast = self._forecast(position.direction)
        ahead = forecast.round_from(self.table.rules.to_beat(position.pile, position.laid_on_empty))
        pile = share(len(position.pile), MOST_PILE)
        yield "pile: stays", ahead.stays
        for rank in ALL_RANKS:
            if rank in position.active:
                yield f"goes next turn {rank}", chance_to_go(self.table, rank, ahead.asked.items())
        stuck = chance_to_fail(self.table, position.active, position.drawn, ahead.asked.items())
        if stuck:
            yield "stuck", stuck
            yield "stuck: pile", stuck * ahead.stays * pile
        if position.is_one_play:
            yield "wins next turn", 1.0 - stuck
        for number, (other, fails) in enumerate(zip(forecast.others, ahead.stuck, strict=True), start=1):
            if fails and number <= OPPONENTS:
                yield f"opponent {number}: stuck", fails
                yield f"opponent {number}: stuck near the end", fails / max(1, other.opponent.cards)
                yield f"opponent {number}: stuck, pile", fails * pile
