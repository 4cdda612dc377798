"""Checking the calendar that a player sends."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from core.calendars.calendar import DEFAULTS, spans
from core.calendars.errors import ClockError
from core.calendars.zones import zone_names

MAXIMUM_QUIET = timedelta(hours=12)
VACATION_DAYS_A_YEAR = 30
LONGEST_VACATION = timedelta(days=366)
MAXIMUM_VACATIONS = 60

TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
A_QUIET_SPAN = 'quiet_hours must be null or two times of day, such as ["22:00", "07:00"].'
A_VACATION = 'vacation must be a list of first and last days, such as [["2026-12-24", "2027-01-02"]].'


def complete_calendar(raw: object) -> dict[str, Any]:
    """The calendar with all its keys, vacations sorted and joined.

    Raises ClockError with the field at fault ("calendar.vacation").
    """
    if not isinstance(raw, Mapping):
        raise ClockError("calendar", "The calendar must be an object.")
    for key in raw:
        if key not in DEFAULTS:
            raise ClockError(f"calendar.{key}", f"Unknown key {key!r}. A calendar takes {', '.join(DEFAULTS)}.")
    calendar = {**DEFAULTS, **raw}
    if not isinstance(calendar["time_zone"], str) or calendar["time_zone"] not in zone_names():
        raise ClockError(
            "calendar.time_zone", "time_zone must be the name of an IANA time zone, such as Europe/Berlin."
        )
    calendar["quiet_hours"] = _quiet_hours(calendar["quiet_hours"])
    days = vacation_days(calendar["vacation"])
    check_allowance(days)
    calendar["vacation"] = spans(days)
    return calendar


def _quiet_hours(raw: object) -> list[str] | None:
    field = "calendar.quiet_hours"
    if raw is None:
        return None
    if (pair := _pair(raw, TIME)) is None:
        raise ClockError(field, A_QUIET_SPAN)
    begin, end = (datetime.combine(date.min, time.fromisoformat(text)) for text in pair)
    if begin == end:
        raise ClockError(field, "quiet_hours must begin and end at different times.")
    if (end - begin) % timedelta(days=1) > MAXIMUM_QUIET:
        raise ClockError(field, "quiet_hours can be at most 12 hours a day.")
    return pair


def vacation_days(raw: object) -> set[date]:
    """All days of a list of vacations. Raises ClockError."""
    field = "calendar.vacation"
    if not isinstance(raw, list | tuple):
        raise ClockError(field, A_VACATION)
    if len(raw) > MAXIMUM_VACATIONS:
        raise ClockError(field, f"A calendar can hold at most {MAXIMUM_VACATIONS} vacations.")
    days: set[date] = set()
    for entry in raw:
        if (pair := _pair(entry, DATE)) is None:
            raise ClockError(field, A_VACATION)
        try:
            first, last = map(date.fromisoformat, pair)
        except ValueError:
            raise ClockError(field, f"There is no such day: {pair[0]} or {pair[1]}.") from None
        if last < first:
            raise ClockError(field, f"A vacation cannot end on {last}, before it begins on {first}.")
        if last - first > LONGEST_VACATION:
            raise ClockError(field, f"The vacation from {first} to {last} is longer than a year.")
        days.update(date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return days


def check_allowance(days: Iterable[date]) -> None:
    """Raise ClockError when a calendar year has more vacation days than the allowance."""
    for year, count in sorted(Counter(day.year for day in days).items()):
        if count > VACATION_DAYS_A_YEAR:
            raise ClockError(
                "calendar.vacation",
                f"{count} days of vacation in {year}: the yearly allowance is {VACATION_DAYS_A_YEAR}.",
            )


def _pair(raw: object, pattern: re.Pattern[str]) -> list[str] | None:
    if not isinstance(raw, list | tuple) or len(raw) != 2:
        return None
    return list(raw) if all(isinstance(text, str) and pattern.fullmatch(text) for text in raw) else None
