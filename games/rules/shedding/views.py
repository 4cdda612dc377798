"""The viewer's part of a shedding game: an allow-list for states."""

from typing import Any

from games.rules.events import Viewer
from games.rules.shedding import legal
from games.rules.shedding.state import State


def to_act(state: State) -> list[int]:
    if state.phase == "setup":
        return [seat for seat in state.in_play if not state.players[seat].arranged]
    if state.turn is not None:
        return [state.turn]
    return list(state.openers)


def view(game: str, state: State, viewer: Viewer) -> dict[str, Any]:
    if state.phase == "finished":
        viewer = None
    beat = state.rules.to_beat(state.pile, state.laid_on_empty)
    interrupting = list(legal.interruptions(state))
    return {
        "game": game,
        "ruleset": state.ruleset,
        # Sorted, because a loaded state has its keys in the order of the store.
        "options": dict(sorted(state.options.items())),
        "seats": len(state.players),
        "dealer": state.dealer,
        "status": state.phase,
        "to_act": to_act(state),
        "may_interrupt": interrupting if viewer is None else [seat for seat in interrupting if seat == viewer],
        "players": [_player(state, seat, viewer) for seat in range(len(state.players))],
        "result": None if state.result is None else dict(state.result),
        "pile": list(state.pile),
        "to_beat": beat and {"rank": beat.rank, "or": "lower" if beat.lower else "higher"},
        "stock_count": len(state.stock),
        "out_of_play": list(state.out_of_play),
        "direction": state.direction,
        "bonus": state.bonus,
        "stalled": state.stalled,
        "may_settle": legal.may_settle(state),
        "settled": list(state.settled),
        "laid_on_empty": state.laid_on_empty,
        "calls": [*state.calls, *_call_of_deal(state, viewer)],
    }


def _call_of_deal(state: State, viewer: Viewer) -> list[str]:
    # TC10: it tells about a hand, so nobody but its owner hears it.
    is_heard = bool(state.who_dealt) if viewer is None else viewer in state.who_dealt
    return ["who_dealt"] if is_heard else []


def _player(state: State, seat: int, viewer: Viewer) -> dict[str, Any]:
    player = state.players[seat]
    own = viewer is None or viewer == seat
    return {
        "seat": seat,
        "hand_count": len(player.hand),
        "hand": list(player.hand) if own else None,
        "face_up": list(player.face_up if own else _face_up_for_others(state, seat)),
        "face_down": [card is not None for card in player.face_down],
        "face_down_cards": [
            card if viewer is None or seen else None for card, seen in zip(player.face_down, player.shown, strict=True)
        ],
        "arranged": player.arranged,
        "place": player.place,
    }


def _face_up_for_others(state: State, seat: int) -> tuple[str, ...]:
    # S2: nobody sees another player's choice before all have chosen.
    if state.phase == "setup":
        return state.dealt_up[seat] if state.dealt_up else ()
    return state.players[seat].face_up


def is_safe_to_force(state: State, seat: int, move: dict[str, Any]) -> bool:
    """Return whether the seat's only legal move can be made at once without giving away hidden cards.

    A move made at once says that there was no other; a slow move says that there was (docs/play/clocks.md).
    """
    if state.phase != "playing" or state.turn != seat:
        return False  # setup, an opening race, or the secret right to interrupt (CA9c)
    player = state.players[seat]
    # Whether the last hand card could go with face-up cards (TJ6) only its player sees.
    is_single = len(player.hand) == 1 and not (state.rules.merges and player.face_up)
    if not player.hand or (is_single and not state.stock):
        return True  # everybody sees that there is no choice
    # Picking up says anyway that the player cannot play (S4). But where others may interrupt, a pause would tell them
    # in time that the hand can play.
    return bool(move["move"] == "pick_up") and not state.rules.interrupts
