"""The findings of checks."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum


class Level(Enum):
    """The severity of a finding; the value is the exit status that it leads to."""

    OK = 0
    WARN = 1
    BAD = 2


OK, WARN, BAD = Level.OK, Level.WARN, Level.BAD


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: `name` is the check, `detail` what was found, `advice` what to do about it (empty if it is ok)."""

    level: Level
    name: str
    detail: str
    advice: str = ""


def length(time: timedelta) -> str:
    """A length of time for people: "12 seconds", "3 hours", "2 days"."""
    seconds = round(time.total_seconds())
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return f"{seconds} second{'' if seconds == 1 else 's'}"


def size(count: int) -> str:
    """A number of bytes for people: "350 MB"."""
    for unit, factor in (("GB", 1 << 30), ("MB", 1 << 20)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count // 1024} kB"
