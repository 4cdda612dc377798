"""A player's own calendar: daily quiet hours and vacation, in the player's zone.

Two shapes, both plain JSON. What a player says and sees ("calendar"):
    {"time_zone": "Europe/Berlin", "quiet_hours": ["22:00", "07:00"] | null, "vacation": [["2026-12-24", "2027-01-02"]]}
What is kept ("stored"): the same, with since when which hours stood (a turn keeps those it began under), and the
instants between which each vacation counts (it counts from the moment it was declared, never before):
    {"hours": [{"since": "...Z", "time_zone": "...", "quiet_hours": [...] | null}, ...],
     "vacation": [{"first_day": "...", "last_day": "...", "begins_at": "...Z", "ends_at": "...Z"}, ...]}
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from games.clocks.errors import ClockError
from games.clocks.zones import first_instant, last_instant, zone, zone_names

MAXIMUM_QUIET = timedelta(hours=12)
VACATION_DAYS_A_YEAR = 30
VACATION_AHEAD = timedelta(days=366)
MAXIMUM_VACATIONS = 60
# Who could move the quiet hours at will would always be asleep.
CHANGES_OF_HOURS = 10
CHANGES_WITHIN = timedelta(days=30)
# Longer than any turn can last, with all its pauses.
KEPT = timedelta(days=500)

DEFAULTS: Mapping[str, Any] = {"time_zone": "UTC", "quiet_hours": None, "vacation": []}
TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

Interval = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Hours:
    """The quiet hours that stood from `since` on; none when `quiet` is None."""

    since: datetime
    zone: ZoneInfo
    quiet: tuple[time, time] | None


@dataclass(frozen=True, slots=True)
class Calendar:
    """What the clock reads: the hours that stood and when, oldest first, and the vacations as intervals in UTC."""

    hours: tuple[Hours, ...] = ()
    vacations: tuple[Interval, ...] = ()

    def hours_at(self, moment: datetime) -> Hours | None:
        """The hours in force at that moment.

        The oldest known where none is old enough; None for a calendar that never had any.
        """
        standing = [hours for hours in self.hours if hours.since <= moment]
        return standing[-1] if standing else next(iter(self.hours), None)


def complete_calendar(raw: object) -> dict[str, Any]:
    """The calendar with all its keys, vacations sorted and joined.

    Raises ClockError naming the field ("calendar.vacation") for what cannot be.
    """
    if not isinstance(raw, Mapping):
        raise ClockError("calendar", "The calendar must be an object.")
    for key in raw:
        if key not in DEFAULTS:
            raise ClockError(f"calendar.{key}", f"A calendar has no {key!r}; it has {', '.join(DEFAULTS)}.")
    calendar = {**DEFAULTS, **raw}
    if not isinstance(calendar["time_zone"], str) or calendar["time_zone"] not in zone_names():
        raise ClockError(
            "calendar.time_zone", "time_zone must be the name of an IANA time zone, such as Europe/Berlin."
        )
    calendar["quiet_hours"] = _quiet_hours(calendar["quiet_hours"])
    spans = _joined(_vacations(calendar["vacation"]))
    _check_allowance(spans)
    calendar["vacation"] = [[first.isoformat(), last.isoformat()] for first, last in spans]
    return calendar


def _quiet_hours(raw: object) -> list[str] | None:
    field = "calendar.quiet_hours"
    if raw is None:
        return None
    if (
        not isinstance(raw, list | tuple)
        or len(raw) != 2
        or not all(isinstance(text, str) and TIME.fullmatch(text) for text in raw)
    ):
        raise ClockError(field, 'quiet_hours must be null or two times of day, such as ["22:00", "07:00"].')
    begin, end = (datetime.combine(date.min, time.fromisoformat(text)) for text in raw)
    if begin == end:
        raise ClockError(field, "quiet_hours must begin and end at different times.")
    if (end - begin) % timedelta(days=1) > MAXIMUM_QUIET:
        raise ClockError(field, "quiet_hours can be 12 hours a day at most.")
    return list(raw)


def _vacations(raw: object) -> list[tuple[date, date]]:
    field = "calendar.vacation"
    wanted = 'vacation must be a list of first and last days, such as [["2026-12-24", "2027-01-02"]].'
    if not isinstance(raw, list | tuple):
        raise ClockError(field, wanted)
    if len(raw) > MAXIMUM_VACATIONS:
        raise ClockError(field, f"A calendar can hold {MAXIMUM_VACATIONS} vacations at most.")
    spans = []
    for entry in raw:
        if (
            not isinstance(entry, list | tuple)
            or len(entry) != 2
            or not all(isinstance(text, str) and DATE.fullmatch(text) for text in entry)
        ):
            raise ClockError(field, wanted)
        try:
            first, last = (date.fromisoformat(text) for text in entry)
        except ValueError:
            raise ClockError(field, f"There is no such day: {entry[0]} or {entry[1]}.") from None
        if last < first:
            raise ClockError(field, f"A vacation cannot end on {last} before it begins on {first}.")
        if last - first > VACATION_AHEAD:
            raise ClockError(field, f"The vacation from {first} to {last} is longer than a year.")
        spans.append((first, last))
    return spans


def _joined(spans: Sequence[tuple[date, date]]) -> list[tuple[date, date]]:
    """The same days, in order, each vacation as long as it can be."""
    joined: list[tuple[date, date]] = []
    for first, last in sorted(spans):
        if joined and first.toordinal() <= joined[-1][1].toordinal() + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _days(first: date, last: date) -> set[date]:
    return {date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1)}


def _check_allowance(spans: Sequence[tuple[date, date]]) -> None:
    days = set().union(*(_days(first, last) for first, last in spans))
    for year, count in sorted(Counter(day.year for day in days).items()):
        if count > VACATION_DAYS_A_YEAR:
            raise ClockError(
                "calendar.vacation",
                f"{count} days of vacation in {year}: the yearly allowance is {VACATION_DAYS_A_YEAR}.",
            )


def change_calendar(stored: Mapping[str, Any] | None, raw: object, now: datetime) -> dict[str, Any]:
    """What is to be stored once the player asks for `raw` (keys left out stay as they are) at `now`; raises ClockError.

    Nothing works backwards: quiet hours count for turns that begin from now on, a vacation counts from now on
    (whatever its first day), days that are over stay used, and dropping a vacation that runs ends it now.
    """
    before = stored or {"hours": [], "vacation": []}
    if not isinstance(raw, Mapping):
        raise ClockError("calendar", "The calendar must be an object.")
    wanted = complete_calendar({**shown(before), **raw})
    where = zone(wanted["time_zone"])
    vacation = _change_vacation(before["vacation"], _vacations(wanted["vacation"]), where, now)
    return {"hours": _change_hours(before["hours"], wanted, now), "vacation": vacation}


def _change_hours(
    before: Sequence[Mapping[str, Any]], wanted: Mapping[str, Any], now: datetime
) -> list[dict[str, Any]]:
    entry = {"since": _text(now), "time_zone": wanted["time_zone"], "quiet_hours": wanted["quiet_hours"]}
    if not before:
        return [entry]
    last = before[-1]
    if (last["time_zone"], last["quiet_hours"]) == (entry["time_zone"], entry["quiet_hours"]):
        return [dict(hours) for hours in before]
    if sum(_instant(hours["since"]) > now - CHANGES_WITHIN for hours in before) >= CHANGES_OF_HOURS:
        raise ClockError(
            "calendar.quiet_hours",
            f"Quiet hours and time zone can change {CHANGES_OF_HOURS} times in {CHANGES_WITHIN.days} days at most.",
        )
    # The newest entry that is older than any turn is still the one such a turn began under.
    old = [hours for hours in before if _instant(hours["since"]) <= now - KEPT]
    return [dict(hours) for hours in [*old[-1:], *before[len(old) :]]] + [entry]


def _change_vacation(
    before: Sequence[Mapping[str, Any]], wanted: Sequence[tuple[date, date]], where: ZoneInfo, now: datetime
) -> list[dict[str, Any]]:
    today = now.astimezone(where).date()
    spent = [_until(entry, today, now) for entry in before if _instant(entry["begins_at"]) < now]
    over = set().union(
        *(_days(date.fromisoformat(entry["first_day"]), date.fromisoformat(entry["last_day"])) for entry in spent)
    )
    entries = spent
    for first, last in wanted:
        new = (
            sorted(day for day in _days(first, min(last, today - timedelta(days=1))) if day not in over)
            if first < today
            else []
        )
        if new:
            raise ClockError(
                "calendar.vacation", f"{new[0]} is already over; a vacation can begin today at the earliest."
            )
        if last - today > VACATION_AHEAD:
            raise ClockError("calendar.vacation", f"{last} is more than a year ahead.")
        entry = _vacation(max(first, today), last, where, now)
        if entry is not None:
            entries = _appended(entries, entry)
    _check_allowance(
        [(date.fromisoformat(entry["first_day"]), date.fromisoformat(entry["last_day"])) for entry in entries]
    )
    return [entry for entry in entries if _instant(entry["ends_at"]) > now - KEPT]


def _until(entry: Mapping[str, Any], today: date, now: datetime) -> dict[str, Any]:
    """What is over of a vacation that has begun."""
    if _instant(entry["ends_at"]) <= now:
        return dict(entry)
    first = date.fromisoformat(entry["first_day"])
    last = max(first, min(date.fromisoformat(entry["last_day"]), today))
    return {**entry, "last_day": last.isoformat(), "ends_at": _text(now)}


def _vacation(first: date, last: date, where: ZoneInfo, now: datetime) -> dict[str, Any] | None:
    """The vacation as far as it is still to come; None if nothing is."""
    if last < first:
        return None
    begins = max(now, first_instant(datetime.combine(first, time()), where))
    ends = last_instant(datetime.combine(last, time()) + timedelta(days=1), where)
    if ends <= begins:
        return None
    return {
        "first_day": first.isoformat(),
        "last_day": last.isoformat(),
        "begins_at": _text(begins),
        "ends_at": _text(ends),
    }


def _appended(entries: list[dict[str, Any]], entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries with one more; a vacation that was cut only to be continued at once becomes whole again."""
    for index, earlier in enumerate(entries):
        if earlier["ends_at"] == entry["begins_at"]:
            return [
                *entries[:index],
                {**earlier, "last_day": entry["last_day"], "ends_at": entry["ends_at"]},
                *entries[index + 1 :],
            ]
    return [*entries, entry]


def shown(stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """The calendar as its player sees it; sending it back changes nothing."""
    hours = stored["hours"][-1] if stored and stored["hours"] else DEFAULTS
    spans = _joined(
        [
            (date.fromisoformat(entry["first_day"]), date.fromisoformat(entry["last_day"]))
            for entry in (stored or DEFAULTS)["vacation"]
        ]
    )
    vacation = [[first.isoformat(), last.isoformat()] for first, last in spans]
    return {"time_zone": hours["time_zone"], "quiet_hours": hours["quiet_hours"], "vacation": vacation}


def load_calendar(stored: Mapping[str, Any] | None) -> Calendar:
    """What the clock reads out of the stored form; None is a calendar without any pause."""
    if stored is None:
        return Calendar()
    hours = []
    for entry in stored["hours"]:
        quiet = entry["quiet_hours"]
        times = (time.fromisoformat(quiet[0]), time.fromisoformat(quiet[1])) if quiet else None
        hours.append(Hours(_instant(entry["since"]), zone(entry["time_zone"]), times))
    vacations = tuple((_instant(entry["begins_at"]), _instant(entry["ends_at"])) for entry in stored["vacation"])
    return Calendar(tuple(hours), vacations)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
