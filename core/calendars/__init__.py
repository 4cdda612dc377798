"""Calendars of players: zone, quiet hours, vacations. Pure functions: the current time is always an argument."""

from core.calendars.calendar import ClockError, shown
from core.calendars.change import VACATION_DAYS_A_YEAR, change_calendar
