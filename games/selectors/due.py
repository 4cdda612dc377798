"""The state of the clocks, for operators."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from core import clock as service_clock
from games.models import Outage, Seat
from games.selectors.clocks import DEADLINE_FIELDS, deadline_of, heartbeats, known_outages

COUNTED = 10_000
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ClockStatus:
    """Turns that are due (counted up to a limit), the age of each part's heartbeat, recorded outages.

    The sweeper's heartbeat is its last sweep.
    """

    at: datetime
    due: int
    oldest_overdue: timedelta
    heartbeats: dict[str, datetime]
    outages: dict[str, int]

    def age(self, part: str) -> timedelta | None:
        """The age of the part's last heartbeat; None if there was none."""
        last = self.heartbeats.get(part)
        return None if last is None else max(self.at - last, timedelta())


def clock_status(now: datetime | None = None, *, most: int = COUNTED) -> ClockStatus:
    """The turns due now, with outages added; at most this many turns are looked at. Five queries."""
    now = now or service_clock.now()
    outages = known_outages(_EVER, now)
    seats = Seat.objects.filter(due_at__lte=now, bot__isnull=True).select_related("player", "game")
    seats = seats.only(*DEADLINE_FIELDS)
    ends = [deadline_of(seat.game.clock, seat, outages) for seat in seats.order_by("due_at")[:most]]
    due = [end for end in ends if end is not None and end <= now]
    return ClockStatus(
        at=now,
        due=len(due),
        oldest_overdue=now - min(due) if due else timedelta(),
        heartbeats=heartbeats(),
        outages=dict(Counter(Outage.objects.values_list("part", flat=True))),
    )


def recent_outages(limit: int = 10) -> list[Outage]:
    """The newest recorded outages."""
    return list(Outage.objects.order_by("-ended_at")[:limit])
