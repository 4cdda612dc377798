"""The schemas of plans. What their moves and conditions may be depends on the game: `GET rulesets` has it."""

from typing import Any

from games.api.schema.parts import TIME, TRUTH, WHOLE, shape
from games.plans import MOST_LINES, MOST_TURNS

_LINE = shape(
    "A line: played if all of `when` holds and the move is legal.",
    {
        "move": {
            "type": "object",
            "required": ["move"],
            "properties": {"move": {"type": "string"}},
            "additionalProperties": True,
            "description": "A move as it is sent, or one chosen when the turn comes. GET rulesets has the forms.",
        }
    },
    {
        "when": {
            "type": "object",
            "additionalProperties": True,
            "default": {},
            "description": "What must hold. GET rulesets has the conditions.",
        },
        "interrupt": {
            **TRUTH,
            "default": False,
            "description": "Try it out of turn, too, where the seat may interrupt.",
        },
    },
    closed=True,
)
_LINES = {"type": "array", "minItems": 1, "maxItems": MOST_LINES, "items": _LINE}
_TURNS = {
    **WHOLE,
    "minimum": 1,
    "maximum": MOST_TURNS,
    "default": 1,
    "description": "How many turns it is for, of those that begin after it is kept.",
}

PLANS: dict[str, Any] = {
    "Plan": shape(
        "What to do in one's next turns: the first line that holds and whose move is legal.",
        {"lines": _LINES},
        {"turns": _TURNS},
        closed=True,
    ),
    "KeptPlan": shape(
        "The caller's plan, defaults included.",
        {
            "lines": _LINES,
            "turns": _TURNS,
            "turns_left": {**WHOLE, "description": "How many turns are still to begin."},
            "kept_at": TIME,
        },
    ),
    "PlanVerdict": shape(
        "What a plan does.",
        {
            "line": {"type": ["integer", "null"], "description": "The line that plays, from 0; null: none."},
            "move": {
                "type": ["object", "null"],
                "additionalProperties": True,
                "description": "Its move, as it would be sent.",
            },
            "lines": {
                "type": "array",
                "items": {
                    "type": "string",
                    "enum": ["does not hold", "not in hand", "not legal", "plays", "not tried"],
                },
                "description": "A word about each line.",
            },
        },
    ),
}
