"""The schemas of moves, the body of `POST games/{id}/moves`, and of legal moves as they are listed."""

from typing import Any

_CARD = {"$ref": "#/components/schemas/Card"}


def _cards(description: str, at_least: int = 1, at_most: int | None = None) -> dict[str, Any]:
    bounds = {"minItems": at_least} | ({"maxItems": at_most} if at_most is not None else {})
    return {"type": "array", "items": _CARD, **bounds, "description": description}


def _move(name: str, description: str, required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "required": ["move", *required],
        "properties": {"move": {"type": "string", "const": name}, **properties},
        "additionalProperties": False,
    }


# `from` is a word of Python, so it cannot be given by name.
_FROM: Any = {"from": {"type": "string", "enum": ["stock", "discard"]}}

_KINDS: dict[str, Any] = {
    "ArrangeMove": _move(
        "arrange",
        "Shedding games, setup: the three cards to lie face up.",
        ("face_up",),
        face_up=_cards("The three cards.", 3, 3),
    ),
    "PlayMove": _move(
        "play",
        "Shedding games: cards of one rank from the active zone, in the order in which they go onto the pile.",
        ("cards",),
        cards=_cards("The cards."),
    ),
    "FlipMove": _move(
        "flip",
        "Shedding games: turn over and play a face-down card.",
        ("position",),
        position={"type": "integer", "minimum": 0, "maximum": 2},
    ),
    "PickUpMove": _move("pick_up", "Shedding games: take the pile."),
    "DrawMove": _move(
        "draw",
        "Three Thirteen, first half of a turn (`from` is needed). Three Card and Castle: without `from`.",
        **_FROM,
    ),
    "EndTurnMove": _move("end_turn", "Shedding games: decline a bonus play that is a right."),
    "DiscardMove": _move("discard", "Three Thirteen: second half of a turn.", ("card",), card=_CARD),
    "GoOutMove": _move(
        "go_out",
        "Three Thirteen: second half of a turn, going out.",
        ("discard",),
        discard=_CARD,
        melds={
            "type": "array",
            "items": _cards("A set or a run."),
            "description": "Optional: without them the server finds them.",
        },
    ),
    "ResignMove": _move("resign", "Leave a running game for good."),
}

_COUNT = {"type": "integer", "minimum": 1}

MOVES: dict[str, Any] = {
    **_KINDS,
    "Move": {
        "description": "One move.",
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in _KINDS],
    },
    "LegalMove": {
        "type": "object",
        "description": (
            "A legal move as it would be sent, or several of a kind at once: `play` once a rank (`min` to `max` of "
            "`cards`; any of `with_face_up` may go along with all of them), `flip` with its `positions`, `arrange` "
            "with how many to `choose` `from` which."
        ),
        "required": ["move", "send"],
        "properties": {
            "send": {
                "$ref": "#/components/schemas/Move",
                "description": "A complete move, ready to be posted.",
            },
            "move": {"type": "string", "enum": [kind["properties"]["move"]["const"] for kind in _KINDS.values()]},
            "rank": {"type": "string", "description": 'Of a `play`. Jokers are "X".'},
            "cards": _cards("Of a `play`: those that may be played."),
            "min": _COUNT,
            "max": _COUNT,
            "with_face_up": _cards("Of a `play`: face-up cards that may go along with all of `cards`."),
            "positions": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 2}},
            "choose": _COUNT,
            "from": {
                "description": "Of an `arrange`: the cards to choose from. Of a `draw`: where from.",
                "oneOf": [_cards("Cards."), {"type": "string", "enum": ["stock", "discard"]}],
            },
            "card": _CARD,
            "discard": _CARD,
        },
    },
}
