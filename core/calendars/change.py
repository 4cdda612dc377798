"""Changing a calendar. Changes are never retroactive: what a clock has counted or paused so far stays as it was."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core.calendars.calendar import DEFAULTS, instant, moment_text, shown
from core.calendars.errors import ClockError
from core.calendars.reading import check_allowance, complete_calendar, vacation_days
from core.calendars.zones import first_instant, last_instant, zone

VACATION_AHEAD = timedelta(days=366)
# Without a limit, players could move their quiet hours along with the day and never be on the clock.
CHANGES_OF_HOURS = 10
CHANGES_WITHIN = timedelta(days=30)
# Longer than any turn can last, with all its pauses.
KEPT = timedelta(days=500)

Entry = dict[str, Any]


def change_calendar(stored: Mapping[str, Any] | None, raw: object, now: datetime) -> dict[str, Any]:
    """The calendar to store when its player sends `raw` at `now`.

    Keys left out stay as they are. Equal to `stored` if nothing changes. Quiet hours and the zone count for turns that
    begin from now on. A vacation day counts from now on at the earliest, and only once: a day that has begun keeps its
    hours if the zone changes, ends at once if it is dropped, and stays used. Days that have not begun follow the zone.
    Raises ClockError with the field at fault.
    """
    before = stored or {"hours": [], "vacation": []}
    if not isinstance(raw, Mapping):
        raise ClockError("calendar", "The calendar must be an object.")
    wanted = complete_calendar({**shown(before), **raw})
    hours = _change_hours(before["hours"], wanted, now)
    days = vacation_days(wanted["vacation"])
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
        raise ClockError("calendar.vacation", f"{over[0]} is already over; a vacation can begin today at the earliest.")
    if days and max(days) - today > VACATION_AHEAD:
        raise ClockError("calendar.vacation", f"{max(days)} is more than a year ahead.")
    kept = {day: entry if day in days else _ended(entry, now) for day, entry in begun.items()}
    coming = {day: entry for day in days - begun.keys() if (entry := _entry(day, where, now))}
    vacation = kept | coming
    check_allowance(vacation)
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
