"""A game's clock policy: how long a turn may take, when the clock is paused, and what a timeout does."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from core.calendars.calendar import ClockError
from core.calendars.zones import zone_names

DAY = 86_400
MINIMUM_PER_TURN = 30
MAXIMUM_PER_TURN = 30 * DAY
MAXIMUM_BANK = 90 * DAY
MAXIMUM_STRIKES = 100
ON_TIMEOUT = ("play", "resign", "bot")

DEFAULTS: Mapping[str, Any] = {
    "per_turn": DAY,
    "bank": 0,
    "weekend_pause": False,
    "time_zone": "UTC",
    "quiet_hours": True,
    "vacation": True,
    "on_timeout": "play",
    "strikes": 3,
}


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
    _integer(clock, "per_turn", minimum_per_turn, MAXIMUM_PER_TURN, " seconds")
    _integer(clock, "bank", 0, MAXIMUM_BANK, " seconds")
    _integer(clock, "strikes", 1, MAXIMUM_STRIKES, "")
    for key in ("weekend_pause", "quiet_hours", "vacation"):
        if not isinstance(clock[key], bool):
            raise ClockError(f"clock.{key}", f"{key} must be true or false.")
    if not isinstance(clock["time_zone"], str) or clock["time_zone"] not in zone_names():
        raise ClockError("clock.time_zone", "time_zone must be the name of an IANA time zone, such as Europe/Berlin.")
    if clock["on_timeout"] not in ON_TIMEOUT:
        raise ClockError("clock.on_timeout", "on_timeout must be play, resign or bot.")
    return clock


def _integer(clock: Mapping[str, Any], key: str, least: int, most: int, unit: str) -> None:
    value = clock[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise ClockError(f"clock.{key}", f"{key} must be a whole number.")
    if not least <= value <= most:
        raise ClockError(f"clock.{key}", f"{key} must be from {least} to {most}{unit}.")


def clock_schema(*, minimum_per_turn: int = MINIMUM_PER_TURN) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the policy that a client may send, with defaults, ranges and descriptions."""

    def seconds(key: str, least: int, most: int, description: str) -> dict[str, Any]:
        return {
            "type": "integer",
            "minimum": least,
            "maximum": most,
            "default": DEFAULTS[key],
            "description": description,
        }

    def switch(key: str, description: str) -> dict[str, Any]:
        return {"type": "boolean", "default": DEFAULTS[key], "description": description}

    properties: dict[str, Any] = {
        "per_turn": seconds(
            "per_turn",
            minimum_per_turn,
            MAXIMUM_PER_TURN,
            "Seconds for one turn with all its draws and bonus plays.",
        ),
        "bank": seconds(
            "bank",
            0,
            MAXIMUM_BANK,
            "Seconds of reserve per player for the whole game, used when a turn's own time is up.",
        ),
        "weekend_pause": switch("weekend_pause", "Pause the clock on Saturday and Sunday in the game's time zone."),
        "time_zone": {
            "type": "string",
            "default": DEFAULTS["time_zone"],
            "description": "The IANA time zone of the weekend pause.",
        },
        "quiet_hours": switch("quiet_hours", "Pause the clock in the daily quiet hours of the player to move."),
        "vacation": switch("vacation", "Pause the clock on the vacation days of the player to move."),
        "on_timeout": {
            "type": "string",
            "enum": list(ON_TIMEOUT),
            "default": DEFAULTS["on_timeout"],
            "description": "When time is up: play a legal move for the player, resign, or hand the seat to a bot.",
        },
        "strikes": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAXIMUM_STRIKES,
            "default": DEFAULTS["strikes"],
            "description": "Turns missed in a row until a bot takes the seat; "
            "after as many again the player has resigned.",
        },
    }
    return {"type": "object", "title": "Clock", "additionalProperties": False, "properties": properties}


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
