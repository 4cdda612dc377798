"""Reading a request field by field; errors name the field."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from core.refusals import Invalid
from core.text import MAX_REASON, checked

ENTRANT = re.compile(r"e[1-9][0-9]{0,6}")
# A sum of fractions has as many digits as their denominators together, unless those have common multiples. All up to
# 9,999 have one of 4,349 digits, so that exact points stay cheap to compute, whatever organisers give.
MOST_DIGITS, MOST_BELOW = 15, 4
_SHORT = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}(/0*[1-9][0-9]{{0,{MOST_BELOW - 1}}})?")
TOO_LONG = f"At most {MOST_DIGITS} digits, and {MOST_BELOW} below the line of a fraction."

D = TypeVar("D")


class Reader:
    """Reads the keys of a JSON object. A key that is missing or null has its default.

    Errors, unknown keys included, are collected for `check` to raise at once; a method returns the default for a value
    it cannot read.
    """

    def __init__(self, raw: Mapping[str, Any], known: Sequence[str]) -> None:
        self._raw = raw
        self._errors: dict[str, str] = {}
        for key in raw:
            if key not in known:
                self.refuse(str(key)[:80], f"Unknown key. Known here: {', '.join(known)}.")

    def refuse(self, name: str, detail: str) -> None:
        """Note an error of a field; only the first of each field counts."""
        self._errors.setdefault(name, detail)

    def check(self) -> None:
        """Raises Invalid with all errors."""
        if self._errors:
            detail = " ".join(f"{name}: {sentence}" for name, sentence in self._errors.items())
            raise Invalid("invalid", detail, errors=list(self._errors.items()))

    def text(self, name: str, longest: int, *, required: bool = False) -> str:
        """A line of text without surrounding white space; "" if missing."""
        value = self._raw.get(name)
        if value is None and not required:
            return ""
        if value is None:
            self.refuse(name, "This field is required.")
        elif not isinstance(value, str):
            self.refuse(name, "Must be a string.")
        else:
            try:
                return checked(value, longest)
            except ValueError as error:
                self.refuse(name, str(error))
        return ""

    def choice(self, name: str, words: Sequence[str], default: str = "", *, required: bool = False) -> str:
        value = self._raw.get(name)
        if isinstance(value, str) and value in words:
            return value
        if value is not None or required:
            self.refuse(name, f"Must be one of: {', '.join(words)}.")
        return default

    def flag(self, name: str, *, default: bool) -> bool:
        value = self._raw.get(name)
        if isinstance(value, bool):
            return value
        if value is not None:
            self.refuse(name, "Must be true or false.")
        return default

    def whole(self, name: str, least: int, most: int, default: D = None) -> int | D:  # type: ignore[assignment]
        value = self._raw.get(name)
        if type(value) is int and least <= value <= most:
            return value
        if value is not None:
            self.refuse(name, f"Must be a whole number from {least} to {most}.")
        return default

    def moment(self, name: str) -> datetime | None:
        """A moment, RFC 3339, in UTC."""
        value = self._raw.get(name)
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) and "T" in value.upper() else None
            if moment is not None and moment.utcoffset() is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        self.refuse(name, "Must be a moment with its time zone, such as 2026-11-21T18:00:00Z.")
        return None

    def object(self, name: str) -> Mapping[str, Any]:
        value = self._raw.get(name)
        if isinstance(value, Mapping):
            return value
        if value is not None:
            self.refuse(name, "Must be an object.")
        return {}

    def entrant(self, name: str) -> str | None:
        value = self._raw.get(name)
        if value is None or (isinstance(value, str) and ENTRANT.fullmatch(value)):
            return value
        self.refuse(name, "Must name an entrant, such as e3.")
        return None

    def uuid(self, name: str) -> UUID | None:
        value = self._raw.get(name)
        if value is None:
            return None
        try:
            if isinstance(value, str):
                return UUID(value)
        except ValueError:
            pass
        self.refuse(name, "Must be an id.")
        return None

    def get(self, name: str) -> Any:
        return self._raw.get(name)

    def reason(self) -> str:
        return self.text("reason", MAX_REASON, required=True)

    def lot_or_names(self, name: str) -> str | tuple[str, ...]:
        """`lot` or `rating`, or a list of entrants, each once."""
        value = self._raw.get(name)
        if value is None or value in ("lot", "rating"):
            return value or "lot"
        names = value if isinstance(value, list | tuple) else [None]
        if not all(isinstance(key, str) and ENTRANT.fullmatch(key) for key in names):
            self.refuse(name, 'Must be "lot", "rating" or a list of entrants, such as ["e3", "e1"].')
        elif len(set(names)) < len(names):
            self.refuse(name, "Names an entrant twice.")
        else:
            return tuple(names)
        return "lot"


def is_short(number: object) -> bool:
    """Return whether a number as it was sent, an integer or a text like "-1/2", has few enough digits to count with."""
    return bool(_SHORT.fullmatch(str(number)))


def bad(name: str, detail: str) -> Invalid:
    return Invalid("invalid", detail, field=name)
