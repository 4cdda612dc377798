"""Ratings of positions for a seat whose turn ends.

`Points` go by the cost of its cards and the others' prospects, in any game of the family. `Chances` are its chance to
win, as the game's networks estimate it: they were trained to take a little off for each turn that winning takes, so
that a bot that is sure to win does not take its time, and to count a stalemate (S13) as lost. `Yielding` is for a
seat that gives way, so that a game that stands still makes progress again (S13): two players that defend well can
make each other pick up the same cards for ever. So a seat that does not lead stops defending: it plays what lets the
others, and itself, go on, until hands are empty and cards leave the table.
"""

from collections.abc import Mapping
from functools import cache, lru_cache, partial
from math import log

from games.bots.shedding.endgame import Endgame, can_be_solved
from games.bots.shedding.features import Features
from games.bots.shedding.forecast import TOPS, Forecast, chance_to_fail
from games.bots.shedding.network import Networks
from games.bots.shedding.position import Position
from games.bots.shedding.table import KnownTable, other
from games.rules.shedding.rules import ALL_RANKS, Rules

OUT = 1000.0
"""The value of being out (S7)."""


class W:
    """The costs and values of things, in one currency: points. Being out is worth OUT.

    They were tuned by playing many thousands of games against random bots, all four shedding games with the same ones.
    """

    card = 5.4
    """A card in hand while the stock lasts: another will take its place."""
    last_card = 13.3
    """A card in hand once the stock is out: the first of its rank, which needs a turn to get rid of."""
    equal_card = 1.2
    """Each further card of that rank then: it goes along in the same play."""
    reach = 11.2
    """Credit for a card that goes on everything; less for others, by how often they can be played."""
    closes = 1.6
    """Credit for a card that closes the pile."""
    again = 4.2
    """Credit for a card that gives a bonus play."""
    takes = 6.25
    """Charge for a card that makes its player take the pile (TJ9)."""
    drawn = 2.05
    """An unknown card drawn from the stock."""
    surplus = 0.77
    """Each card beyond a full hand while the stock lasts."""
    face_up = 1.9
    """The weight of a face-up card compared with a card in hand."""
    face_down = 5.9
    """A face-down card."""
    escort = 4.5
    """Credit for a card that gives a bonus play and so gets rid of a face-down card in the same turn."""
    weak_face_up = 2.9
    """The chance that no face-up card goes on a pile."""
    stuck = 4.5
    """The chance of having to pick up in one's next turn, while the stock lasts."""
    stuck_late = 11.0
    """The same once the stock is out."""
    stuck_pile = 5.0
    """The same, for each card that is likely to lie there."""
    hinder = 0.85
    """Credit for each card that an opponent is likely to pick up."""
    hinder_any = 0.83
    """Credit for an opponent that is likely to pick up anything."""
    hinder_leader = 33.6
    """The same for an opponent with one card left; a fourth of it with two cards, and so on."""
    endgame = 30.0
    """The natural logarithm of what the cards are worth once the stock is out (`endgame`)."""
    setup_hand = 0.52
    """The weight of the hand's cost when face-up cards are chosen."""
    setup_face_up = 2.3
    """The weight of the face-up cards' cost then."""
    setup_weak = 1.1
    """The chance that no face-up card goes on a pile."""


EACH_FURTHER = 1.3
"""The number of cards that a pile grows by with each opponent that goes on."""


