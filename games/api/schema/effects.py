"""The schemas of effects: what follows from a move of a shedding game, in order."""

from typing import Any

from core.http.openapi import ref
from games.api.schema.parts import (
    CARD,
    CARD_LISTS,
    CARDS,
    HIDDEN_CARDS,
    MAYBE_TEXT,
    MAYBE_WHOLE,
    SEATS,
    WHOLE,
    const,
    one_of,
    shape,
)

_SEAT = {"seat": WHOLE}
BONUS = {"type": ["string", "null"], "enum": ["may", "must", None]}
ENDED_BY = {"type": "string", "enum": ["out", "stalemate", "agreed", "rounds", "resignation"]}
_WHY = {
    "type": "string",
    "enum": ["ten", "joker", "three_in_a_row", "four_in_a_row", "set_of_four"],
    "description": "What closed it.",
}

_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "arranged": (
        "The seat has chosen. Others do not see the choice before the setup ends.",
        {**_SEAT, "face_up": HIDDEN_CARDS, "hand": HIDDEN_CARDS},
    ),
    "setup_ended": (
        "All have chosen.",
        {"face_up": {**CARD_LISTS, "description": "Everybody's face-up cards, by seat."}},
    ),
    "opening": (
        "These seats may make the first play.",
        {"seats": SEATS, "rank": {**MAYBE_TEXT, "description": "The rank that it must have; null: any."}},
    ),
    "opened": (
        "The first play is made.",
        {"raced": {**SEATS, "description": "Castle: the seats that could have made it, too."}},
    ),
    "laid": (
        "Cards went onto the pile: from the hand, from the face-up cards, or the one at the face-down position.",
        {**_SEAT, "cards": CARDS, "hand": CARDS, "face_up": CARDS, "position": MAYBE_WHOLE},
    ),
    "lifted": (
        "The face-down card could not be played and went to the hand.",
        {**_SEAT, "position": WHOLE, "card": CARD},
    ),
    "shown": (
        "Castle: the face-down card could not be played and went back to its position, seen by all.",
        {**_SEAT, "position": WHOLE, "card": CARD},
    ),
    "picked_up": ("Cards of the pile went to the hand.", {**_SEAT, "cards": CARDS}),
    "closed": ("The pile went out of play.", {"why": _WHY}),
    "drew": (
        "Cards from the stock went to the hand.",
        {**_SEAT, "count": WHOLE, "cards": {**HIDDEN_CARDS, "description": "Only for the player who drew them."}},
    ),
    "drew_to_pile": ("Castle: a card went from the stock onto the pile.", {**_SEAT, "card": CARD}),
    "face_up_to_hand": ("Three Card: the face-up cards became the hand.", _SEAT),
    "turned_round": ("The direction of play changed: 1 is clockwise.", {"direction": {**WHOLE, "enum": [1, -1]}}),
    "stalled": ("How many pick-ups there have been without progress.", {"count": WHOLE}),
    "settled": ("The seats that agree now to end the game as it stands.", {"seats": SEATS}),
    "out": ("The seat has no card left.", {**_SEAT, "place": WHOLE}),
    "left": ("The seat resigned; its cards are gone.", {**_SEAT, "place": WHOLE}),
    "turn": (
        "Whose turn it is.",
        {**_SEAT, "bonus": BONUS, "number": {**WHOLE, "description": "A new number is a new turn."}},
    ),
    "ended": ("The game is over.", {"placements": {"type": "array", "items": ref("Placement")}, "ended_by": ENDED_BY}),
}


def _name(effect: str) -> str:
    return "".join(word.capitalize() for word in effect.split("_")) + "Effect"


EFFECTS: dict[str, Any] = {
    **{_name(effect): shape(text, {"effect": const(effect), **facts}) for effect, (text, facts) in _KINDS.items()},
    "Effect": one_of("What followed from a move.", "effect", {effect: _name(effect) for effect in _KINDS}),
}
