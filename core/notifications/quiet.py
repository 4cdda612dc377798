"""The quiet hours of a player's calendar, during which only `security` makes a noise (NT5)."""

from datetime import datetime

from core.accounts.models import Player
from core.calendars.calendar import load_calendar
from core.calendars.pauses import quiet_hours


def quiet_until(player: Player, now: datetime) -> datetime | None:
    """Return the end of the player's current quiet hours, or None outside them."""
    hours = load_calendar(player.calendar).hours_at(now)
    if hours is None or hours.quiet is None:
        return None
    for span in quiet_hours(hours.zone, *hours.quiet, now):
        if span.start > now:
            return None
        if now < span.end:
            return span.end
    return None
