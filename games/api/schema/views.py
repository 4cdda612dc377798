"""The schemas of views: what one viewer may see of a game. Hidden parts are null."""

from typing import Any

from core.http.openapi import ref
from games.api.schema.effects import ENDED_BY
from games.api.schema.parts import (
    ANY_OBJECT,
    CALLS,
    CARD_LISTS,
    CARDS,
    HIDDEN_CARD,
    HIDDEN_CARDS,
    MAYBE_WHOLE,
    SEATS,
    TEXT,
    TRUTH,
    WHOLE,
    one_of,
    shape,
)
from games.rules import GAMES


def _object(description: str, **properties: Any) -> dict[str, Any]:
    return shape(description, properties)


def _view(description: str, family: str, player: str, **properties: Any) -> dict[str, Any]:
    return _object(
        description,
        game={"type": "string", "enum": [name for name, rules in GAMES.items() if rules.family == family]},
        ruleset=TEXT,
        options=ANY_OBJECT,
        seats=WHOLE,
        dealer=WHOLE,
        status={"type": "string", "enum": ["setup", "playing", "finished"]},
        to_act={**SEATS, "description": "The seats that may move now, sorted."},
        may_interrupt={
            **SEATS,
            "description": "The seats that may only interrupt out of turn. A player sees only its own seat here.",
        },
        players={"type": "array", "items": ref(player), "description": "In seat order."},
        result=ref("Result", nullable=True),
        **properties,
    )


VIEWS: dict[str, Any] = {
    "Placement": _object("How a seat ended.", seat=WHOLE, place=WHOLE, score=MAYBE_WHOLE),
    "Result": _object(
        "How a game ended; placements by place, then seat.",
        ended_by=ENDED_BY,
        placements={"type": "array", "items": ref("Placement")},
    ),
    "ToBeat": _object(
        "What the next play must reach.",
        rank=TEXT,
        **{"or": {"type": "string", "enum": ["higher", "lower"]}},
    ),
    "SheddingPlayer": _object(
        "One seat of a shedding game.",
        seat=WHOLE,
        hand_count=WHOLE,
        hand=HIDDEN_CARDS,
        face_up=HIDDEN_CARDS,
        face_down={
            "type": "array",
            "items": {"type": "boolean"},
            "description": "Three entries: whether a card lies there.",
        },
        face_down_cards={"type": "array", "items": HIDDEN_CARD, "description": "Three entries."},
        arranged={"type": "boolean", "description": "Whether the setup choice was made."},
        place=MAYBE_WHOLE,
    ),
    "SheddingView": _view(
        "The table of a shedding game.",
        "shedding",
        "SheddingPlayer",
        pile={**CARDS, "description": "Bottom first."},
        to_beat={"oneOf": [ref("ToBeat"), {"type": "null"}], "description": "null if any card may be played."},
        stock_count=WHOLE,
        out_of_play={**CARDS, "description": "The cards closed out, in order."},
        direction={"type": "integer", "enum": [1, -1], "description": "1 is clockwise."},
        bonus={
            "oneOf": [{"type": "string", "enum": ["may", "must"]}, {"type": "null"}],
            "description": "Whether the turn holder is in a bonus play.",
        },
        stalled={**WHOLE, "description": "Pick-ups since the last progress."},
        may_settle={
            **TRUTH,
            "description": "Whether the game stands still, so that those in play may `settle`, also out of turn.",
        },
        settled={**SEATS, "description": "The seats that agree to end the game as it stands."},
        laid_on_empty={
            **WHOLE,
            "description": "How many cards at the bottom of the pile were played together on the empty pile.",
        },
        calls=CALLS,
    ),
    "RoundScore": _object(
        "A seat's round of Three Thirteen, as it was scored.",
        penalty=WHOLE,
        melds=CARD_LISTS,
        left=CARDS,
        went_out=TRUTH,
    ),
    "ThreeThirteenPlayer": _object(
        "One seat of Three Thirteen.",
        seat=WHOLE,
        hand_count=WHOLE,
        hand=HIDDEN_CARDS,
        rounds={"type": "array", "items": ref("RoundScore")},
        total=WHOLE,
    ),
    "ThreeThirteenView": _view(
        "The table of Three Thirteen.",
        "three_thirteen",
        "ThreeThirteenPlayer",
        round=WHOLE,
        wild=TEXT,
        step={"type": "string", "enum": ["draw", "discard"]},
        stock_count=WHOLE,
        discard_count=WHOLE,
        discard_top=HIDDEN_CARD,
        went_out=MAYBE_WHOLE,
        laid={
            "type": ["array", "null"],
            "items": CARDS,
            "description": "The melds of the player who went out, until the round is scored.",
        },
        renewed={**WHOLE, "description": "How often the stock was renewed in this round."},
    ),
    "View": one_of(
        "The table as the caller may see it.",
        "game",
        {
            name: {"shedding": "SheddingView", "three_thirteen": "ThreeThirteenView"}[rules.family]
            for name, rules in GAMES.items()
        },
    ),
}
