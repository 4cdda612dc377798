"""The vocabulary of plans in the shedding games: one list for all of them.

A game's own part is `Variant.order`, the order in which "lowest" and "highest" choose. Whatever depends on a ruling is
asked of the rules: which moves are legal, what is to beat, and whether a play closes the pile.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules import planning
from games.rules.planning import (
    COUNT,
    RANK,
    YES_OR_NO,
    Attempt,
    Condition,
    Form,
    Move,
    Position,
    at_least,
    at_most,
    is_so,
)
from games.rules.shedding.state import State

COUNTS: planning.Schema = {
    "anyOf": [{"enum": ["one", "all"]}, {"type": "integer", "minimum": 1}],
    "default": "one",
    "title": '"one", "all" or a number of cards',
}


def chosen_play(position: Position, wanted: Mapping[str, Any]) -> Move | None:
    listed = {entry["rank"]: entry for entry in position.legal if entry["move"] == "play"}
    kept = wanted["keep"]
    # The family's own games. A house game has the order of its document.
    order = position.game.variant.order or position.state.rules.search  # type: ignore[attr-defined]
    ranks = [rank for rank in order if rank in listed and rank not in kept]
    if wanted["choose"] == "highest":
        ranks.reverse()
    ranks += [rank for rank in kept if rank in listed]
    return _of_rank(listed[ranks[0]], wanted["count"]) if ranks else None


def _of_rank(entry: Mapping[str, Any], count: str | int) -> Move | None:
    """Return the play of this many cards of a rank: those of the hand first, then those that may be merged."""
    own = sorted(entry["cards"], key=planning.SUIT_ORDER.__getitem__)
    along = sorted(entry.get("with_face_up", ()), key=planning.SUIT_ORDER.__getitem__)
    there = own + along
    taken = count if isinstance(count, int) else 1 if count == "one" else min(len(there), entry["max"] + len(along))
    if not entry["min"] <= taken <= entry["max"] + len(along):
        return None
    return {"move": "play", "cards": there[:taken]}


def first_flip(position: Position, _: Mapping[str, Any]) -> Move | None:
    return next(
        ({"move": "flip", "position": entry["positions"][0]} for entry in position.legal if entry["move"] == "flip"),
        None,
    )


def _forms(places: int) -> tuple[Form, ...]:
    """The moves that a plan may hold where so many cards lie face down, and as many face up."""
    *others, last = map(str, range(places))
    positions = f"{', '.join(others)} or {last}" if others else last
    return (
        Form(
            "play",
            "Play a rank that is chosen on your turn, from those that can be played then.",
            {
                "choose": planning.words("lowest", "highest"),
                "count": {
                    **COUNTS,
                    "description": "How many cards of the rank. `all` includes those that can be merged.",
                },
                "keep": planning.ranks(
                    default=[], description="Ranks that are played only if nothing else can be, in this order."
                ),
            },
            chosen_play,
        ),
        Form("play", "Play these cards.", {"cards": planning.cards()}, cards=lambda wanted: wanted["cards"]),
        Form("flip", "Flip the first face-down card that is left.", {"choose": planning.only("first")}, first_flip),
        Form(
            "flip",
            "Flip the face-down card at this position.",
            {"position": {"type": "integer", "minimum": 0, "maximum": places - 1, "title": positions}},
        ),
        Form("pick_up", "Pick up the pile.", {}),
        Form("draw", "Draw, where the game allows it.", {}),
        Form("end_turn", "Decline a bonus play.", {}),
        Form(
            "arrange",
            "Before play begins: the cards to lay face up.",
            {"face_up": planning.cards(places, places)},
            cards=lambda wanted: wanted["face_up"],
        ),
    )


FORMS = {places: _forms(places) for places in range(1, 5)}
"""The moves that a plan may hold, by how many cards lie face down."""


def held(state: State, seat: int) -> Sequence[str]:
    player = state.players[seat]
    return (*player.hand, *player.face_up)


def beats(attempt: Attempt, wanted: Sequence[str | None]) -> bool:
    beat = attempt.position.view["to_beat"]
    return (beat["rank"] if beat else None) in wanted


def _is_inverted(position: Position) -> bool:
    beat = position.view["to_beat"]
    return beat is not None and beat["or"] == "lower"


def _hand(position: Position) -> int:
    return len(position.state.players[position.seat].hand)


def _fewest_of_others(position: Position) -> int:
    state: State = position.state
    return min(state.players[seat].cards_left for seat in state.in_play if seat != position.seat)


def would_close(attempt: Attempt, wanted: bool) -> bool:
    """Return whether the line's move is a legal play that closes the pile. Of a flip or a draw nobody knows."""
    closes = (
        attempt.form.move == "play"
        and attempt.events is not None
        and any(effect["effect"] == "closed" for effect in attempt.events[0]["data"]["effects"])
    )
    return closes is wanted


CONDITIONS = (
    Condition(
        "to_beat",
        "The rank to beat is one of these; null means that there is nothing to beat.",
        {
            "type": "array",
            "items": {"enum": [*RANK["enum"], None], "title": f"{RANK['title']} or null"},
            "title": "a list of ranks, or null for nothing to beat",
        },
        beats,
    ),
    Condition("inverted", "The pile asks for lower cards.", YES_OR_NO, is_so(_is_inverted)),
    Condition("pile_at_least", "The pile has this many cards or more.", COUNT, at_least(lambda at: len(at.state.pile))),
    Condition("pile_at_most", "The pile has this many cards or fewer.", COUNT, at_most(lambda at: len(at.state.pile))),
    Condition("hand_at_least", "Your hand has this many cards or more.", COUNT, at_least(_hand)),
    Condition("hand_at_most", "Your hand has this many cards or fewer.", COUNT, at_most(_hand)),
    Condition(
        "next_has_at_most",
        "The next player in the direction of play has this many cards or fewer, table cards included.",
        COUNT,
        at_most(lambda at: int(at.state.players[at.state.next_in_play(at.seat)].cards_left)),
    ),
    Condition(
        "anyone_has_at_most",
        "Some other player has this many cards or fewer, table cards included.",
        COUNT,
        at_most(_fewest_of_others),
    ),
    Condition("stock_is_out", "The stock is empty.", YES_OR_NO, is_so(lambda at: not at.state.stock)),
    Condition(
        "bonus",
        "You are in a bonus play.",
        YES_OR_NO,
        is_so(lambda at: at.state.turn == at.seat and at.state.bonus is not None),
    ),
    Condition(
        "would_close",
        "This line's move is a play that can be made and clears the pile. False for a flip or a draw, whose card "
        "nobody knows.",
        YES_OR_NO,
        would_close,
    ),
)


def as_in_turn(state: State, seat: int) -> State:
    draft = state.draft()
    draft.phase, draft.turn, draft.bonus, draft.skips = "playing", seat, None, 0
    draft.openers, draft.opening_rank = (), None
    return draft.freeze()
