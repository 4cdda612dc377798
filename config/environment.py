"""Settings from environment variables. A bad value raises StartupError, which names the variable."""

import os
from pathlib import Path


class StartupError(Exception):
    """Trey cannot run in this environment. The message is one sentence, shown without a traceback."""


_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """The variable's value without surrounding spaces, or `default` when it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def choice(name: str, default: str, *others: str) -> str:
    value = text(name, default).lower()
    if value not in (default, *others):
        raise StartupError(f"{name} must be one of {', '.join((default, *others))}, not {value!r}.")
    return value


def secret(name: str, default: str = "") -> str:
    """A value that is better kept in a file: the variable's own, or the content of the file that `name`_FILE names."""
    file = text(f"{name}_FILE")
    if not file:
        return text(name, default)
    if text(name):
        raise StartupError(f"Set {name} or {name}_FILE, not both.")
    try:
        value = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise StartupError(f"{name}_FILE names {file}, which cannot be read: {reason}.") from None
    if not value:
        raise StartupError(f"{name}_FILE names {file}, which is empty.")
    return value


def flag(name: str, default: bool = False) -> bool:
    """A boolean: 1 or 0, true or false, yes or no, on or off."""
    value = text(name).lower()
    if not value:
        return default
    if value in _YES or value in _NO:
        return value in _YES
    raise StartupError(f"{name} must be yes or no, not {value!r}.")


def integer(name: str, default: int, at_least: int = 0, at_most: int = 2**31) -> int:
    value = text(name)
    if not value:
        return default
    if not value.isascii() or not value.lstrip("-").isdecimal() or not at_least <= int(value) <= at_most:
        raise StartupError(f"{name} must be an integer from {at_least} to {at_most}, not {value!r}.")
    return int(value)


def listing(name: str) -> list[str]:
    return [item.strip() for item in text(name).split(",") if item.strip()]


def seconds(name: str, default: str, count: int) -> tuple[int, ...]:
    """Return lengths of time in whole seconds, separated by commas, in ascending order."""
    parts = [part.strip() for part in text(name, default).split(",")]
    if not all(part.isascii() and part.isdecimal() and 0 < int(part) <= 10**8 for part in parts) or len(parts) != count:
        raise StartupError(f"{name} must be {count} numbers of seconds, such as {default}, not {text(name)!r}.")
    return tuple(int(part) for part in parts)


_SECONDS = {"s": 1, "min": 60, "h": 3600, "day": 86400}


def rate(name: str, default: str) -> tuple[int, int] | None:
    """A rate such as "300/min" as (count, seconds), with the units s, min, h and day; "none" is None: no limit."""
    value = text(name, default)
    if value.lower() == "none":
        return None
    number, _, unit = value.partition("/")
    if not (number.isascii() and number.isdecimal() and 0 < int(number) < 10**9 and unit in _SECONDS):
        raise StartupError(f"{name} must be a rate such as 300/min (units s, min, h, day) or none, not {value!r}.")
    return int(number), _SECONDS[unit]
