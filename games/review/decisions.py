"""What both families' reviews are made of: events with their versions, and decisions with their costs."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.rules.game import Event

MOST_NAMED = 5
LEAST_COST = 0.05


class NoReviewError(ValueError):
    """There is no review: the game has not finished, or its options change what cards can do."""


class Happened(NamedTuple):
    """An event of the rules.

    `by` is who made its move: player, plan, clock, bot or forced; None if nobody knows, as in a record.
    """

    version: int
    event: Event
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that could have been another. `cost`: in places, or in points of Three Thirteen."""

    version: int
    seat: int
    made: dict[str, Any]
    better: Any
    cost: float
    by: str | None
    what: str | None = None
    """In Three Thirteen: missed_out or final_discard."""


def told(decisions: Sequence[Decision], seats: int, number: Callable[[float], str]) -> dict[str, Any]:
    """Return the sums of each seat, and the dearest decisions of each, dearest first, then the earlier."""
    of_seat = defaultdict[int, list[Decision]](list)
    for one in sorted(decisions, key=lambda one: (-one.cost, one.version)):
        of_seat[one.seat].append(one)
    named = [one for own in of_seat.values() for one in own[:MOST_NAMED] if one.cost >= LEAST_COST]
    return {
        "seats": [
            {"seat": seat, "decisions": len(of_seat[seat]), "lost": number(sum(one.cost for one in of_seat[seat]))}
            for seat in range(seats)
        ],
        "decisions": [
            {
                "version": one.version,
                "seat": one.seat,
                "made": one.made,
                "better": one.better,
                "cost": number(one.cost),
                "by": one.by,
                **({"what": one.what} if one.what else {}),
            }
            for one in sorted(named, key=lambda one: (-one.cost, one.version))
        ],
    }
