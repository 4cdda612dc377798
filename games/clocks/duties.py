"""Which seats are on the clock, since when, and what a missed turn leads to."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

Action = Literal["play", "bot", "resign"]


class Running(NamedTuple):
    """A duty on the clock: its key (the rules' `duties`) and when it began."""

    key: str
    began: datetime


def on_the_clock(status: str, to_act: Sequence[int], dealer: int, seats: int) -> list[int]:
    """The seats that have a deadline.

    In setup and in turns each seat to act. In a race (Castle's opening: several may act in play, one will) nobody
    owes the move alone: only the first eligible seat from the dealer's left is on the clock, and opens when its time
    is up.
    """
    if status == "playing" and len(to_act) > 1:
        return [min(to_act, key=lambda seat: (seat - dealer - 1) % seats)]
    return sorted(to_act)


def carry_over(before: Mapping[int, Running], keys: Mapping[int, str], now: datetime) -> dict[int, Running]:
    """The duties after an event at `now`: one whose key stays keeps its beginning, a new one begins now."""
    return {
        seat: before[seat] if seat in before and before[seat].key == key else Running(key, now)
        for seat, key in keys.items()
    }


def after_timeout(clock: Mapping[str, Any], misses: int) -> Action:
    """What is done at a player's `misses`-th missed turn in a row, this one counted.

    A move of the player's own starts the count anew.

    `play`: a bot takes the seat at the `strikes`-th miss. Once a bot has had the seat, as many further misses (the
    player took it back and missed again) make a resignation. What a bot plays in the seat is no miss.
    """
    if clock["on_timeout"] == "resign":
        return "resign"
    takeover = clock["strikes"] if clock["on_timeout"] == "play" else 1
    if misses < takeover:
        return "play"
    return "bot" if misses < takeover + clock["strikes"] else "resign"
