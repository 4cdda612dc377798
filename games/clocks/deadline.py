"""When a duty's time is up, why, and how much of it has been used: pure functions of what is known now.

A duty is one turn with all its draws and bonus plays, or one setup choice. Its clock runs from when it began, first
on the turn's own time, then on the player's bank, and stands still in pauses. The deadline is the moment at which
both are used up. Outages of the service are pauses too, known only afterwards: so a deadline is computed when it is
asked for, and nothing has to be written to a game when an outage becomes known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games.clocks.calendar import Calendar, Interval
from games.clocks.pauses import Span, fixed, quiet_hours, timeline, weekends
from games.clocks.zones import zone

# Which reason is named where pauses overlap. For the player an outage is a refund only where time would have run.
OWNER_SEES = {"weekend": 0, "vacation": 1, "quiet_hours": 2, "outage": 3}
# For everybody else an outage never looks shorter for somebody's private hours.
OTHERS_SEE = {"weekend": 0, "outage": 1, "vacation": 2, "quiet_hours": 3}
NO_PAUSES = Calendar()
PRIVATE = frozenset({"vacation", "quiet_hours"})

KINDS = {
    "turn": "deduction",
    "bank": "deduction",
    "time": "time",
    "weekend": "pause",
    "vacation": "pause",
    "quiet_hours": "pause",
    "outage": "refund",
}


@dataclass(frozen=True, slots=True)
class Duty:
    """All that decides a deadline.

    `bank` is what is left of the player's reserve as the duty begins. Bots have an empty calendar.
    """

    clock: Mapping[str, Any]
    began: datetime
    bank: timedelta = timedelta()
    calendar: Calendar = NO_PAUSES
    outages: Sequence[Interval] = ()

    def timeline(self, rank: Mapping[str, int]) -> Iterator[Span]:
        """Pauses and the time between them, from the beginning on, without end."""
        pauses: list[Iterable[Span]] = [fixed(self.outages, "outage")]
        if self.clock["weekend_pause"]:
            pauses.append(weekends(zone(self.clock["time_zone"]), self.began))
        if self.clock["vacation"]:
            pauses.append(fixed(self.calendar.vacations, "vacation"))
        # The hours in force as the duty began: moving them cannot save a turn that runs.
        hours = self.calendar.hours_at(self.began)
        if self.clock["quiet_hours"] and hours is not None and hours.quiet is not None:
            pauses.append(quiet_hours(hours.zone, *hours.quiet, self.began))
        return timeline(self.began, pauses, rank)


@dataclass(frozen=True, slots=True)
class Segment:
    """[start, end) of a duty's time and what it was: see KINDS for the reasons."""

    start: datetime
    end: datetime
    reason: str

    @property
    def length(self) -> timedelta:
        """From start to end."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Spent:
    """The time that counted: how much of the turn's own, and how much of the bank."""

    turn: timedelta
    bank: timedelta


def deadline(duty: Duty) -> datetime:
    """The first moment at which the duty's time is up."""
    left = _per_turn(duty) + duty.bank
    for span in duty.timeline(OWNER_SEES):
        if span.reason is None:
            if left <= span.end - span.start:
                return span.start + left
            left -= span.end - span.start
    raise AssertionError("a timeline has no end")


def spent(duty: Duty, ended: datetime) -> Spent:
    """What a duty that was done at `ended` used; more than all it had is never used."""
    ran = timedelta()
    for span in duty.timeline(OWNER_SEES):
        if span.start >= ended:
            break
        if span.reason is None:
            ran += min(span.end, ended) - span.start
    turn = min(ran, _per_turn(duty))
    return Spent(turn, min(ran - turn, duty.bank))


def segments(duty: Duty) -> list[Segment]:
    """Every moment from the beginning to the deadline, for the player's own eyes.

    Nothing is left out, nothing overlaps, and neighbours differ in their reason.
    """
    found: list[Segment] = []
    purses = [("turn", _per_turn(duty)), ("bank", duty.bank)]
    for span in duty.timeline(OWNER_SEES):
        if not any(left for _, left in purses):
            break
        if span.reason is not None:
            found.append(Segment(span.start, span.end, span.reason))
            continue
        at = span.start
        for index, (reason, left) in enumerate(purses):
            used = min(left, span.end - at)
            if used:
                found.append(Segment(at, at + used, reason))
                purses[index] = (reason, left - used)
                at += used
    return found


def public_segments(duty: Duty) -> list[Segment]:
    """The same stretch for everybody else.

    Weekends and outages as they are, and all the rest as "time", be it running or privately paused.
    """
    end = deadline(duty)
    found: list[Segment] = []
    for span in duty.timeline(OTHERS_SEE):
        if span.start >= end:
            break
        reason = "time" if span.reason is None or span.reason in PRIVATE else span.reason
        if found and found[-1].reason == reason:
            found[-1] = Segment(found[-1].start, min(span.end, end), reason)
        else:
            found.append(Segment(span.start, min(span.end, end), reason))
    return found


def _per_turn(duty: Duty) -> timedelta:
    return timedelta(seconds=duty.clock["per_turn"])
