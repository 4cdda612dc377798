"""Outages of the service, told by heartbeats.

Each watched part (the web, the sweeper) says every few seconds that it lives. A gap longer than a minute between two
beats of a part is an outage. It is known for sure only when it is over, or a minute old: so a sweep times nobody out
later than every part is known to have lived.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from games.clocks.calendar import Interval

THRESHOLD = timedelta(minutes=1)


def gap(last_beat: datetime | None, now: datetime, threshold: timedelta = THRESHOLD) -> Interval | None:
    """The outage to write down as a part beats again at `now`.

    None after a gap within the threshold, and at the first beat of all.
    """
    return (last_beat, now) if last_beat is not None and now - last_beat > threshold else None


def known_outages(
    recorded: Iterable[Interval], last_beats: Mapping[str, datetime], now: datetime, threshold: timedelta = THRESHOLD
) -> list[Interval]:
    """The outages written down and those that still go on at `now`, overlapping ones joined, in order."""
    going_on = (gap(beat, now, threshold) for beat in last_beats.values())
    joined: list[Interval] = []
    for start, end in sorted([*recorded, *(interval for interval in going_on if interval is not None)]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def certain_until(last_beats: Mapping[str, datetime], now: datetime) -> datetime:
    """The moment up to which no outage can still come to light.

    Only deadlines up to it may be judged as missed at `now`.
    """
    return min([now, *last_beats.values()])
