"""The schemas of views: what one viewer may see of a game. Hidden parts are null."""

from typing import Any

from games.rules import GAMES

_CARD = {"$ref": "#/components/schemas/Card"}
_CARDS = {"type": "array", "items": _CARD}
_HIDDEN_CARDS = {"type": ["array", "null"], "items": _CARD}
_HIDDEN_CARD = {"oneOf": [_CARD, {"type": "null"}]}
_WHOLE = {"type": "integer"}
_MAYBE_WHOLE = {"type": ["integer", "null"]}
_SEATS = {"type": "array", "items": _WHOLE}


def _object(description: str, **properties: Any) -> dict[str, Any]:
    """An object that has all these keys. More may come."""
    return {"type": "object", "description": description, "required": list(properties), "properties": properties}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _view(description: str, family: str, player: str, **properties: Any) -> dict[str, Any]:
    return _object(
        description,
        game={"type": "string", "enum": [name for name, rules in GAMES.items() if rules.family == family]},
        ruleset={"type": "string"},
        options={"type": "object", "additionalProperties": True},
        seats=_WHOLE,
        dealer=_WHOLE,
        status={"type": "string", "enum": ["setup", "playing", "finished"]},
        to_act={**_SEATS, "description": "The seats that may move now, sorted."},
        may_interrupt={
            **_SEATS,
            "description": "The seats that may only interrupt out of turn. A player sees only its own seat here.",
        },
        players={"type": "array", "items": _ref(player), "description": "In seat order."},
        result={"oneOf": [_ref("Result"), {"type": "null"}]},
        **properties,
    )


VIEWS: dict[str, Any] = {
    "Placement": _object("How a seat ended.", seat=_WHOLE, place=_WHOLE, score=_MAYBE_WHOLE),
    "Result": _object(
        "How a game ended; placements by place, then seat.",
        ended_by={"type": "string", "enum": ["out", "stalemate", "rounds", "resignation"]},
        placements={"type": "array", "items": _ref("Placement")},
    ),
    "ToBeat": _object(
        "What the next play must reach.",
        rank={"type": "string"},
        **{"or": {"type": "string", "enum": ["higher", "lower"]}},
    ),
    "SheddingPlayer": _object(
        "One seat of a shedding game.",
        seat=_WHOLE,
        hand_count=_WHOLE,
        hand=_HIDDEN_CARDS,
        face_up=_HIDDEN_CARDS,
        face_down={
            "type": "array",
            "items": {"type": "boolean"},
            "description": "Three entries: whether a card lies there.",
        },
        face_down_cards={"type": "array", "items": _HIDDEN_CARD, "description": "Three entries."},
        arranged={"type": "boolean", "description": "Whether the setup choice was made."},
        place=_MAYBE_WHOLE,
    ),
    "SheddingView": _view(
        "The table of a shedding game.",
        "shedding",
        "SheddingPlayer",
        pile={**_CARDS, "description": "Bottom first."},
        to_beat={"oneOf": [_ref("ToBeat"), {"type": "null"}], "description": "null if any card may be played."},
        stock_count=_WHOLE,
        out_of_play={**_CARDS, "description": "The cards closed out, in order."},
        direction={"type": "integer", "enum": [1, -1], "description": "1 is clockwise."},
        bonus={
            "oneOf": [{"type": "string", "enum": ["may", "must"]}, {"type": "null"}],
            "description": "Whether the turn holder is in a bonus play.",
        },
        stalled={**_WHOLE, "description": "Pick-ups since the last progress."},
    ),
    "RoundScore": _object(
        "A seat's round of Three Thirteen, as it was scored.",
        penalty=_WHOLE,
        melds={"type": "array", "items": _CARDS},
        left=_CARDS,
        went_out={"type": "boolean"},
    ),
    "ThreeThirteenPlayer": _object(
        "One seat of Three Thirteen.",
        seat=_WHOLE,
        hand_count=_WHOLE,
        hand=_HIDDEN_CARDS,
        rounds={"type": "array", "items": _ref("RoundScore")},
        total=_WHOLE,
    ),
    "ThreeThirteenView": _view(
        "The table of Three Thirteen.",
        "three_thirteen",
        "ThreeThirteenPlayer",
        round=_WHOLE,
        wild={"type": "string"},
        step={"type": "string", "enum": ["draw", "discard"]},
        stock_count=_WHOLE,
        discard_count=_WHOLE,
        discard_top=_HIDDEN_CARD,
        went_out=_MAYBE_WHOLE,
        laid={
            "type": ["array", "null"],
            "items": _CARDS,
            "description": "The melds of the player who went out, until the round is scored.",
        },
        renewed={**_WHOLE, "description": "How often the stock was renewed in this round."},
    ),
    "View": {
        "description": "The table as the caller may see it.",
        "oneOf": [_ref("SheddingView"), _ref("ThreeThirteenView")],
    },
}
