"""The viewer's part of Three Thirteen: states and legal moves (TT10)."""

from typing import Any, Literal

from games.rules.events import Viewer
from games.rules.moves import IllegalMove
from games.rules.three_thirteen.decide import can_draw, check_in_play, check_turn
from games.rules.three_thirteen.lay_out import discards_to_go_out
from games.rules.three_thirteen.state import DRAW, GAME, State


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
    """Return the state as the viewer may see it. A finished game hides nothing from a seat."""
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
