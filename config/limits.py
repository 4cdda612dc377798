"""How often and how many: the usual limits, which `TREY_LIMITS="moves=240/min,games_per_player=20"` changes.

Trey's are in variables.toml. A feature declares its own in its AppConfig: `limits`, with the fields of a Limit by name.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.utils.module_loading import import_string

from config import environment
from config.environment import StartupError

_SECONDS = {"s": 1, "min": 60, "h": 3600, "day": 86400}


class Limit(NamedTuple):
    """A rate such as 600/min, or a number. One without `most` may be none; outside production nobody reaches it."""

    usual: str
    meaning: str
    least: int = 1
    most: int | None = None


def declared(features: Iterable[str]) -> dict[str, Limit]:
    """All limits by name: Trey's, and those of the features (dotted names of their AppConfigs)."""
    found = {name: Limit(**fields) for name, fields in environment.LIMITS.items()}
    for feature in features:
        found |= {name: Limit(*fields) for name, fields in getattr(import_string(feature), "limits", {}).items()}
    return found


def read(limits: Mapping[str, Limit], changes: Iterable[str], *, production: bool) -> dict[str, Any]:
    """Each limit as (count, seconds), as a number, or as None. Raises StartupError."""
    texts = {
        name: limit.usual if production or limit.most is not None else _high(limit) for name, limit in limits.items()
    }
    given: dict[str, str] = {}
    for change in changes:
        name, is_given, value = (part.strip() for part in change.partition("="))
        if not is_given:
            raise StartupError(f"TREY_LIMITS must look like moves=240/min,games_per_player=20, not {change!r}.")
        if name not in limits:
            raise StartupError(f"TREY_LIMITS has no limit {name!r}; there are {', '.join(sorted(limits))}.")
        if name in given:
            raise StartupError(f"TREY_LIMITS has {name} more than once.")
        given[name] = value
    return {name: _read(name, limits[name], value) for name, value in (texts | given).items()}


def shown(limit: tuple[int, int] | int | None) -> str:
    """A limit as it is written in TREY_LIMITS."""
    if isinstance(limit, tuple):
        return f"{limit[0]}/{next(unit for unit, seconds in _SECONDS.items() if seconds == limit[1])}"
    return "none" if limit is None else str(limit)


def _high(limit: Limit) -> str:
    _, is_rate, unit = limit.usual.partition("/")
    return f"100000/{unit}" if is_rate else "none"


def _read(name: str, limit: Limit, value: str) -> tuple[int, int] | int | None:
    if value == "none" and limit.most is None:
        return None
    number, is_rate, unit = value.partition("/")
    usual = "/" in limit.usual
    is_number = number.isascii() and number.isdecimal() and limit.least <= int(number) <= (limit.most or 10**9)
    if is_number and bool(is_rate) == usual and (not usual or unit in _SECONDS):
        return (int(number), _SECONDS[unit]) if usual else int(number)
    form = f"a rate such as {limit.usual} (units s, min, h, day)" if usual else f"a number from {limit.least}"
    most = " or none" if limit.most is None else f" to {limit.most}"
    raise StartupError(f"TREY_LIMITS: {name} must be {form}{most}, not {value!r}.")