class Points:
    def __init__(self, table: KnownTable) -> None:
        self.table = table
        self.made = 0
        self._forecast = forecast = cache(partial(Forecast, table))
        self._endgame = cache(lambda direction: Endgame(table, forecast(direction)))
        self._is_endgame = can_be_solved(table.position)
        rules = table.rules
        self._cards = cards_cost(rules)
        weight = sum(often for _, often in TOPS)
        self._tops = [(rules.to_beat((rank,)), often / weight) for rank, often in TOPS]

    def of(self, position: Position) -> float:
        self.made += 1
        if self.table.is_setup:
            return self._of_setup(position)
        if position.is_out:
            return OUT
        if self._is_endgame:
            return self._others(position) + W.endgame * log(self._endgame(position.direction).worth(position))
        return self._others(position) - self._cost(position)

    def _of_setup(self, position: Position) -> float:
        return (
            W.escort * self._escorts(position.face_up)
            - W.setup_hand * self._cost_of_cards(position.hand, stock=True)
            - W.setup_face_up * self._cost_of_cards(position.face_up, stock=False)
            - W.setup_weak * self._weakness(position.face_up)
        )

    def _cost(self, position: Position) -> float:
        stock, full = position.stock > 0, self.table.rules.hand
        cost = self._cost_of_cards(position.hand, stock) + W.drawn * position.drawn
        if stock and position.in_hand > full:
            cost += W.surplus * (position.in_hand - full)
        cost += W.face_up * self._cost_of_cards(position.face_up, stock=False)
        if position.face_down:
            cost += W.face_down * position.face_down
            escorts = self._escorts(position.face_up if stock else position.face_up + position.hand)
            cost -= W.escort * min(escorts, position.face_down)
        if position.in_hand and position.face_up:
            cost += W.weak_face_up * self._weakness(position.face_up)
        return cost

    def _cost_of_cards(self, cards: str, stock: bool) -> float:
        first, further = self._cards[stock]
        # In the order of ranks: a sum in the order of a set would depend on the process.
        return sum([first[rank] + (cards.count(rank) - 1) * further[rank] for rank in ALL_RANKS if rank in cards])

    def _escorts(self, cards: str) -> int:
        return sum([cards.count(rank) for rank in self.table.rules.again])

    def _weakness(self, cards: str) -> float:
        return chance_to_fail(self.table, cards, 0, self._tops)

    def _others(self, position: Position) -> float:
        """Return what the others are likely to do for or against the seat until its next turn."""
        forecast = self._forecast(position.direction)
        beat = self.table.rules.to_beat(position.pile, position.laid_on_empty)
        ahead = forecast.round_from(beat)
        pile = len(position.pile)
        points = 0.0
        for number, (opponent, stuck) in enumerate(zip(forecast.opponents, ahead.stuck, strict=True)):
            taken = pile + EACH_FURTHER * number
            points += stuck * (W.hinder * taken + W.hinder_any + W.hinder_leader / max(1, opponent.cards) ** 2)
        stuck = chance_to_fail(self.table, position.active, position.drawn, ahead.asked.items())
        late = 0.0 if self._is_endgame else W.stuck if position.stock else W.stuck_late
        return points - stuck * (late + W.stuck_pile * ahead.stays * pile)


@lru_cache(maxsize=512)
def cards_cost(rules: Rules) -> dict[bool, tuple[Mapping[str, float], ...]]:
    """Return what a card of each rank costs, the first and a further one, by whether the stock lasts."""
    value = {rank: _value(rules, rank) for rank in ALL_RANKS}
    while_stock = {rank: W.card - value[rank] for rank in ALL_RANKS}
    late = {rank: W.last_card - value[rank] for rank in ALL_RANKS}
    return {True: (while_stock, while_stock), False: (late, dict.fromkeys(ALL_RANKS, W.equal_card))}


def _value(rules: Rules, rank: str) -> float:
    """Return how good it is to hold a card: on how much it goes, and what it does when it is played."""
    goes = sum(often for top, often in TOPS if rank in rules.going(rules.to_beat((top,))))
    value = W.reach * goes / sum(often for _, often in TOPS)
    effect = rules.outcome((other(rank), rank), 1)
    if effect.takes_below:
        return value - W.takes
    return value + (W.closes if effect.closes else 0.0) + (W.again if effect.bonus else 0.0)


class Chances:
    def __init__(self, table: KnownTable, networks: Networks) -> None:
        self.made = 0
        self._features = Features(table)
        self._networks = networks
        self._tables: dict[tuple[bool, int], int] = {}
        """The sums of the table's features, by whether there is a stock and by direction."""

    def of(self, position: Position) -> float:
        self.made += 1
        if position.is_out:
            return 1.0
        network = self._networks.stock if position.stock else self._networks.no_stock
        at = (position.stock > 0, position.direction)
        if at not in self._tables:
            self._tables[at] = network.add(network.bias, self._features.of_table(position.direction))
        return network.chance(network.add(self._tables[at], self._features.of_position(position)))


PROGRESS = 10.0
"""What progress counts for: more than any number of pick-ups that it may lead to."""
CARD = 1e-3
"""What a card fewer counts for, between positions that are otherwise equal."""


class Yielding:
    def __init__(self, table: KnownTable) -> None:
        self.made = 0
        self._table = table
        self._forecast = cache(partial(Forecast, table))
        self._on_table = table.position.on_table
        self._in_play = _in_play(table.position)

    def of(self, position: Position) -> float:
        self.made += 1
        rating = -CARD * position.cards
        if position.on_table < self._on_table:
            rating += PROGRESS
        if _in_play(position) < self._in_play:
            rating += PROGRESS
        ahead = self._forecast(position.direction).round_from(
            self._table.rules.to_beat(position.pile, position.laid_on_empty)
        )
        stuck = chance_to_fail(self._table, position.active, position.drawn, ahead.asked.items())
        return rating - sum(ahead.stuck) - stuck


def _in_play(position: Position) -> int:
    return position.cards + len(position.pile)
