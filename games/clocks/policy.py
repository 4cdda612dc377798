"""A game's clock policy: how long a turn may take, when the clock is paused, and what a timeout does."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from core.calendars.calendar import ClockError
from core.calendars.zones import zone_names
from core.values import Faults, Value, of_field, schema, value, values_of

DAY = 86_400
MINIMUM_PER_TURN = 30


def _zone(given: str) -> str:
    if given not in zone_names():
        raise ValueError("Must be the name of an IANA time zone, such as Europe/Berlin.")
    return given


class Clock:
    """A clock policy; times are in seconds."""

    per_turn: int = value(
        DAY, least=MINIMUM_PER_TURN, most=30 * DAY, help="Seconds for one turn, including its draws and bonus plays."
    )
    bank: int = value(
        0,
        least=0,
        most=90 * DAY,
        help="Seconds of reserve per player for the whole game, used when a turn's own time runs out.",
    )
    weekend_pause: bool = value(False, help="Pause the clock on Saturday and Sunday in the game's time zone.")
    time_zone: str = value("UTC", least=0, read=_zone, help="The IANA time zone of the weekend pause.")
    quiet_hours: bool = value(True, help="Pause the clock in the daily quiet hours of the player to move.")
    vacation: bool = value(True, help="Pause the clock on the vacation days of the player to move.")
    on_timeout: str = value(
        "play",
        words=("play", "resign", "bot"),
        help="When time runs out: play a legal move for the player, resign, or hand the seat to a bot.",
    )
    strikes: int = value(
        3,
        least=1,
        most=100,
        help="Turns missed in a row before a bot takes the seat; after as many again, the player resigns.",
    )


def _values(minimum_per_turn: int) -> Mapping[str, Value]:
    values = values_of(Clock)
    return {**values, "per_turn": replace(values["per_turn"], least=minimum_per_turn)}


def clock_schema(*, minimum_per_turn: int = MINIMUM_PER_TURN) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the policy that a client may send, with defaults, ranges and descriptions."""
    parts = {name: schema(one) for name, one in _values(minimum_per_turn).items()}
    return {"type": "object", "title": "Clock", "additionalProperties": False, "properties": parts}


def complete_clock(raw: object, *, minimum_per_turn: int = MINIMUM_PER_TURN) -> dict[str, Any]:
    """The policy with all its keys; times are in seconds. Raises ClockError with the first field at fault.

    `minimum_per_turn` is a server setting, in seconds.
    """
    if not isinstance(raw, Mapping):
        raise ClockError("clock", "The clock must be an object.")
    faults, values = Faults(), _values(minimum_per_turn)
    clock = {name: one.take(raw, faults) for name, one in values.items()}
    faults.refuse_unknown(raw, values)
    for name, sentence in faults.items():
        raise ClockError(f"clock.{name}", of_field(name, sentence))
    return clock


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
