"""Settings from environment variables: those of variables.toml. A bad value raises StartupError, which names it."""

import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any


class StartupError(Exception):
    """Trey cannot run in this environment. The message is shown without a traceback, a sentence for each fault."""


GROUPS: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("variables.toml").read_text(encoding="utf-8")
)
GONE: dict[str, Any] = GROUPS.pop("gone")
LIMITS = GROUPS.pop("limits")
VARIABLES = {name: variable for group in GROUPS.values() for name, variable in group.items()}

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off"}


def check(*, production: bool) -> None:
    """Name everything that production lacks, and all that is set and no longer read.

    Raises StartupError in production; elsewhere the sentences are printed.
    """
    missing = [
        f"{name} must be set in production: {variable['required']}."
        for name, variable in VARIABLES.items()
        if production and "required" in variable and not _value(name).strip(" ,")
    ]
    gone = [
        f"{name} is no longer used: {instead.format(os.environ[name])}."
        for name, instead in GONE.items()
        if os.environ.get(name)
    ]
    if production and (missing or gone):
        raise StartupError("\n".join([*missing, *gone]))
    for sentence in gone:
        sys.stderr.write(f"trey: {sentence}\n")


def text(name: str, default: str = "") -> str:
    """The variable's value without surrounding spaces; the default when it is unset or empty."""
    return os.environ.get(name, "").strip() or default or str(VARIABLES[name].get("default", ""))


def choice(name: str, *values: str, default: str = "") -> str:
    value = text(name, default).lower()
    if value not in values:
        raise StartupError(f"{name} must be one of {', '.join(values)}, not {value!r}.")
    return value


def secret(name: str) -> str:
    """A value that is better kept in a file: the variable's own, or the content of the file that `name`_FILE names."""
    file = os.environ.get(f"{name}_FILE", "").strip()
    if not file:
        return text(name)
    if os.environ.get(name, "").strip():
        raise StartupError(f"Set {name} or {name}_FILE, not both.")
    try:
        value = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise StartupError(f"{name}_FILE names {file}, which cannot be read: {reason}.") from None
    if not value:
        raise StartupError(f"{name}_FILE names {file}, which is empty.")
    return value


def shown(name: str) -> str:
    """The present value as text, without what is secret."""
    variable, value = VARIABLES[name], _value(name)
    return "(secret)" if variable.get("secret") and value != variable.get("default", "") else value


def _value(name: str) -> str:
    return secret(name) if VARIABLES[name].get("secret") else text(name)


def flag(name: str) -> bool:
    """A boolean: 1 or 0, true or false, yes or no, on or off."""
    value = text(name).lower()
    if value in _YES or value in _NO:
        return value in _YES
    raise StartupError(f"{name} must be yes or no, not {value!r}.")


def integer(name: str, at_least: int = 0, at_most: int = 2**31) -> int:
    value = text(name)
    if not re.fullmatch(r"-?[0-9]{1,10}", value) or not at_least <= int(value) <= at_most:
        raise StartupError(f"{name} must be an integer from {at_least} to {at_most}, not {value!r}.")
    return int(value)


def listing(name: str) -> list[str]:
    return [item.strip() for item in text(name).split(",") if item.strip()]


def seconds(name: str, count: int) -> tuple[int, ...]:
    """Return lengths of time in whole seconds, separated by commas."""
    parts = [part.strip() for part in text(name).split(",")]
    if not all(part.isascii() and part.isdecimal() and 0 < int(part) <= 10**8 for part in parts) or len(parts) != count:
        raise StartupError(
            f"{name} must be {count} numbers of seconds, such as {VARIABLES[name]['default']}, not {text(name)!r}."
        )
    return tuple(int(part) for part in parts)
