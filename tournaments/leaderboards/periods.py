"""Periods (RA5): `all`, a year such as `2026`, or a month such as `2026-11`, in UTC."""

import re

from tournaments.leaderboards.tally import ALL

_PERIOD = re.compile(r"[1-9][0-9]{3}(-(0[1-9]|1[0-2]))?", re.ASCII)


def is_period(text: str) -> bool:
    """Return whether the text names a period."""
    return text == ALL or _PERIOD.fullmatch(text) is not None
