"""The times at which reminders go out (NT6). Pure."""

from datetime import datetime, timedelta

from core.calendars.pauses import quiet_hours
from core.notifications.choices import mark
from games.clocks import Calendar

JUST_BEFORE = timedelta(minutes=1)
SOON_AFTER = timedelta(hours=1)


def before_deadline(text: str, since: datetime, due: datetime) -> timedelta:
    """Return how long before the deadline a mark is: a span, or a share of the turn's time."""
    found = mark(text)
    return found if isinstance(found, timedelta) else (due - since) * found


def moment(text: str, since: datetime, due: datetime, calendar: Calendar) -> datetime | None:
    """Return when a mark of a turn is reached; None: before the turn began, so it is skipped.

    A mark in quiet hours, or whose deadline falls in them or within an hour after, is moved to just before they begin.
    """
    at = due - before_deadline(text, since, due)
    if at < since:
        return None
    hours = calendar.hours_at(since)
    if hours is None or hours.quiet is None:
        return at
    for span in quiet_hours(hours.zone, *hours.quiet, since):
        if span.start > due:
            break
        if span.start <= at < span.end or (at >= span.start and due <= span.end + SOON_AFTER):
            at = min(at, span.start - JUST_BEFORE)
            break
    return at if at >= since else None
