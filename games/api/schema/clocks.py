"""The schema of an explained deadline."""

from typing import Any

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
            "extra": {**_SECONDS, "description": "What a ruling added to the time of this turn."},
            "bank": {**_SECONDS, "description": "The reserve that was left when the turn began."},
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
