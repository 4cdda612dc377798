"""A game's clock policy: how long a turn may take, when the clock is paused, and what a timeout does."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from core.calendars.calendar import ClockError
from core.calendars.zones import zone_names

DAY = 86_400
MINIMUM_PER_TURN = 30


def _whole(default: int, least: int, most: int, description: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default, "description": description}


def _switch(default: bool, description: str) -> dict[str, Any]:
    return {"type": "boolean", "default": default, "description": description}


# What a clock is made of, as JSON Schemas with ranges and defaults.
_PARTS: Mapping[str, dict[str, Any]] = {
    "per_turn": _whole(DAY, MINIMUM_PER_TURN, 30 * DAY, "Seconds for one turn with all its draws and bonus plays."),
    "bank": _whole(
        0, 0, 90 * DAY, "Seconds of reserve per player for the whole game, used when a turn's own time is up."
    ),
    "weekend_pause": _switch(False, "Pause the clock on Saturday and Sunday in the game's time zone."),
    "time_zone": {"type": "string", "default": "UTC", "description": "The IANA time zone of the weekend pause."},
    "quiet_hours": _switch(True, "Pause the clock in the daily quiet hours of the player to move."),
    "vacation": _switch(True, "Pause the clock on the vacation days of the player to move."),
    "on_timeout": {
        "type": "string",
        "enum": ["play", "resign", "bot"],
        "default": "play",
        "description": "When time is up: play a legal move for the player, resign, or hand the seat to a bot.",
    },
    "strikes": _whole(
        3, 1, 100, "Turns missed in a row until a bot takes the seat; after as many again the player has resigned."
    ),
}
DEFAULTS: Mapping[str, Any] = {key: part["default"] for key, part in _PARTS.items()}


def clock_schema(*, minimum_per_turn: int = MINIMUM_PER_TURN) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the policy that a client may send, with defaults, ranges and descriptions."""
    parts = {**_PARTS, "per_turn": {**_PARTS["per_turn"], "minimum": minimum_per_turn}}
    return {"type": "object", "title": "Clock", "additionalProperties": False, "properties": parts}


def complete_clock(raw: object, *, minimum_per_turn: int = MINIMUM_PER_TURN) -> dict[str, Any]:
    """The policy with all its keys; times are in seconds. Raises ClockError with the field at fault.

    `minimum_per_turn` is a server setting, in seconds.
    """
    if not isinstance(raw, Mapping):
        raise ClockError("clock", "The clock must be an object.")
    for key in raw:
        if key not in DEFAULTS:
            raise ClockError(f"clock.{key}", f"Unknown key {key!r}. A clock takes {', '.join(DEFAULTS)}.")
    clock = {**DEFAULTS, **raw}
    for key, part in clock_schema(minimum_per_turn=minimum_per_turn)["properties"].items():
        if (must := _must(key, clock[key], part)) is not None:
            raise ClockError(f"clock.{key}", f"{key} must be {must}.")
    return clock


def _must(key: str, value: object, part: Mapping[str, Any]) -> str | None:
    if part["type"] == "boolean":
        return None if isinstance(value, bool) else "true or false"
    if part["type"] == "integer":
        if isinstance(value, bool) or not isinstance(value, int):
            return "a whole number"
        least, most, unit = part["minimum"], part["maximum"], "" if key == "strikes" else " seconds"
        return None if least <= value <= most else f"from {least} to {most}{unit}"
    if key == "time_zone":
        is_one = isinstance(value, str) and value in zone_names()
        return None if is_one else "the name of an IANA time zone, such as Europe/Berlin"
    return None if value in part["enum"] else "play, resign or bot"


Action = Literal["play", "bot", "resign"]


def on_the_clock(status: str, to_act: Sequence[int], dealer: int, seats: int) -> list[int]:
    """The seats that have a deadline.

    In setup and in turns that is every seat to act. In a race (Castle's opening, where several seats may act and one
    will) only the first eligible seat from the dealer's left is on the clock, and opens when its time is up.
    """
    if status == "playing" and len(to_act) > 1:
        return [min(to_act, key=lambda seat: (seat - dealer - 1) % seats)]
    return sorted(to_act)


def after_timeout(clock: Mapping[str, Any], misses: int) -> Action:
    """Return what happens when a player misses a turn. `misses` counts missed turns in a row, including this one.

    The count starts again when the player makes a move. With `play`, a bot takes the seat at miss number `strikes`;
    a player who takes the seat back and misses as many turns again has resigned. Turns that a bot plays in the seat
    are not counted.
    """
    if clock["on_timeout"] == "resign":
        return "resign"
    takeover = clock["strikes"] if clock["on_timeout"] == "play" else 1
    if misses < takeover:
        return "play"
    return "bot" if misses < takeover + clock["strikes"] else "resign"
