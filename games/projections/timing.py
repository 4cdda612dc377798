"""The clocks after a command, as stored in its last event: its `timing`.

    {"duties": {"1": {"key": "turn 7", "since": "...", "due": "...", "extra": 0, "turn": 17}},
     "banks": {"0": 3540}, "moved": [0], "played": [0]}

`duties` are all open duties from then on; `banks` are the reserves (seconds left) that changed; `moved` are the seats
whose player made a move, `played` those that did so in play. A command that changes none of these has no timing.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, convert, field

from core.log import time_text

TIMING = "timing"


class Duty(Struct, frozen=True):
    """A seat's duty to act: the rules' key, the time it began, and the deadline or None.

    `extra`: seconds that an organiser added to the turn's own time. `turn`: the version with which the seat's turn
    began (TU1); it may have several duties, one after the other.
    """

    key: str
    since: datetime
    due: datetime | None
    extra: int = 0
    turn: int = 0


class Timing(Struct, frozen=True):
    """The clocks after a command."""

    duties: Mapping[int, Duty]
    banks: Mapping[int, int] = field(default_factory=dict)
    moved: tuple[int, ...] = ()
    played: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The JSON stored in the event."""
        duties = {
            str(seat): {
                "key": duty.key,
                "since": time_text(duty.since),
                "due": time_text(duty.due) if duty.due is not None else None,
                "extra": duty.extra,
                "turn": duty.turn,
            }
            for seat, duty in sorted(self.duties.items())
        }
        banks = {str(seat): left for seat, left in sorted(self.banks.items())}
        return {"duties": duties, "banks": banks, "moved": sorted(self.moved), "played": sorted(self.played)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Timing":
        """The inverse of `as_json`."""
        return convert(value, cls, str_keys=True)
