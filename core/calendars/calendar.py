"""A player's calendar: daily quiet hours and vacation days, in the player's time zone.

Two shapes, both plain JSON. What a player sends and sees (the calendar):
    {"time_zone": "Europe/Berlin", "quiet_hours": ["22:00", "07:00"] | null, "vacation": [["2026-12-24", "2027-01-02"]]}
What is kept (the stored calendar):
    {"hours": [{"since": "...Z", "time_zone": "...", "quiet_hours": [...] | null}, ...],
     "vacation": [{"day": "2026-12-24", "begins_at": "...Z", "ends_at": "...Z"}, ...]}
`hours` is the history of zone and quiet hours, oldest first, because a turn keeps those that held when it began.
`vacation` has one entry per day with the instants between which that day pauses a clock, so that a day counts once,
whatever happens to the zone later.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from core.calendars.zones import zone

DEFAULTS: Mapping[str, Any] = {"time_zone": "UTC", "quiet_hours": None, "vacation": []}

Interval = tuple[datetime, datetime]


class ClockError(ValueError):
    """A clock policy or a calendar is invalid: the path of the field ("clock.per_turn"), and a sentence."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Hours:
    """The zone and quiet hours in force from `since` on; `quiet` is None when there are none."""

    since: datetime
    zone: ZoneInfo
    quiet: tuple[time, time] | None


@dataclass(frozen=True, slots=True)
class Calendar:
    """A clock's calendar: the history of quiet hours, oldest first, and the vacation days as UTC intervals."""

    hours: tuple[Hours, ...] = ()
    vacations: tuple[Interval, ...] = ()

    def hours_at(self, moment: datetime) -> Hours | None:
        """The hours in force at that moment; None before the first were set."""
        return next((hours for hours in reversed(self.hours) if hours.since <= moment), None)


def load_calendar(stored: Mapping[str, Any] | None) -> Calendar:
    """Read a stored calendar. None gives an empty one."""
    if stored is None:
        return Calendar()
    hours = []
    for entry in stored["hours"]:
        quiet = entry["quiet_hours"]
        times = (time.fromisoformat(quiet[0]), time.fromisoformat(quiet[1])) if quiet else None
        hours.append(Hours(instant(entry["since"]), zone(entry["time_zone"]), times))
    vacations = tuple((instant(entry["begins_at"]), instant(entry["ends_at"])) for entry in stored["vacation"])
    return Calendar(tuple(hours), vacations)


def shown(stored: Mapping[str, Any] | None) -> dict[str, Any]:
    """The calendar as its player sees it. Sending it back changes nothing."""
    hours = stored["hours"][-1] if stored and stored["hours"] else DEFAULTS
    days = (date.fromisoformat(entry["day"]) for entry in (stored or DEFAULTS)["vacation"])
    return {"time_zone": hours["time_zone"], "quiet_hours": hours["quiet_hours"], "vacation": spans(days)}


def spans(days: Iterable[date]) -> list[list[str]]:
    found: list[tuple[date, date]] = []
    for day in sorted(days):
        if found and day.toordinal() == found[-1][1].toordinal() + 1:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return [[first.isoformat(), last.isoformat()] for first, last in found]


def moment_text(moment: datetime) -> str:
    """A moment as it is stored and shown: RFC 3339 in UTC, without digits it does not need."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def instant(stored: str) -> datetime:
    return datetime.fromisoformat(stored)
