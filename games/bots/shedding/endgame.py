"""The endgame: how soon a seat gets rid of its cards once the stock is out and others come only by picking up.

What the pile asks for in the seat's next turn depends on what it asks for now, by the chances of the forecast. So the
rest of the game is a Markov decision process whose states are the cards that are left and what the pile asks for. It is
solved backwards, from no cards to all of them, in one pass: a play leaves fewer cards, and after picking up the seat is
taken to hold the same cards again, at a price.
"""

from math import prod
from operator import mul
from typing import NamedTuple

from games.bots.shedding.forecast import Forecast
from games.bots.shedding.position import Position
from games.bots.shedding.table import KnownTable, other
from games.rules.cards import RANKS
from games.rules.shedding.rules import ALL_RANKS, ToBeat

MOST_LEFT = 256
"""A position with more possible remains than this is not solved."""
MOST_CARDS = 24
"""Nor is a position with more cards than this: each card that is played is one level of recursion."""
TURN = 0.9
"""Being out is worth 1, and each turn until then leaves this part of it."""
PICK_UP = 0.35
"""The part that picking up in a later turn leaves."""
FAILED_FLIP = 0.75
"""The same when a face-down card cannot be played."""
PICKED_UP = 0.9
"""The same for each card that is picked up in this turn."""
LEAST = 1e-6
"""The worth of cards that will never go, as far as one can see."""


def can_be_solved(position: Position) -> bool:
    if position.stock or position.cards > MOST_CARDS:
        return False
    return _remains(position.hand) + _remains(position.face_up) <= MOST_LEFT


def _remains(cards: str) -> int:
    return prod(cards.count(rank) + 1 for rank in set(cards))


class Endgame:
    def __init__(self, table: KnownTable, forecast: Forecast) -> None:
        self.table = table
        self.rules = table.rules
        self.beats = list(dict.fromkeys([None, *(self.rules.to_beat((rank,)) for rank in RANKS)]))
        self._forecast = forecast
        self._asked: dict[ToBeat | None, list[float]] = {}
        self._left: dict[Position, Left] = {}

    def worth(self, position: Position) -> float:
        """Return the worth of a position in which the others are to move, from LEAST to 1."""
        beat = self.rules.to_beat(position.pile, position.laid_on_empty)
        own = self.table.position
        if _has_only(position, own):
            worth = self.left(position).later(beat)
        else:
            worth = self.left(own).later(beat) * PICKED_UP ** max(0, position.cards - own.cards)
        return max(LEAST, worth)

    def left(self, position: Position) -> "Left":
        """Return what is left of the cards; the pile and the direction do not matter."""
        cards = position._replace(pile=(), laid_on_empty=0, direction=1)
        if cards not in self._left:
            self._left[cards] = Left(self, cards)
        return self._left[cards]

    def asked(self, beat: ToBeat | None) -> list[float]:
        """Return for each of `beats` the chance that it is asked for in the next turn if `beat` is asked for now."""
        if beat not in self._asked:
            asked = self._forecast.round_from(beat).asked
            self._asked[beat] = [asked.get(to, 0.0) for to in self.beats]
        return self._asked[beat]

    def play(self, cards: Position, rank: str, count: int) -> float:
        """Return the worth of having played cards, of which `cards` are left."""
        cards = cards.filled(self.rules)
        if cards.is_out:
            return 1.0
        left = self.left(cards)
        effect = self.rules.outcome((other(rank), *(rank * count)), count)
        if effect.bonus:
            return left.now
        return left.later(None if effect.closes else self.rules.to_beat((rank,)))


class Left:
    def __init__(self, endgame: Endgame, cards: Position) -> None:
        self._endgame = endgame
        turns = _flips(endgame, cards) if not cards.in_hand and not cards.face_up else _plays(endgame, cards)
        fresh = endgame.asked(None)
        ends = sum([chance * turn.worth for chance, turn in zip(fresh, turns, strict=True)])
        stays = sum([chance * turn.stays for chance, turn in zip(fresh, turns, strict=True)])
        picked_up = TURN * ends / (1.0 - TURN * stays)
        self._turns = [turn.worth + turn.stays * picked_up for turn in turns]
        self._later: dict[ToBeat | None, float] = {None: picked_up}
        self.now = max(picked_up, self._turns[0])
        """The worth with a bonus play on an empty pile or on a card that anything goes on."""

    def later(self, beat: ToBeat | None) -> float:
        if beat not in self._later:
            self._later[beat] = TURN * sum(map(mul, self._endgame.asked(beat), self._turns))
        return self._later[beat]


class Turn(NamedTuple):
    """One's own turn with a pile that asks for something."""

    worth: float
    """Its worth, as far as the seat gets rid of cards in it."""
    stays: float = 0.0
    """The part of the worth of an empty pile that it has otherwise: it picks up and its cards stay."""


def _plays(endgame: Endgame, cards: Position) -> list[Turn]:
    """Return, for each thing that the pile may ask for, the turn in which the best play is made."""
    active = cards.hand or cards.face_up
    plays = [
        (
            max([endgame.play(cards.without(rank, count), rank, count) for count in range(1, active.count(rank) + 1)]),
            rank,
        )
        for rank in ALL_RANKS
        if rank in active
    ]
    plays.sort(reverse=True)

    def turn(going: frozenset[str]) -> Turn:
        for worth, rank in plays:
            if rank in going:
                return Turn(worth)
        return Turn(0.0, PICK_UP)

    return [turn(endgame.rules.going(beat)) for beat in endgame.beats]


def _flips(endgame: Endgame, cards: Position) -> list[Turn]:
    """Return, for each thing that the pile may ask for, a turn in which a face-down card is flipped."""
    table = endgame.table
    left = cards._replace(face_down=cards.face_down - 1)
    worths = {rank: endgame.play(left, rank, 1) * count / table.unseen_total for rank, count in table.unseen.items()}
    returns = endgame.rules.failed_flip_returns

    def turn(beat: ToBeat | None) -> Turn:
        going = endgame.rules.going(beat)
        worth = sum([worth for rank, worth in worths.items() if rank in going])
        fails = FAILED_FLIP * (1.0 - table.chance(beat))
        if returns or left.is_out:
            return Turn(worth, fails)
        return Turn(worth + fails * endgame.left(left).later(None))

    return [turn(beat) for beat in endgame.beats]


def _has_only(position: Position, own: Position) -> bool:
    """Return whether a position has no card but the seat's own, some of them played: nothing was picked up."""
    if position.face_up == own.face_up:
        return _are_among(position.hand, own.hand)
    return _are_among(position.hand + position.face_up, own.face_up)


def _are_among(cards: str, more: str) -> bool:
    return all(cards.count(rank) <= more.count(rank) for rank in set(cards))
