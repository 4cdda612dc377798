"""Reading a request field by field, and the settings of a plan; errors name the field.

Each setting is one value, which the reading, the API's body and schema, the dashboard's form and the terms follow from.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints
from uuid import UUID

from core.refusals import Invalid
from core.text import checked, uuid_in
from tournaments.rules.settings import KINDS

if TYPE_CHECKING:
    from tournaments.stream.plan import Plan

ENTRANT = re.compile(r"e[1-9][0-9]{0,6}")
NO_ENTRANT = "Must name an entrant, such as e3."
# A sum of fractions has as many digits as their denominators together, unless those have common multiples. All up to
# 9,999 have one of 4,349 digits, so that exact points stay cheap to compute, whatever organisers give.
MOST_DIGITS, MOST_BELOW = 15, 4
SHORT = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}(/0*[1-9][0-9]{{0,{MOST_BELOW - 1}}})?")
TOO_LONG = f"At most {MOST_DIGITS} digits, and {MOST_BELOW} below the line of a fraction."

# Of a number, or the letters of a text, with no other limit.
MOST = 2**31 - 1

# Moments to which spans can be added, in any time zone.
YEARS = range(2000, 3000)

D = TypeVar("D")


class Reader:
    """Reads the keys of a JSON object; one that is missing or null has its default.

    Errors, unknown keys included, are collected for `check`; what cannot be read is given as the default.
    """

    def __init__(self, raw: Mapping[str, Any], known: Sequence[str]) -> None:
        self._raw = raw
        self._errors: dict[str, str] = {}
        for key in raw:
            if key not in known:
                self.refuse(str(key)[:80], f"Unknown key. Known here: {', '.join(known)}.")

    def refuse(self, name: str, detail: str) -> None:
        self._errors.setdefault(name, detail)

    def check(self) -> None:
        """Raises Invalid with all errors."""
        if self._errors:
            detail = " ".join(f"{name}: {sentence}" for name, sentence in self._errors.items())
            raise Invalid("invalid", detail, errors=list(self._errors.items()))

    @property
    def is_fine(self) -> bool:
        return not self._errors

    def take_in(self, part: "Reader", prefix: str, own: Sequence[str] | None = None) -> None:
        """Note the errors of a part of the object, under a prefix, of all keys or its `own`."""
        for name, detail in part._errors.items():  # noqa: SLF001
            self.refuse(prefix + name if own is None or name.partition(".")[0] in own else name, detail)

    def text(self, name: str, longest: int, *, required: bool = False) -> str:
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

    def _if(self, name: str, fits: Callable[[Any], bool], detail: str, default: D) -> Any | D:
        value = self._raw.get(name)
        if value is None or fits(value):
            return default if value is None else value
        self.refuse(name, detail)
        return default

    def choice(self, name: str, words: Sequence[str], default: str = "", *, required: bool = False) -> str:
        detail = f"Must be one of: {', '.join(words)}."
        if required and self._raw.get(name) is None:
            self.refuse(name, detail)
        return str(self._if(name, lambda value: isinstance(value, str) and value in words, detail, default))

    def flag(self, name: str, *, default: bool) -> bool:
        return bool(self._if(name, lambda value: isinstance(value, bool), "Must be true or false.", default))

    def whole(self, name: str, least: int, most: int, default: D = None) -> int | D:  # type: ignore[assignment]
        detail = f"Must be a whole number from {least} to {most}."
        return self._if(name, lambda value: type(value) is int and least <= value <= most, detail, default)

    def moment(self, name: str) -> datetime | None:
        value = self._raw.get(name)
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) and "T" in value.upper() else None
            if moment is not None and moment.utcoffset() is not None:
                if moment.year in YEARS:
                    return moment.astimezone(UTC)
                self.refuse(name, f"Must be between the years {YEARS[0]} and {YEARS[-1]}.")
                return None
        except ValueError:
            pass
        self.refuse(name, "Must be a moment with its time zone, such as 2026-11-21T18:00:00Z.")
        return None

    def object(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._if(name, lambda value: isinstance(value, Mapping), "Must be an object.", {})
        return found

    def entrant(self, name: str) -> str | None:
        return self._if(name, is_entrant, NO_ENTRANT, None)

    def uuid(self, name: str) -> UUID | None:
        found = self._if(
            name, lambda value: isinstance(value, str) and uuid_in(value) is not None, "Must be an id.", None
        )
        return uuid_in(found)

    def get(self, name: str) -> Any:
        return self._raw.get(name)

    def lot_or_names(self, name: str) -> str | tuple[str, ...]:
        value = self._raw.get(name)
        if value is None or value in ("lot", "rating"):
            return value or "lot"
        names = value if isinstance(value, list | tuple) else [None]
        if not all(is_entrant(key) for key in names):
            self.refuse(name, 'Must be "lot", "rating" or a list of entrants, such as ["e3", "e1"].')
        elif len(set(names)) < len(names):
            self.refuse(name, "Names an entrant twice.")
        else:
            return tuple(names)
        return "lot"


def is_entrant(value: object) -> bool:
    return isinstance(value, str) and ENTRANT.fullmatch(value) is not None


def is_short(number: object) -> bool:
    """Return whether a number as it was sent, an integer or a text like "-1/2", has few enough digits to count with."""
    return bool(SHORT.fullmatch(str(number)))


HOUR, DAY = 3600, 86_400
YEAR = 366 * DAY
WITH_TABLES = ("rounds", "knockout")
GROUPS = (
    "What is played",
    "Who may enter, and until when",
    "Rounds and tables",
    "How it goes on",
    "Who may change the rules",
    "Points and clock",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting. Those in `Plan` have their path and type from it.

    path: in the JSON, as in `settings.tables.size`. default: a value, or a function of what was read before it.
    required: whether a text may not be left out. least, most: of a number, or the length of a text. words: what a text
    can be, and what the form says. kinds: the kinds of tournament that it is for; in others it must have its default,
    unless it is `lenient`. read: how it is read, if its type does not say so. help: a sentence for people; about: one
    for clients instead. schema: JSON Schema that the type does not express.

    Of the form: group (none: it has no field), field (default: the last part of the path), label, empty (what an empty
    field says), unit (seconds for one of the form's units). Of the terms: term, under which `said` is read.
    """

    path: str = ""
    type: Any = int
    default: Any = None
    required: bool = False
    least: int = 1
    most: int | None = None
    words: Mapping[str, str] | None = None
    kinds: tuple[str, ...] = KINDS
    lenient: bool = False
    read: Callable[[Reader], Any] | None = None
    about: str | None = None
    schema: Mapping[str, Any] | None = None
    group: str | None = None
    field: str = ""
    label: str | None = None
    help: str = ""
    empty: str | None = None
    unit: int = 1
    term: str | None = None
    said: Callable[["Plan"], str | None] = lambda _: None

    @property
    def name(self) -> str:
        return self.field or self.path.rpartition(".")[2]

    def default_after(self, before: Mapping[str, Any]) -> Any:
        return self.default(before) if callable(self.default) else self.default

    def value(self, read: Reader, before: Mapping[str, Any]) -> Any:
        """Its value in a request; errors are noted. `before`: the settings that were read before it."""
        default = self.default_after(before)
        if self.read is not None:
            return self.read(read)
        if self.words is not None:
            return read.choice(self.path, tuple(self.words), default)
        if self.type is bool:
            return read.flag(self.path, default=default)
        if self.type is datetime:
            return read.moment(self.path)
        if self.type is UUID:
            return read.uuid(self.path)
        if self.type is str:
            return read.text(self.path, self.most or MOST, required=self.required) or default
        most = before.get("most_entrants", MOST) if self.most is None else self.most
        return read.whole(self.path, self.least, most, default)

    def check(self, plan: "Plan", read: Reader) -> None:
        """Refuse it in a kind of tournament in which it has no meaning."""
        if plan.kind in self.kinds or self.lenient:
            return
        outer, _, name = self.path.rpartition(".")
        value = plan.settings[name] if outer else getattr(plan, name)
        if value != self.default:
            read.refuse(self.path, f"Only a tournament of the kind {' or '.join(self.kinds)} has {name}.")


def setting(**about: Any) -> Any:
    return field(metadata={"setting": Setting(**about)})


def settings_of(plan: type) -> dict[str, Setting]:
    """The settings among the fields of a class, by name, which is their path; their types are the fields'."""
    hints, found = get_type_hints(plan), {}
    for one in fields(plan):
        if "setting" in one.metadata:
            types = [kind for kind in get_args(hints[one.name]) or (hints[one.name],) if kind is not type(None)]
            found[one.name] = replace(one.metadata["setting"], path=one.name, type=types[0])
    return found
