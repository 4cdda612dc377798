"""Moments as RFC 3339 writes them, compared exactly."""

import re
from calendar import monthrange
from datetime import date
from typing import TypeAlias

from tournaments.rules.exact import shown

Moment: TypeAlias = tuple[int, str]
"""Seconds since the first day of year 0 in UTC, and the digits of the fraction of a second without zeros at the end."""

_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAYS_IN_400_YEARS = 146_097


def read_moment(text: object) -> Moment:
    """The moment, so that an earlier one is the smaller.

    Raises ValueError for text that is not an RFC 3339 date and time.
    """
    if isinstance(text, str) and (found := _MOMENT.fullmatch(text)):
        year, month, day, hour, minute, second = map(int, found.group(1, 2, 3, 4, 5, 6))
        offset_hours, offset_minutes = int(found[9] or 0), int(found[10] or 0)
        if max(hour, offset_hours) < 24 and max(minute, offset_minutes) < 60 and _is_a_day(year, month, day):
            offset = (offset_hours * 60 + offset_minutes) * (-1 if found[8] == "-" else 1)
            minutes = _days(year, month, day) * 1440 + hour * 60 + minute - offset
            # A leap second ends a day of UTC.
            if second < 60 or (second == 60 and minutes % 1440 == 1439):
                return minutes * 60 + second, (found[7] or "").rstrip("0")
    raise ValueError(f"{shown(text)} is not an RFC 3339 date and time.")


def _is_a_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _days(year: int, month: int, day: int) -> int:
    """The calendar repeats every 400 years, and `date` knows neither year 0 nor what an offset makes of year 9999."""
    return date(year % 400 + 400, month, day).toordinal() + year // 400 * _DAYS_IN_400_YEARS
