"""Words that several sentences share: who sits at a table, how much time is left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from games.platform.telling.kinds import About

SOMEBODY = "Somebody"


def name_of(about: About, player_id: str | None) -> str:
    """The name of a player who sits or sat at the table."""
    name: str = about.get("names", {}).get(player_id, SOMEBODY)
    return name


def listed(names: Sequence[str]) -> str:
    """Names in a row: "Bob", "Bob and Cho", "Bob, Cho and 2 bots"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def table_by_its_people(title: str, others: Sequence[str], bots: int) -> str:
    """A table as its people call it: "Threes with Bob and Cho"."""
    names = list(others)
    if bots:
        names.append("a bot" if bots == 1 else f"{bots} bots")
    return f"{title} with {listed(names)}" if names else title


def time_left(about: About, due: str) -> str:
    """Until when: in the player's own zone if it is known, else how long it is."""
    now: datetime = about["now"]
    moment = datetime.fromisoformat(due)
    if moment <= now:
        return "the time is up"
    span = length(moment - now)
    zone: ZoneInfo | None = about["zone"]
    if zone is None:
        return f"{span} left"
    here, there = now.astimezone(zone), moment.astimezone(zone)
    days = (there.date() - here.date()).days
    day = {0: "today", 1: "tomorrow"}.get(days, f"{there:%A}" if days < 7 else f"{there:%-d %B}")
    return f"till {day} {there:%H:%M}, {span} left"


def length(span: timedelta) -> str:
    """A length of time in one unit, rounded down: "5 h", "3 days"."""
    seconds = int(span.total_seconds())
    if seconds < 3600:
        return f"{max(1, seconds // 60)} min"
    if seconds < 48 * 3600:
        return f"{seconds // 3600} h"
    return f"{seconds // 86400} days"
