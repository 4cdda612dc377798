"""Compute when a duty's time is up, why, and how much of it has been used.

A duty is one turn with all its draws and bonus plays, or one choice in setup. Its clock starts when the duty begins,
uses the turn's own time first and the player's bank after that, and stops during pauses. The deadline is the moment
when both are used up. Outages of the service are pauses that become known only afterwards, so deadlines are computed
on demand, and no game is written to because of an outage.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from core.calendars.calendar import Calendar, Interval, moment_text
from core.calendars.pauses import Span, fixed, quiet_hours, timeline, weekends
from core.calendars.zones import zone

# The reason to give if pauses overlap. To the player, an outage is a refund only where time would have run.
OWNER_SEES = {"weekend": 0, "vacation": 1, "quiet_hours": 2, "outage": 3}
# To everybody else, an outage is never cut short by somebody's private hours.
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
    """Everything that determines a deadline.

    `bank` is what is left of the player's reserve when the duty begins, `extra` what was added to this turn's own
    time. Bots have an empty calendar. `due` is the stored deadline, which leaves outages out: neither another calendar
    nor new time zone data ends a turn earlier.
    """

    clock: Mapping[str, Any]
    began: datetime
    bank: timedelta = timedelta()
    calendar: Calendar = NO_PAUSES
    outages: Sequence[Interval] = ()
    extra: timedelta = timedelta()
    due: datetime | None = None

    @property
    def has_pauses(self) -> bool:
        """False only if its time has just run."""
        return bool(
            self.clock["weekend_pause"]
            or (self.clock["vacation"] and self.calendar.vacations)
            or (self.clock["quiet_hours"] and self.calendar.hours)
            or any(back > self.began for _, back in self.outages)
        )

    @property
    def own_time(self) -> timedelta:
        return timedelta(seconds=self.clock["per_turn"]) + self.extra

    def timeline(self, rank: Mapping[str, int]) -> Iterator[Span]:
        pauses: list[Iterable[Span]] = [fixed(self.outages, "outage")]
        if self.clock["weekend_pause"]:
            pauses.append(weekends(zone(self.clock["time_zone"]), self.began))
        if self.clock["vacation"]:
            pauses.append(fixed(self.calendar.vacations, "vacation"))
        # The hours in force when the duty began, so that changing them cannot save a running turn.
        hours = self.calendar.hours_at(self.began)
        if self.clock["quiet_hours"] and hours is not None and hours.quiet is not None:
            pauses.append(quiet_hours(hours.zone, *hours.quiet, self.began))
        return timeline(self.began, pauses, rank)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch [start, end) of a duty's time; `reason` is a key of KINDS."""

    start: datetime
    end: datetime
    reason: str

    @property
    def length(self) -> timedelta:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Spent:
    turn: timedelta
    bank: timedelta


def deadline(duty: Duty) -> datetime:
    if duty.due is not None and not duty.has_pauses:
        return duty.due
    left = duty.own_time + duty.bank
    for span in duty.timeline(OWNER_SEES):
        if span.reason is None:
            if left <= span.end - span.start:
                return max(span.start + left, duty.due or duty.began)
            left -= span.end - span.start
    raise AssertionError("a timeline has no end")


def spent(duty: Duty, ended: datetime) -> Spent:
    """The time used by a duty that was done at `ended`, at most all the time it had."""
    ran = timedelta()
    for span in duty.timeline(OWNER_SEES):
        if span.start >= ended:
            break
        if span.reason is None:
            ran += min(span.end, ended) - span.start
    turn = min(ran, duty.own_time)
    return Spent(turn, min(ran - turn, duty.bank))


def segments(duty: Duty) -> list[Segment]:
    """The time from the duty's beginning to its deadline, for its player only.

    Without gaps or overlaps; neighbours have different reasons.
    """
    found: list[Segment] = []
    purses = [("turn", duty.own_time), ("bank", duty.bank)]
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
    # Time that is left by the stored deadline alone is used as the last of it.
    found[-1] = replace(found[-1], end=deadline(duty))
    return found


def public_segments(duty: Duty) -> list[Segment]:
    """The same for everybody else.

    Weekends and outages are shown; the rest is "time", whether running or privately paused.
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


SECOND = timedelta(seconds=1)


def explain(duty: Duty, now: datetime, *, owner: bool) -> dict[str, Any]:
    """The deadline and its explanation, as JSON. Times are RFC 3339 in UTC, lengths are in seconds.

    `segments` covers the time from `began_at` to `deadline_at` in order. `totals` has the sum for each reason: turn,
    bank, weekend, vacation, quiet_hours and outage for the owner; turn, bank, paused, weekend and outage for others.
    The totals add up to the whole time. Only the owner gets `now`: whether the clock is running, until when, and how
    much time is left. Others never see when a private pause is, only how long all of them are together.
    """
    end = deadline(duty)
    found = segments(duty) if owner else public_segments(duty)
    answer: dict[str, Any] = {
        "began_at": moment_text(duty.began),
        "deadline_at": moment_text(end),
        "per_turn": duty.clock["per_turn"],
        "extra": _seconds(duty.extra),
        "bank": _seconds(duty.bank),
        "segments": [_segment(segment) for segment in found],
        "totals": _totals(found) if owner else _public_totals(duty, found),
    }
    if owner:
        answer["now"] = _now(duty, found, now)
    return answer


def _segment(segment: Segment) -> dict[str, Any]:
    return {
        "from": moment_text(segment.start),
        "to": moment_text(segment.end),
        "seconds": _seconds(segment.length),
        "kind": KINDS[segment.reason],
        "reason": segment.reason,
    }


def _sum(found: Iterable[Segment], reason: str) -> timedelta:
    return sum((segment.length for segment in found if segment.reason == reason), timedelta())


def _totals(found: list[Segment]) -> dict[str, float]:
    reasons = ("turn", "bank", "weekend", "vacation", "quiet_hours", "outage")
    return {reason: _seconds(_sum(found, reason)) for reason in reasons}


def _public_totals(duty: Duty, found: list[Segment]) -> dict[str, float]:
    turn = duty.own_time
    return {
        "turn": _seconds(turn),
        "bank": _seconds(duty.bank),
        "paused": _seconds(_sum(found, "time") - turn - duty.bank),
        "weekend": _seconds(_sum(found, "weekend")),
        "outage": _seconds(_sum(found, "outage")),
    }


def _now(duty: Duty, found: list[Segment], now: datetime) -> dict[str, Any]:
    used = spent(duty, now)
    here = next((segment for segment in found if segment.start <= now < segment.end), None)
    return {
        "at": moment_text(now),
        "reason": here.reason if here else None,
        "runs": here is not None and KINDS[here.reason] == "deduction",
        "until": moment_text(here.end) if here else None,
        "turn_left": _seconds(duty.own_time - used.turn),
        "bank_left": _seconds(duty.bank - used.bank),
    }


def _seconds(length: timedelta) -> float:
    seconds = length / SECOND
    return int(seconds) if seconds.is_integer() else seconds
