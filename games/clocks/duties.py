"""Which seats are on the clock, since when, and what follows a missed turn."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

Action = Literal["play", "bot", "resign"]


class Running(NamedTuple):
    """A duty on the clock: its key, as in the rules' `duties`, and when it began."""

    key: str
    began: datetime


def on_the_clock(status: str, to_act: Sequence[int], dealer: int, seats: int) -> list[int]:
    """The seats that have a deadline.

    In setup and in turns that is every seat to act. In a race (Castle's opening, where several seats may act and one
    will) only the first eligible seat from the dealer's left is on the clock, and opens when its time is up.
    """
    if status == "playing" and len(to_act) > 1:
        return [min(to_act, key=lambda seat: (seat - dealer - 1) % seats)]
    return sorted(to_act)


def carry_over(before: Mapping[int, Running], keys: Mapping[int, str], now: datetime) -> dict[int, Running]:
    """The duties after an event at `now`: a duty with the same key keeps its beginning, a new one begins now."""
    return {
        seat: before[seat] if seat in before and before[seat].key == key else Running(key, now)
        for seat, key in keys.items()
    }


def after_timeout(clock: Mapping[str, Any], misses: int) -> Action:
    """What happens when a player misses a turn. `misses` counts missed turns in a row, including this one.

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
