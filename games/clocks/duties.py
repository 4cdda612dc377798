"""The seats on the clock, and the consequence of a missed turn."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

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
