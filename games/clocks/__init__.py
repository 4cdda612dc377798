"""Clocks: how long a turn may take, and why. Pure functions: the current time is always an argument.

Each watched part of the service records a heartbeat every few seconds, and a gap of more than a minute is an outage.
Since one is only known when it is a minute old, nothing later than the oldest of the last heartbeats can be judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.calendars.calendar import Calendar, ClockError, Interval, load_calendar, moment_text, shown
from core.calendars.change import change_calendar, complete_calendar
from games.clocks.deadline import Duty, deadline, explain, public_segments, segments, spent
from games.clocks.policy import Clock, after_timeout, clock_schema, complete_clock, on_the_clock

THRESHOLD = timedelta(minutes=1)


def gap(last_beat: datetime, now: datetime) -> Interval | None:
    """The outage that ends with a heartbeat at `now`; None when the gap is within the threshold."""
    return (last_beat, now) if now - last_beat > THRESHOLD else None


def known_outages(recorded: Iterable[Interval], last_beats: Mapping[str, datetime], now: datetime) -> list[Interval]:
    """The recorded outages and those still going on at `now`, in order; overlapping outages are joined.

    What goes on is counted in steps of the threshold, so that deadlines do not move at each look.
    """
    going_on = [(beat, beat + (now - beat) // THRESHOLD * THRESHOLD) for beat in last_beats.values() if gap(beat, now)]
    joined: list[Interval] = []
    for start, end in sorted([*recorded, *going_on]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def since(outages: Iterable[Interval], moment: datetime) -> list[Interval]:
    """The outages after a moment, in order; of one that had begun by then, the rest."""
    return [(max(out, moment), back) for out, back in sorted(outages) if back > moment]


def with_outages(began: datetime, ends: datetime, outages: Iterable[Interval]) -> datetime:
    """The end of a span of wall time: later by the outages since it began."""
    for out, back in since(outages, began):
        if out < ends:
            ends += back - out
    return ends


def certain_until(last_beats: Mapping[str, datetime], now: datetime) -> datetime:
    """The time up to which all outages are known: only deadlines up to it can be judged as missed at `now`."""
    return min([now, *last_beats.values()])


@dataclass(frozen=True, slots=True)
class Uptime:
    """What is known about outages at some moment: those recorded, and each part's last heartbeat."""

    recorded: Sequence[Interval]
    last_beats: Mapping[str, datetime]

    def outages(self, now: datetime) -> list[Interval]:
        return known_outages(self.recorded, self.last_beats, now)
