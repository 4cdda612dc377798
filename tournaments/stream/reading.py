"""Reading what a person asks for, field by field; what is wrong is refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from games.refusals import Invalid

ENTRANT = re.compile(r"e[1-9][0-9]{0,6}")
MAX_REASON = 500

D = TypeVar("D")


def moment_text(moment: datetime) -> str:
    """A moment as events and records have it: RFC 3339 in UTC, without digits it does not need."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


class Reader:
    """Reads the keys of a JSON object. A key that is missing or null has its default; an unknown one is refused.

    Every method raises Invalid (`bad_<field>`), whose `field` is the key.
    """

    def __init__(self, raw: Mapping[str, Any], known: Sequence[str]) -> None:
        for key in raw:
            if key not in known:
                raise Invalid("unknown_field", f"Unknown key. Known here: {', '.join(known)}.", field=str(key)[:80])
        self._raw = raw

    def text(self, name: str, longest: int, *, required: bool = False) -> str:
        """A line of text, without the white space around it; "" where it is missing."""
        value = self._raw.get(name)
        if value is None:
            if required:
                raise bad(name, "This field is required.")
            return ""
        if not isinstance(value, str):
            raise bad(name, "Must be a string.")
        value = value.strip()
        if not value.isprintable() or not 1 <= len(value) <= longest:
            raise bad(name, f"Must be 1 to {longest} printable characters.")
        return value

    def choice(self, name: str, words: Sequence[str], default: str = "", *, required: bool = False) -> str:
        """One of some words."""
        value = self._raw.get(name)
        if value is None and not required:
            return default
        if not isinstance(value, str) or value not in words:
            raise bad(name, f"Must be one of: {', '.join(words)}.")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """True or false."""
        value = self._raw.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise bad(name, "Must be true or false.")
        return value

    def whole(self, name: str, least: int, most: int, default: D = None) -> int | D:  # type: ignore[assignment]
        """A whole number within bounds."""
        value = self._raw.get(name)
        if value is None:
            return default
        if type(value) is not int or not least <= value <= most:
            raise bad(name, f"Must be a whole number from {least} to {most}.")
        return value

    def moment(self, name: str) -> datetime | None:
        """A moment, RFC 3339, in UTC."""
        value = self._raw.get(name)
        if value is None:
            return None
        if isinstance(value, datetime):
            return value.astimezone(UTC)
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) and "T" in value.upper() else None
            if moment is not None and moment.utcoffset() is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise bad(name, "Must be a moment with its time zone, such as 2026-11-21T18:00:00Z.")

    def object(self, name: str) -> Mapping[str, Any]:
        """A JSON object, empty where it is missing."""
        value = self._raw.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise bad(name, "Must be an object.")
        return value

    def entrant(self, name: str) -> str:
        """The name of an entrant: e and a number."""
        value = self._raw.get(name)
        if not isinstance(value, str) or not ENTRANT.fullmatch(value):
            raise bad(name, "Must name an entrant, such as e3.")
        return value

    def entrant_or_none(self, name: str) -> str | None:
        """The name of an entrant, or None where it is missing."""
        return None if self._raw.get(name) is None else self.entrant(name)

    def uuid(self, name: str) -> UUID | None:
        """An id, or None where it is missing."""
        value = self._raw.get(name)
        if value is None or isinstance(value, UUID):
            return value
        try:
            if isinstance(value, str):
                return UUID(value)
        except ValueError:
            pass
        raise bad(name, "Must be an id.")

    def get(self, name: str) -> Any:
        """A value as it is, to be read by somebody else."""
        return self._raw.get(name)

    def reason(self) -> str:
        """The reason that every ruling needs."""
        return self.text("reason", MAX_REASON, required=True)

    def lot_or_names(self, name: str) -> str | tuple[str, ...]:
        """`lot`, or a list of entrants, each once."""
        value = self._raw.get(name)
        if value is None or value == "lot":
            return "lot"
        names = value if isinstance(value, list | tuple) else [None]
        if not all(isinstance(key, str) and ENTRANT.fullmatch(key) for key in names):
            raise bad(name, 'Must be "lot" or a list of entrants, such as ["e3", "e1"].')
        if len(set(names)) < len(names):
            raise bad(name, "Names an entrant twice.")
        return tuple(names)


def bad(name: str, detail: str) -> Invalid:
    """The refusal of a field."""
    return Invalid("bad_" + name.split(".", maxsplit=1)[0], detail, field=name)
