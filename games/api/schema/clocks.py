"""A player's calendar, and a deadline explained, as JSON Schema."""

from typing import Any

from games.clocks import VACATION_DAYS_A_YEAR

_TIME = {"type": "string", "format": "date-time"}
_SECONDS = {"type": "number", "minimum": 0}


def _object(description: str, required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "required": list(required),
        "properties": {**required, **optional},
    }


CLOCKS: dict[str, Any] = {
    "Calendar": {
        "type": "object",
        "description": "When a player's clocks stand still, in games that allow it.",
        "additionalProperties": False,
        "properties": {
            "time_zone": {"type": "string", "default": "UTC", "description": "An IANA name, such as Europe/Berlin."},
            "quiet_hours": {
                "type": ["array", "null"],
                "items": {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"},
                "minItems": 2,
                "maxItems": 2,
                "description": "From when until when each day, local time; at most 12 hours.",
                "examples": [["22:00", "07:00"]],
            },
            "vacation": {
                "type": "array",
                "items": {
                    "type": "array",
                    "items": {"type": "string", "format": "date"},
                    "minItems": 2,
                    "maxItems": 2,
                },
                "description": f"First and last days; at most {VACATION_DAYS_A_YEAR} days in a calendar year.",
                "examples": [[["2026-12-24", "2027-01-02"]]],
            },
        },
    },
    "ClockSegment": _object(
        "A stretch of a turn's time. The player sees turn, bank, weekend, vacation, quiet_hours and outage; others see "
        "time, weekend and outage.",
        {
            "from": _TIME,
            "to": _TIME,
            "seconds": _SECONDS,
            "kind": {"type": "string", "enum": ["deduction", "time", "pause", "refund"]},
            "reason": {
                "type": "string",
                "enum": ["turn", "bank", "time", "weekend", "vacation", "quiet_hours", "outage"],
            },
        },
    ),
    "TurnClock": _object(
        "One seat's deadline: `segments` from `began_at` to `deadline_at` without gap, `totals` in seconds by reason.",
        {
            "began_at": _TIME,
            "deadline_at": _TIME,
            "per_turn": _SECONDS,
            "bank": {**_SECONDS, "description": "The reserve that was left as the turn began."},
            "segments": {"type": "array", "items": {"$ref": "#/components/schemas/ClockSegment"}},
            "totals": {"type": "object", "additionalProperties": _SECONDS},
        },
        now=_object(
            "The player's own: whether the clock runs, until when that stays so, and what is left.",
            {
                "at": _TIME,
                "reason": {"type": ["string", "null"]},
                "runs": {"type": "boolean"},
                "until": {"type": ["string", "null"], "format": "date-time"},
                "turn_left": _SECONDS,
                "bank_left": _SECONDS,
            },
        ),
    ),
}
