"""The state of Three Thirteen, which nobody changes."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

Cards = tuple[str, ...]
Scores = tuple[Mapping[str, Any], ...]
"""The scores of a round by seat, as `round_scored` has them."""

GAME: Final = "three_thirteen"
DRAW: Final = "draw"  # the two steps of a turn (TT3)
DISCARD: Final = "discard"
LAST_ROUND: Final = 11
ABSENT_POINTS: Final = 15  # for each card that a seat that resigned would have been dealt (TT12)
IDLE_TURNS: Final = 3  # for each seat in play: this many turns without a card from the stock end the round (TT13)
WILD_RANKS: Final = "3456789TJQK"  # round 1 first


def hand_size(round_number: int) -> int:
    return round_number + 2


def wild_rank(round_number: int) -> str:
    return WILD_RANKS[round_number - 1]


def clockwise_after(seat: int, seats: int) -> list[int]:
    return [(seat + step) % seats for step in range(1, seats)]


class State(NamedTuple):
    """A game at one moment. `stock` has its top card first, the discard pile `discards` its top card last."""

    ruleset: str
    options: Mapping[str, Any]  # complete (TT11, TT13)
    seats: int
    dealer: int  # of this round
    round: int
    hands: tuple[Cards, ...]
    stock: Cards
    discards: Cards
    turn: int | None  # the seat to act; None between the last turn of a round and the next deal, and after the end
    turn_number: int  # turns begun in this round
    step: str
    went_out: int | None
    laid: tuple[Cards, ...]  # the melds of the seat that went out, until the round is scored
    final_turns: tuple[int, ...] | None  # once a player is out, the seats whose final turn is not over, in order (TT6)
    renewed: int
    idle: int  # turns in a row without a card from the stock, this one included once it has drawn (TT13)
    resigned: tuple[int, ...]  # in the order of leaving
    rounds: tuple[Scores, ...]  # those scored so far
    result: Mapping[str, Any] | None  # as views have it

    @property
    def wild(self) -> str:
        return wild_rank(self.round)

    @property
    def in_play(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.resigned]

    def total(self, seat: int) -> int:
        return sum(scores[seat]["penalty"] for scores in self.rounds)


def dump(state: State) -> dict[str, Any]:
    return {key: _lists(value) for key, value in state._asdict().items()}


def load(value: Mapping[str, Any]) -> State:
    return State(**{key: _tuples(part) for key, part in value.items()})


def _lists(value: Any) -> Any:
    return list(map(_lists, value)) if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
