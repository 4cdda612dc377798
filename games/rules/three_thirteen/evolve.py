"""From one state to the next: applies the facts of an event and checks no rules."""

from collections.abc import Mapping
from typing import Any

from games.rules.cards import without
from games.rules.game import Event
from games.rules.three_thirteen.state import DISCARD, DRAW, Cards, Options, State


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
        options=Options(**data["options"]),
        seats=data["seats"],
        resigned=(),
        rounds=(),
        result=None,
        **_deal(data),
    )


def _deal(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a deal sets. All others last for the whole game."""
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
