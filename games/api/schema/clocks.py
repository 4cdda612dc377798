"""The schema of an explained deadline."""

from typing import Any

from core.http.openapi import ref
from games.api.schema.parts import TIME, shape

_SECONDS = {"type": "number", "minimum": 0}

CLOCKS: dict[str, Any] = {
    "ClockSegment": shape(
        "A stretch of a turn's time. The player sees turn, bank, weekend, vacation, quiet_hours and outage; others see "
        "time, weekend and outage.",
        {
            "from": TIME,
            "to": TIME,
            "seconds": _SECONDS,
            "kind": {"type": "string", "enum": ["deduction", "time", "pause", "refund"]},
            "reason": {
                "type": "string",
                "enum": ["turn", "bank", "time", "weekend", "vacation", "quiet_hours", "outage"],
            },
        },
    ),
    "TurnClock": shape(
        "One seat's deadline: `segments` from `began_at` to `deadline_at` without gap, `totals` in seconds by reason.",
        {
            "began_at": TIME,
            "deadline_at": TIME,
            "per_turn": _SECONDS,
            "extra": {**_SECONDS, "description": "What a ruling added to the time of this turn."},
            "bank": {**_SECONDS, "description": "The reserve that was left when the turn began."},
            "segments": {"type": "array", "items": ref("ClockSegment")},
            "totals": {"type": "object", "additionalProperties": _SECONDS},
        },
        {
            "now": shape(
                "The player's own: whether the clock runs, until when that stays so, and what is left.",
                {
                    "at": TIME,
                    "reason": {"type": ["string", "null"]},
                    "runs": {"type": "boolean"},
                    "until": {"type": ["string", "null"], "format": "date-time"},
                    "turn_left": _SECONDS,
                    "bank_left": _SECONDS,
                },
            )
        },
    ),
}
