"""Converting local times to instants, including times that a change of clocks skips or repeats.

A skipped time stands for the moment of the jump. If a time occurs twice, the first occurrence begins a pause, and the
second ends one.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

# "localtime" depends on the machine; "Factory" stands for no zone at all.
NOT_A_PLACE = frozenset({"localtime", "Factory"})


@cache
def zone_names() -> frozenset[str]:
    return frozenset(available_timezones()) - NOT_A_PLACE


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def zone(name: str) -> ZoneInfo:
    """The zone of that name. Raises ValueError if there is none."""
    if name not in zone_names():
        raise ValueError(f"unknown time zone: {name!r}")
    return _zone(name)


def first_instant(local: datetime, where: ZoneInfo) -> datetime:
    """The first instant (UTC) at which wall clocks there show `local` (naive) or later."""
    early, late = _readings(local, where)
    return early if early <= late else _jump(late, early, where)


def last_instant(local: datetime, where: ZoneInfo) -> datetime:
    """The instant (UTC) after which wall clocks there never show a time before `local` (naive) again."""
    early, late = _readings(local, where)
    if late < early:
        return _jump(late, early, where)
    # Clocks that are set back to exactly `local` have not shown an earlier time since its first occurrence.
    just_before = (late - timedelta.resolution).astimezone(where).replace(tzinfo=None)
    return late if just_before < local else early


def _readings(local: datetime, where: ZoneInfo) -> tuple[datetime, datetime]:
    """`local` read with the offsets before and after a change: ascending if it occurs twice, descending if skipped."""
    return local.replace(tzinfo=where, fold=0).astimezone(UTC), local.replace(tzinfo=where, fold=1).astimezone(UTC)


def _jump(before: datetime, after: datetime, where: ZoneInfo) -> datetime:
    """The second between two instants at which the wall clock jumps forward."""
    offset = before.astimezone(where).utcoffset()
    low, high = 0, int((after - before).total_seconds())
    while high - low > 1:
        middle = (low + high) // 2
        if (before + timedelta(seconds=middle)).astimezone(where).utcoffset() == offset:
            low = middle
        else:
            high = middle
    return before + timedelta(seconds=high)
