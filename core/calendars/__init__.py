"""Calendars of players: zone, quiet hours, vacations. Pure functions: the current time is always an argument."""

from core.calendars.calendar import Calendar, Interval, load_calendar, moment_text, shown
from core.calendars.change import change_calendar
from core.calendars.errors import ClockError
from core.calendars.reading import VACATION_DAYS_A_YEAR, complete_calendar

__all__ = [
    "VACATION_DAYS_A_YEAR",
    "Calendar",
    "ClockError",
    "Interval",
    "change_calendar",
    "complete_calendar",
    "load_calendar",
    "moment_text",
    "shown",
]
