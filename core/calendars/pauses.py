"""The pauses of a clock: weekends, quiet hours, vacations and outages, merged into one timeline."""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from core.calendars.zones import first_instant, last_instant

FOREVER = datetime.max.replace(tzinfo=UTC)
SATURDAY = 5


class Span(NamedTuple):
    """A stretch [start, end) in UTC. `reason` says why the clock is paused; None means that it runs."""

    start: datetime
    end: datetime
    reason: str | None


def weekends(where: ZoneInfo, since: datetime) -> Iterator[Span]:
    """Saturday 00:00 to Monday 00:00 local time, endless, starting no later than the weekend around `since`."""
    day = since.astimezone(where).date()
    day -= timedelta(days=(day.weekday() - SATURDAY) % 7)
    while True:
        midnight = datetime.combine(day, time())
        yield Span(first_instant(midnight, where), last_instant(midnight + timedelta(days=2), where), "weekend")
        day += timedelta(days=7)


def quiet_hours(where: ZoneInfo, begin: time, end: time, since: datetime) -> Iterator[Span]:
    """The daily quiet hours in local time, endless. They run past midnight if `end` is not after `begin`."""
    # Start two days back: last night's hours may still be running, and a zone can repeat or skip a date.
    day = since.astimezone(where).date() - timedelta(days=2)
    wraps = timedelta(days=1 if end <= begin else 0)
    while True:
        start = first_instant(datetime.combine(day, begin), where)
        stop = last_instant(datetime.combine(day, end) + wraps, where)
        if start < stop:  # equal if a change of clocks skips all of it
            yield Span(start, stop, "quiet_hours")
        day += timedelta(days=1)


def fixed(intervals: Iterable[tuple[datetime, datetime]], reason: str) -> list[Span]:
    return sorted(Span(start, end, reason) for start, end in intervals if start < end)


def timeline(began: datetime, pauses: Sequence[Iterable[Span]], rank: Mapping[str, int]) -> Iterator[Span]:
    """The time from `began` on, endless and without gaps: pauses, and spans without a reason between them.

    Each of `pauses` must be ordered by start. Where they overlap, the reason with the lowest `rank` wins.
    """
    held: Span | None = None
    for span in _pieces(began, pauses, rank):
        if held is None:
            held = span
        elif held.reason == span.reason:
            held = Span(held.start, span.end, held.reason)
        else:
            yield held
            held = span
        if held.reason is None and held.end == FOREVER:
            break
    if held is not None:
        yield held


def _pieces(began: datetime, pauses: Sequence[Iterable[Span]], rank: Mapping[str, int]) -> Iterator[Span]:
    """The timeline, cut at every start and end of a pause."""
    coming = heapq.merge(*pauses, key=lambda span: span.start)
    ahead = next(coming, None)
    standing: list[Span] = []
    now = began
    while now < FOREVER:
        while ahead is not None and ahead.start <= now:
            standing.append(ahead)
            ahead = next(coming, None)
        standing = [span for span in standing if span.end > now]
        until = min([span.end for span in standing] + [ahead.start if ahead is not None else FOREVER])
        yield Span(
            now, until, min((span.reason for span in standing if span.reason), key=rank.__getitem__, default=None)
        )
        now = until
