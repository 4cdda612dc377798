"""The schema of records (trey-record/1)."""

from typing import Any

from games.api.schema.parts import CARDS

RECORDS: dict[str, Any] = {
    "Record": {
        "type": "object",
        "description": "A whole game in one file: everything that decided it, nothing else.",
        "required": ["format", "game", "ruleset", "options", "seats", "dealer", "shuffles", "moves"],
        "properties": {
            "format": {"type": "string", "const": "trey-record/1"},
            "game": {"type": "string"},
            "ruleset": {"type": "string"},
            "options": {"type": "object", "additionalProperties": True},
            "seats": {"type": "integer"},
            "dealer": {"type": "integer"},
            "shuffles": {
                "type": "array",
                "items": CARDS,
                "description": "Orders of cards, top card first, used in turn.",
            },
            "moves": {
                "type": "array",
                "description": "The moves in order, each with its `seat`.",
                "items": {
                    "type": "object",
                    "required": ["seat", "move"],
                    "properties": {"seat": {"type": "integer"}, "move": {"type": "string"}},
                    "additionalProperties": True,
                },
            },
        },
    }
}
