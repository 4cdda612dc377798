"""Local times of day as instants, also where daylight saving skips or repeats them.

A pause never ends before the wall clock has passed its end for good, and begins as soon as the wall clock first shows
its start: a time that is skipped counts as the moment of the jump, and of a time that comes twice the first begins a
pause and the last ends one.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

# Names that mean another zone on another machine, or none at all.
NOT_A_PLACE = frozenset({"localtime", "Factory"})


@cache
def zone_names() -> frozenset[str]:
    """The names of the IANA time zones that this machine knows."""
    return frozenset(available_timezones()) - NOT_A_PLACE


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def zone(name: str) -> ZoneInfo:
    """The zone of that name; ValueError when there is none."""
    if name not in zone_names():
        raise ValueError(f"unknown time zone: {name!r}")
    return _zone(name)


def first_instant(local: datetime, where: ZoneInfo) -> datetime:
    """The first instant (UTC) at which wall clocks there show `local` (naive) or later."""
    early, late = _readings(local, where)
    return early if early <= late else _jump(late, early, where)


def last_instant(local: datetime, where: ZoneInfo) -> datetime:
    """The instant (UTC) from which on wall clocks there never show a time before `local` (naive)."""
    early, late = _readings(local, where)
    return late if early <= late else _jump(late, early, where)


def _readings(local: datetime, where: ZoneInfo) -> tuple[datetime, datetime]:
    """`local` read with the offset before and after a change of clocks.

    Equal on plain days, ascending where the time comes twice, descending where it is skipped.
    """
    return local.replace(tzinfo=where, fold=0).astimezone(UTC), local.replace(tzinfo=where, fold=1).astimezone(UTC)


def _jump(before: datetime, after: datetime, where: ZoneInfo) -> datetime:
    """The second between two instants at which the wall clock there jumps forward."""
    offset = before.astimezone(where).utcoffset()
    low, high = 0, int((after - before).total_seconds())
    while high - low > 1:
        middle = (low + high) // 2
        if (before + timedelta(seconds=middle)).astimezone(where).utcoffset() == offset:
            low = middle
        else:
            high = middle
    return before + timedelta(seconds=high)
