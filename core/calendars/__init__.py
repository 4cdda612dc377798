"""Calendars of players: zone, quiet hours, vacations. Pure functions: the current time is always an argument."""

from core.calendars.calendar import shown
from core.calendars.change import change_calendar
from core.calendars.errors import ClockError
from core.calendars.reading import VACATION_DAYS_A_YEAR
