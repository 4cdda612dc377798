"""The plans of a game as a JSON Schema, from which a client can draw a form (PL5)."""

from typing import Any

from games.plans.reading import MOST_LINES, TURNS
from games.rules.game import Game


def schema_of(game: Game) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a plan for this game."""
    line = {
        "type": "object",
        "properties": {
            "move": {
                "description": "The move. Of its forms exactly one fits.",
                "oneOf": [form.schema for form in game.plan_forms],
            },
            "when": {
                "type": "object",
                "description": "What must hold, all of it.",
                "properties": {condition.name: condition.schema for condition in game.plan_conditions},
                "additionalProperties": False,
                "default": {},
            },
            "interrupt": {
                "type": "boolean",
                "description": "Try this line out of turn as well, where you may interrupt.",
                "default": False,
            },
        },
        "required": ["move"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "lines": {
                "type": "array",
                "description": "The first line that holds and whose move is legal is played.",
                "items": line,
                "minItems": 1,
                "maxItems": MOST_LINES,
            },
            "turns": {**TURNS, "description": "The number of your turns for which the plan is kept."},
        },
        "required": ["lines"],
        "additionalProperties": False,
        # What suits most turns while there is a stock, and without one.
        "examples": [{"lines": game.usual_plan(stock=stock)} for stock in (True, False)],
    }
