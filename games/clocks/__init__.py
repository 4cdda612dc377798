"""Clocks: how long a turn may take, and why. Pure functions: the current time is always an argument."""

from core.calendars.calendar import Calendar, ClockError, load_calendar, moment_text, shown
from core.calendars.change import change_calendar, complete_calendar
from games.clocks.deadline import Duty, deadline, explain, public_segments, segments, spent
from games.clocks.outages import THRESHOLD, Uptime, certain_until, gap, known_outages
from games.clocks.policy import after_timeout, clock_schema, complete_clock, on_the_clock
