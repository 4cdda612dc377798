"""A value is declared once: a field of a class, which says what fits and how people are told of it.

    class Kick:
        seat: int = value(least=0, most=31, help="The seat to remove from the room.")

`read` makes values of a JSON object and names everything that does not fit; `schema_of` is its JSON Schema. Forms and
terms are made of the same values. Standard library only.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from core.refusals import Invalid

REQUIRED: Any = MISSING
LEFT_OUT: Any = object()
"""The default of a field that is simply not there if it is left out."""
YEARS = range(2000, 3000)
"""Moments to which spans can be added, in any time zone."""
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Unicode's Default_Ignorable_Code_Point, which Python's tables lack; and what UTF-8 cannot hold.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Letters and symbols that are drawn as nothing: blanks of Braille, of music and of hieroglyphs, and a missing object.
_BLANK = set("\u2800\U0001d159\U00013441\U00013442\ufffc")
# What scripts and pictures are written with.
_JOINERS = {"\u200c", "\u200d", "\ufe0f"}
MOST_MARKS = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Value:
    """One value. Its name, type and default are those of the field that it is declared at.

    sent: its type in JSON, if `read` makes something else of it. default: a value, or a function of those read before
    it. least, most: of a number, or the length of a text or list. words: what it can be; of a mapping the values are
    what people read. exact: a text keeps the white space around it. read: judges, or changes, what has the right type;
    raises ValueError with a sentence. schema: JSON Schema instead of that of the type. secret: nobody can read it
    again. help: a sentence for people; about: one for clients instead. label: of its field in a form; empty: what that
    says while nothing is typed or chosen.
    """

    name: str = ""
    type: Any = int
    sent: Any = None
    default: Any = None
    nullable: bool = False
    least: int | None = None
    most: int | None = None
    words: Collection[Any] | None = None
    exact: bool = False
    read: Callable[[Any], Any] | None = None
    schema: Mapping[str, Any] | None = None
    secret: bool = False
    help: str = ""
    about: str | None = None
    label: str | None = None
    empty: str | None = None

    @property
    def lowest(self) -> int | None:
        """The least it can be; a text is not empty unless it says so."""
        return 1 if self.least is None and self.type is str else self.least

    def default_after(self, before: Mapping[str, Any]) -> Any:
        return self.default(before) if callable(self.default) else self.default

    def take(self, given: Mapping[str, Any], faults: "Faults", before: Mapping[str, Any] = {}, at: str = "") -> Any:
        """Its value in an object; what is left out, or does not fit, has its default. `before`: those before it.

        An object with faults keeps what fits in it.
        """
        default, path = self.default_after(before), at + self.name
        if given.get(self.name) is None and (faults.null_is_nothing or self.name not in given):
            if default is REQUIRED:
                faults.refuse(path, "This field is required.")
            return None if default is REQUIRED else default
        known, found = len(faults), self.fit(given[self.name], faults, path)
        return found if len(faults) == known or default is REQUIRED or isinstance(found, dict) else default

    def fit(self, given: Any, faults: "Faults", path: str) -> Any:
        """What has the right type, within its bounds, as it is read; None if something is wrong, which is noted."""
        if given is None and self.nullable:
            return None
        known = len(faults)
        try:
            found = self._typed(given, faults, path)
            return found if self.read is None or len(faults) > known else self.read(found)
        except ValueError as error:
            faults.refuse(path, str(error))
            return None

    def _typed(self, given: Any, faults: "Faults", path: str) -> Any:
        kind = get_origin(self.type) or self.type
        if self.words is not None:
            if isinstance(given, bool) or not isinstance(given, str | int) or given not in self.words:
                raise ValueError(f"Must be one of: {', '.join(map(str, self.words))}.")
            return given
        if kind not in _READ:
            return _take_all(self.type, _object(given), faults, f"{path}.")
        found = _READ[kind](given)
        found = found.strip() if kind is str and not self.exact else found
        if kind in (int, float, str, list):
            size, low, high = len(found) if kind in (str, list) else found, self.lowest, self.most
            if (low is not None and size < low) or (high is not None and size > high):
                empty = kind in (str, list) and (low, high) == (1, None)
                raise ValueError("Must not be empty." if empty else f"Must be {self._bounds}.")
        item = self.item
        return found if item is None else [item.fit(one, faults, f"{path}.{n}") for n, one in enumerate(found)]

    @property
    def item(self) -> "Value | None":
        """What a list holds."""
        return _declared(get_args(self.type)[0], Value()) if get_origin(self.type) in (list, tuple) else None

    @property
    def _bounds(self) -> str:
        low, high = self.lowest, self.most
        what = {str: "{} characters", list: "{} items"}.get(get_origin(self.type) or self.type, "a whole number{}")
        between = f"at least {low}" if high is None else f"at most {high}" if low is None else f"{low} to {high}"
        return what.format(between if what[0] == "{" else f" from {between}" if " to " in between else f", {between}")


def checked(text: str, longest: int, *, joiners: bool = True, breaks: bool = False) -> str:
    """The text in NFC without white space around it.

    Raises ValueError, with a sentence, unless it has 1 to `longest` characters, something to see, no control characters
    (but line breaks with `breaks`), no invisible ones (but joiners) and at most MOST_MARKS marks in a row.
    """
    text, marks = unicodedata.normalize("NFC", text), 0
    for character in text:
        category = unicodedata.category(character)
        invisible = _INVISIBLE.match(character) and not (joiners and character in _JOINERS)
        if invisible or (category in ("Cc", "Zl", "Zp") and not (breaks and character == "\n")):
            raise ValueError(f"It must not contain the invisible character U+{ord(character):04X}.")
        marks = marks + 1 if category.startswith("M") else 0
        if marks > MOST_MARKS:
            raise ValueError(f"It can have at most {MOST_MARKS} marks, such as accents, in a row.")
    line = text.strip()
    if not 1 <= len(line) <= longest:
        raise ValueError(f"Must be 1 to {longest} characters.")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in set(line) - _BLANK):
        raise ValueError("It must have something visible in it.")
    return line


def value(default: Any = REQUIRED, **about: Any) -> Any:
    """A field of a class that is no dataclass."""
    return Value(default=default, **about)


def of_field(name: str, sentence: str) -> str:
    """A sentence about a value with its name: "per_turn must be a whole number from 30 to 60."."""
    return f"{name} m{sentence[1:]}" if sentence.startswith("Must") else f"{name}: {sentence}"


class Faults(dict[str, str]):
    """What does not fit: by its dotted path, the first sentence about it. `null_is_nothing`: null is as left out."""

    def __init__(self, *, null_is_nothing: bool = False) -> None:
        super().__init__()
        self.null_is_nothing = null_is_nothing

    def refuse(self, path: str, sentence: str) -> None:
        self.setdefault(path, sentence)

    def refuse_unknown(self, given: Mapping[str, Any], known: Collection[str], at: str = "") -> None:
        for key in [key for key in given if key not in known][:10]:
            listed = f"Unknown key. Choose from: {', '.join(known)}." if known else "This call takes no fields."
            self.refuse(f"{at}{str(key)[:80]}", listed)

    def take_in(self, part: "Faults", prefix: str, own: Collection[str] | None = None) -> None:
        """Note those of a part of the object, under a prefix: all, or those of its `own` keys."""
        for path, sentence in part.items():
            is_part = own is None or path.partition(".")[0] in own
            self.refuse((prefix + path).rstrip(".") if is_part else path, sentence)

    def check(self) -> None:
        """Raises Invalid, which names them all."""
        if self:
            detail = " ".join(f"{path}: {sentence}" for path, sentence in self.items())
            raise Invalid("invalid", detail, errors=list(self.items()))


def read(kind: type, given: Mapping[str, Any], *, null_is_nothing: bool = False) -> dict[str, Any]:
    """The values of an object, without those that may be left out and were. Raises Invalid, naming all faults.

    What its class has as `check`, with the object and the faults so far, notes what is wrong between its fields.
    """
    faults = Faults(null_is_nothing=null_is_nothing)
    found = _take_all(kind, given, faults)
    faults.check()
    return found


def _take_all(kind: type, given: Mapping[str, Any], faults: Faults, at: str = "") -> dict[str, Any]:
    values, found = values_of(kind), dict[str, Any]()
    for name, value in values.items():
        if (one := value.take(given, faults, found, at)) is not LEFT_OUT:
            found[name] = one
    faults.refuse_unknown(given, values, at)
    if not at and (check := getattr(kind, "check", None)) is not None:
        check(given, faults)
    return found


@cache
def values_of(kind: type) -> Mapping[str, Value]:
    """What a class declares, by name, but variables of its own; what it takes over from other classes comes first."""
    fields, found = getattr(kind, "__dataclass_fields__", {}), dict[str, Value]()
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is ClassVar:
            continue
        default = fields[name].default if name in fields else getattr(kind, name, REQUIRED)
        about = fields[name].metadata.get("value") if name in fields else default
        found[name] = replace(_declared(hint, about if isinstance(about, Value) else Value(default=default)), name=name)
    return found


def _declared(hint: Any, about: Value) -> Value:
    """The value that a type hint declares, with what is known `about` it otherwise."""
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        found = next((one for one in more if isinstance(one, Value)), about)
        return _declared(hint, replace(found, default=about.default) if found.default is None else found)
    if get_origin(hint) in (Union, UnionType):
        some = [kind for kind in get_args(hint) if kind is not type(None)]
        one = _declared(some[0] if len(some) == 1 else object, about)
        return replace(one, nullable=len(some) < len(get_args(hint)))
    return replace(about, type=about.sent or (object if hint is Any else hint))


def schema_of(kind: type, ref: Callable[[type], dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of an object. `ref`: that of a class within it."""
    values = values_of(kind)
    required = [name for name, value in values.items() if value.default is REQUIRED]
    return {
        "type": "object",
        "description": cleandoc(kind.__doc__ or ""),
        "properties": {name: schema(value, ref) for name, value in values.items()},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def schema(value: Value, ref: Callable[[type], dict[str, Any]] | None = None) -> dict[str, Any]:
    """The JSON Schema of one value, with its default unless that depends on others. `ref`: as in `schema_of`."""
    shape = dict(value.schema) if value.schema is not None else _shape(value, ref)
    if value.nullable and "type" in shape:
        shape |= {"type": [shape["type"], "null"]} | ({"enum": [*shape["enum"], None]} if "enum" in shape else {})
    if value.default not in (None, REQUIRED, LEFT_OUT) and not callable(value.default):
        shape["default"] = value.default
    if not (text := value.about or value.help):
        return shape
    return {**({"allOf": [shape]} if "$ref" in shape else shape), "description": text}


def _shape(value: Value, ref: Callable[[type], dict[str, Any]] | None) -> dict[str, Any]:
    kind = get_origin(value.type) or value.type
    if value.words is not None:
        return {
            "type": "integer" if any(type(one) is int for one in value.words) else "string",
            "enum": list(value.words),
        }
    if ref is not None and kind not in _SHAPES:
        return ref(value.type)
    shape, least, most = _SHAPES[kind]
    more: dict[str, Any] = {least: value.lowest or None if kind is str else value.lowest, most: value.most}
    if value.item is not None:
        more["items"] = schema(value.item, ref)
    if value.secret:
        more["writeOnly"] = True
    return {**shape, **{key: one for key, one in more.items() if one is not None}}


_SHAPES: Mapping[Any, tuple[dict[str, Any], str, str]] = {
    bool: ({"type": "boolean"}, "", ""),
    int: ({"type": "integer"}, "minimum", "maximum"),
    float: ({"type": "number", "format": "double"}, "minimum", "maximum"),
    str: ({"type": "string"}, "minLength", "maxLength"),
    list: ({"type": "array"}, "minItems", "maxItems"),
    tuple: ({"type": "array"}, "minItems", "maxItems"),
    dict: ({"type": "object", "additionalProperties": {}}, "", ""),
    Mapping: ({"type": "object", "additionalProperties": {}}, "", ""),
    datetime: ({"type": "string", "format": "date-time"}, "", ""),
    UUID: ({"type": "string", "format": "uuid"}, "", ""),
    object: ({}, "", ""),
}


def _only(given: Any, *, kinds: tuple[type, ...], called: str) -> Any:
    if type(given) not in kinds:
        raise ValueError(f"Must be {called}.")
    return given


def _object(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise ValueError("Must be an object.")
    return given


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError("Must be a string.")
    if found := _UNSTORABLE.search(given):
        raise ValueError(f"The character U+{ord(found[0]):04X} cannot be stored.")
    return given


def _moment(given: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(given) if isinstance(given, str) and "T" in given.upper() else None
    except ValueError:
        moment = None
    if moment is None or moment.utcoffset() is None:
        raise ValueError("Must be a time with its time zone, such as 2026-11-21T18:00:00Z.")
    if moment.year not in YEARS:
        raise ValueError(f"Must be between the years {YEARS[0]} and {YEARS[-1]}.")
    return moment.astimezone(UTC)


def _id(given: Any) -> UUID:
    try:
        return UUID(_text(given))
    except ValueError:
        raise ValueError("Must be an id.") from None


_READ: Mapping[Any, Callable[[Any], Any]] = {
    bool: partial(_only, kinds=(bool,), called="true or false"),
    int: partial(_only, kinds=(int,), called="a whole number"),
    float: partial(_only, kinds=(int, float), called="a number"),
    str: _text,
    list: partial(_only, kinds=(list,), called="a list"),
    dict: _object,
    Mapping: _object,
    datetime: _moment,
    UUID: _id,
    object: lambda given: given,
}
