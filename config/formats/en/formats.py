"""The formats of times, the same as everywhere else: 21 Nov 2026, 13:05."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y, H:i"
