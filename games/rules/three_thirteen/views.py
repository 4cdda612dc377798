"""The viewer's part of Three Thirteen: states, events and legal moves (TT10)."""

from typing import Any, Literal

from games.rules.game import Event, Viewer
from games.rules.moves import IllegalMove
from games.rules.three_thirteen.decide import can_draw, check_in_play, check_turn
from games.rules.three_thirteen.lay_out import discards_to_go_out
from games.rules.three_thirteen.state import DRAW, GAME, State

# The part of each event that everybody at the table may see. `redact` adds what only some may see.
_TURN = frozenset({"to_act", "step", "turn_number", "final_turns"})
_SEEN_BY_ALL = {
    "dealt": frozenset(
        {"ruleset", "options", "seats", "round", "wild", "dealer", "discard_top", "stock_count", "to_act"},
    ),
    "drew": frozenset({"move", "stock_count", "discard_count", "renewed", "idle"}),
    "discarded": frozenset({"move"}) | _TURN,
    "went_out": frozenset({"move", "melds"}) | _TURN,
    "resigned": frozenset({"move", "place", "result", "idle"}) | _TURN,
    "round_scored": frozenset({"round", "went_out", "scores", "totals", "result"}),
}


def status(state: State) -> Literal["playing", "finished"]:
    return "playing" if state.result is None else "finished"


def to_act(state: State) -> list[int]:
    return [] if state.turn is None else [state.turn]


def legal_moves(state: State, seat: int) -> list[dict[str, Any]]:
    """Return the seat's legal moves: draws, or discards and discards to go out with, each different card once."""
    if seat != state.turn:
        return []
    if state.step == DRAW:
        return [{"move": "draw", "from": source} for source in ("stock", "discard") if can_draw(state, source)]
    hand = state.hands[seat]
    listed: list[dict[str, Any]] = [{"move": "discard", "card": card} for card in dict.fromkeys(hand)]
    if state.went_out is None:
        listed += [{"move": "go_out", "discard": card} for card in discards_to_go_out(hand, wild=state.wild)]
    return listed


def why_not(state: State, seat: int) -> dict[str, str] | None:
    try:
        check_in_play(state, seat)
        check_turn(state, seat)
    except IllegalMove as refused:
        return refused.as_json()
    return None


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as the viewer may see it (CONTRACT, Views). A finished game hides nothing from a seat."""
    sees_all = viewer is None or (state.result is not None and viewer != "public")
    return {
        "game": GAME,
        "ruleset": state.ruleset,
        "options": dict(sorted(state.options.items())),
        "seats": state.seats,
        "dealer": state.dealer,
        "status": status(state),
        "to_act": to_act(state),
        "may_interrupt": [],
        "players": [_player(state, seat, shown=sees_all or viewer == seat) for seat in range(state.seats)],
        "result": None if state.result is None else dict(state.result),
        "round": state.round,
        "wild": state.wild,
        "step": state.step,
        "stock_count": len(state.stock),
        "discard_count": len(state.discards),
        "discard_top": state.discards[-1] if state.discards else None,
        "went_out": state.went_out,
        "laid": [list(meld) for meld in state.laid] or None,
        "renewed": state.renewed,
    }


def _player(state: State, seat: int, *, shown: bool) -> dict[str, Any]:
    hand = state.hands[seat]
    return {
        "seat": seat,
        "hand_count": len(hand),
        "hand": list(hand) if shown else None,
        "rounds": [dict(scores[seat]) for scores in state.rounds],
        "total": state.total(seat),
    }


def redact(event: Event, viewer: Viewer) -> Event:
    """Return the event with null for what the viewer may not see.

    A hand and a card drawn from the stock are seen by their owner, a card from the discard pile by all.
    """
    if viewer is None:
        return event
    seen = _SEEN_BY_ALL[event["type"]]
    data: dict[str, Any] = {key: value if key in seen else None for key, value in event["data"].items()}
    if event["type"] == "dealt":
        hands = event["data"]["hands"]
        data["hands"] = [hand if seat == viewer else None for seat, hand in enumerate(hands)]
    elif event["type"] == "drew" and (viewer == event["seat"] or event["data"]["move"]["from"] == "discard"):
        data["card"] = event["data"]["card"]
    return event | {"data": data}
