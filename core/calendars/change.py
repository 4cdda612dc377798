"""Checking the calendar that a player sends, and changing the stored one by it, never retroactively."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core.calendars.calendar import DEFAULTS, ClockError, instant, moment_text, shown, spans
from core.calendars.zones import first_instant, last_instant, zone, zone_names

MAXIMUM_QUIET = timedelta(hours=12)
VACATION_DAYS_A_YEAR = 30
LONGEST_VACATION = timedelta(days=366)
MAXIMUM_VACATIONS = 60

TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
A_QUIET_SPAN = 'quiet_hours must be null or two times of day, such as ["22:00", "07:00"].'
A_VACATION = 'vacation must be a list of first and last days, such as [["2026-12-24", "2027-01-02"]].'

VACATION_AHEAD = timedelta(days=366)
# Without a limit, players could move their quiet hours along with the day and never be on the clock.
CHANGES_OF_HOURS = 10
CHANGES_WITHIN = timedelta(days=30)
# Longer than any turn can last, with all its pauses.
KEPT = timedelta(days=500)

Entry = dict[str, Any]


def change_calendar(stored: Mapping[str, Any] | None, raw: object, now: datetime) -> dict[str, Any]:
    """The calendar to store when its player sends `raw` at `now`; keys left out stay. Raises ClockError.

    Quiet hours and the zone count for turns that begin from now on. A vacation day counts from now on at the earliest,
    and only once: a day that has begun keeps its hours if the zone changes, ends at once if it is dropped, and stays
    used.
    """
    before = stored or {"hours": [], "vacation": []}
    if not isinstance(raw, Mapping):
        raise ClockError("calendar", "The calendar must be an object.")
    wanted = complete_calendar({**shown(before), **raw})
    hours = _change_hours(before["hours"], wanted, now)
    days = _vacation_days(wanted["vacation"])
    return {"hours": hours, "vacation": _change_vacation(before["vacation"], days, zone(wanted["time_zone"]), now)}


def _change_hours(before: Sequence[Entry], wanted: Mapping[str, Any], now: datetime) -> list[Entry]:
    entry = {"since": moment_text(now), "time_zone": wanted["time_zone"], "quiet_hours": wanted["quiet_hours"]}
    last = before[-1] if before else DEFAULTS
    if (last["time_zone"], last["quiet_hours"]) == (entry["time_zone"], entry["quiet_hours"]):
        return list(before)
    if sum(instant(hours["since"]) > now - CHANGES_WITHIN for hours in before) >= CHANGES_OF_HOURS:
        raise ClockError(
            "calendar.quiet_hours",
            f"Quiet hours and time zone can change at most {CHANGES_OF_HOURS} times in {CHANGES_WITHIN.days} days.",
        )
    # A running turn may have begun under the newest of the old entries, but not under an earlier one.
    old = [hours for hours in before if instant(hours["since"]) <= now - KEPT]
    return [*old[-1:], *before[len(old) :], entry]


def _change_vacation(before: Sequence[Entry], days: AbstractSet[date], where: ZoneInfo, now: datetime) -> list[Entry]:
    today = now.astimezone(where).date()
    known = {date.fromisoformat(entry["day"]): entry for entry in before}
    begun = {day: entry for day, entry in known.items() if instant(entry["begins_at"]) < now}
    if over := sorted(day for day in days if day < today and day not in known):
        raise ClockError("calendar.vacation", f"{over[0]} is already over; a vacation cannot begin before today.")
    if days and max(days) - today > VACATION_AHEAD:
        raise ClockError("calendar.vacation", f"{max(days)} is more than a year ahead.")
    kept = {day: entry if day in days else _ended(entry, now) for day, entry in begun.items()}
    coming = {day: entry for day in days - begun.keys() if (entry := _entry(day, where, now))}
    vacation = kept | coming
    _check_allowance(vacation)
    return [vacation[day] for day in sorted(vacation) if instant(vacation[day]["ends_at"]) > now - KEPT]


def _ended(entry: Entry, now: datetime) -> Entry:
    return entry if instant(entry["ends_at"]) <= now else {**entry, "ends_at": moment_text(now)}


def _entry(day: date, where: ZoneInfo, now: datetime) -> Entry | None:
    """The part of the day that is still to come; None when it is over."""
    midnight = datetime.combine(day, time())
    begins = max(now, first_instant(midnight, where))
    ends = last_instant(midnight + timedelta(days=1), where)
    return (
        {"day": day.isoformat(), "begins_at": moment_text(begins), "ends_at": moment_text(ends)}
        if begins < ends
        else None
    )


def complete_calendar(raw: object) -> dict[str, Any]:
    """The calendar with all its keys, vacations sorted and joined. Raises ClockError."""
    if not isinstance(raw, Mapping):
        raise ClockError("calendar", "The calendar must be an object.")
    for key in raw:
        if key not in DEFAULTS:
            raise ClockError(
                f"calendar.{key}", f"Unknown key {key!r}. The keys of a calendar are {', '.join(DEFAULTS)}."
            )
    calendar = {**DEFAULTS, **raw}
    if not isinstance(calendar["time_zone"], str) or calendar["time_zone"] not in zone_names():
        raise ClockError(
            "calendar.time_zone", "time_zone must be the name of an IANA time zone, such as Europe/Berlin."
        )
    calendar["quiet_hours"] = _quiet_hours(calendar["quiet_hours"])
    days = _vacation_days(calendar["vacation"])
    _check_allowance(days)
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


def _vacation_days(raw: object) -> set[date]:
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
            raise ClockError(field, f"One of these is not a date: {pair[0]}, {pair[1]}.") from None
        if last < first:
            raise ClockError(field, f"A vacation cannot end on {last}, before it begins on {first}.")
        if last - first > LONGEST_VACATION:
            raise ClockError(field, f"The vacation from {first} to {last} is longer than a year.")
        days.update(date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return days


def _check_allowance(days: Iterable[date]) -> None:
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
