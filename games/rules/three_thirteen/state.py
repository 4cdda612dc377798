"""The state of Three Thirteen, which nobody changes, and how events lead from one to the next: no rule is checked."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from games.rules.cards import without
from games.rules.game import Event

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
    result: Mapping[str, Any] | None  # as CONTRACT's Views have it

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


def evolve(state: State | None, event: Event) -> State:
    data: Mapping[str, Any] = event["data"]
    if state is None:
        return _first_deal(data)
    seat = event["seat"]
    match event["type"]:
        case "drew":
            return _drew(state, seat, data)
        case "discarded":
            return _discard(state, seat, data["move"]["card"], data)
        case "went_out":
            melds = tuple(tuple(meld) for meld in data["melds"])
            return _discard(state, seat, data["move"]["discard"], data)._replace(went_out=seat, laid=melds)
        case "resigned":
            hands = _with_hand(state, seat, ())
            over = {"resigned": (*state.resigned, seat), "result": data["result"], "idle": data["idle"]}
            return state._replace(hands=hands, **over, **_turn(data))
        case "round_scored":
            return state._replace(rounds=(*state.rounds, tuple(data["scores"])), result=data["result"], laid=())
        case "dealt":
            return state._replace(**_deal(data))
        case unknown:
            raise ValueError(f"Three Thirteen has no event {unknown!r}")


def _first_deal(data: Mapping[str, Any]) -> State:
    return State(
        ruleset=data["ruleset"],
        options=data["options"],
        seats=data["seats"],
        resigned=(),
        rounds=(),
        result=None,
        **_deal(data),
    )


def _deal(data: Mapping[str, Any]) -> dict[str, Any]:
    order = data["shuffle"]
    return {
        "dealer": data["dealer"],
        "round": data["round"],
        "hands": tuple(tuple(hand) for hand in data["hands"]),
        "stock": tuple(order[len(order) - data["stock_count"] :]),
        "discards": (data["discard_top"],),
        "turn": data["to_act"][0],
        "turn_number": 1,
        "step": DRAW,
        "went_out": None,
        "laid": (),
        "final_turns": None,
        "renewed": 0,
        "idle": 0,
    }


def _drew(state: State, seat: int, data: Mapping[str, Any]) -> State:
    stock, discards = state.stock, state.discards
    if data["shuffle"] is not None:
        stock, discards = tuple(data["shuffle"]), discards[-1:]
    if data["move"]["from"] == "stock":
        stock = stock[1:]
    else:
        discards = discards[:-1]
    hands = _with_hand(state, seat, (*state.hands[seat], data["card"]))
    counts = {"renewed": data["renewed"], "idle": data["idle"]}
    return state._replace(hands=hands, stock=stock, discards=discards, step=DISCARD, **counts)


def _discard(state: State, seat: int, card: str, data: Mapping[str, Any]) -> State:
    hands = _with_hand(state, seat, without(state.hands[seat], [card]))
    return state._replace(hands=hands, discards=(*state.discards, card), **_turn(data))


def _turn(data: Mapping[str, Any]) -> dict[str, Any]:
    final_turns = data["final_turns"]
    return {
        "turn": data["to_act"][0] if data["to_act"] else None,
        "turn_number": data["turn_number"],
        "step": data["step"],
        "final_turns": None if final_turns is None else tuple(final_turns),
    }


def _with_hand(state: State, seat: int, hand: Cards) -> tuple[Cards, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])
