"""How events of a game are stored: their names in the log, and what stands in them that is for no client.

A stored type names its owner: `game.joined` is the service's own, `shedding.played` the shedding engine's. The part
before the dot is for the log, where each type has one meaning; clients and rules know the part after it. An event may
hold a `timing` (a `Timing`), which is not for clients either, and a move that a plan made is `planned`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, convert, field
from msgspec.structs import asdict

from core import log
from core.log import time_text
from games.rules import PLAYED

PLANNED = "planned"
"""True in the data of a move that a plan made. Only the seat sees it until the game is over."""


def from_rules(game: str, event: Mapping[str, Any]) -> log.NewEvent:
    return log.NewEvent(f"{PLAYED[game].family}.{event['type']}", event["data"], event["seat"])


def is_of_rules(event: log.Happened) -> bool:
    return not event.type.startswith("game.")


def name_of(event: log.Happened) -> str:
    return event.type.partition(".")[2]


def facts_of(event: log.Happened) -> dict[str, Any]:
    """The event's data without the service's own parts: its timing, whether it was planned, or its clock asked for."""
    return {key: value for key, value in event.data.items() if key not in (TIMING, PLANNED, "named_clock")}


def rules_event(event: log.Happened) -> dict[str, Any]:
    return {"type": name_of(event), "seat": event.seat, "data": facts_of(event)}


TIMING = "timing"


class Duty(Struct, frozen=True):
    """A seat's duty to act: the rules' key, the time it began, and the deadline or None.

    `extra`: seconds that an organiser added to the turn's own time. `turn`: the version with which the seat's turn
    began; it may have several duties, one after the other.
    """

    key: str
    since: datetime
    due: datetime | None
    extra: int = 0
    turn: int = 0


class Timing(Struct, frozen=True):
    """The clocks after a command, as stored in its last event; a command that changes none of them has no timing.

        {"duties": {"1": {"key": "turn 7", "since": "...", "due": "...", "extra": 0, "turn": 17}},
         "banks": {"0": 3540}, "moved": [0], "played": [0]}

    `duties` are all open duties from then on; `banks` are the reserves (seconds left) that changed; `moved` are the
    seats whose player made a move, `played` those that did so in play.
    """

    duties: Mapping[int, Duty]
    banks: Mapping[int, int] = field(default_factory=dict)
    moved: tuple[int, ...] = ()
    played: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        duties = {
            str(seat): {
                key: time_text(part) if isinstance(part, datetime) else part for key, part in asdict(duty).items()
            }
            for seat, duty in sorted(self.duties.items())
        }
        banks = {str(seat): left for seat, left in sorted(self.banks.items())}
        return {"duties": duties, "banks": banks, "moved": sorted(self.moved), "played": sorted(self.played)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Timing":
        return convert(value, cls, str_keys=True)
