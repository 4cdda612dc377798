"""Options of games. Each is described once, as data; checks, defaults and the JSON Schema follow from that."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.moves import said

_TYPE_NAMES = {int: "integer", bool: "boolean", str: "string"}
_WORDS = {int: "an integer", bool: "true or false", str: "a string"}


class SetupError(ValueError):
    """A game that cannot be opened. `field` is the wrong value's dotted name: "seats", "options.decks", ..."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.field = field
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Option:
    """An option: an integer within a range, a boolean, or one of several words or numbers.

    A `default` of None depends on the number of seats, as `explanation` says.
    """

    name: str
    default: int | bool | str | None
    explanation: str
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[int | str, ...] = ()

    @property
    def kind(self) -> type[int] | type[bool] | type[str]:
        sample = self.choices[0] if self.choices else self.default
        return int if sample is None else type(sample)

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": _TYPE_NAMES[self.kind], "description": self.explanation}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.minimum is not None:
            schema |= {"minimum": self.minimum, "maximum": self.maximum}
        if self.default is not None:
            schema["default"] = self.default
        return schema

    def check(self, value: object) -> None:
        field = f"options.{self.name}"
        if type(value) is not self.kind:
            raise SetupError(field, f"{self.name} must be {_WORDS[self.kind]}.")
        if self.choices and value not in self.choices:
            listed = ", ".join(map(str, self.choices))
            raise SetupError(field, f"{self.name} must be one of {listed}, not {said(value)}.")
        low, high = self.minimum, self.maximum
        if low is not None and high is not None and isinstance(value, int) and not low <= value <= high:
            raise SetupError(field, f"{self.name} must be from {low} to {high}, not {said(value)}.")


def complete(options: Iterable[Option], raw: object, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for every option: from `raw`, else from `defaults`, else its own default.

    Raises SetupError if `raw` is not an object, an option is unknown, or a value is of the wrong type or out of range.
    """
    if not isinstance(raw, Mapping):
        raise SetupError("options", "options must be an object.")
    known = {option.name: option for option in options}
    for name in raw:
        if name not in known:
            raise SetupError(f"options.{name}", f"Unknown option {said(name)}. The options are {', '.join(known)}.")
    values = {name: raw.get(name, defaults.get(name, option.default)) for name, option in known.items()}
    for name, option in known.items():
        option.check(values[name])
    return values


def schema(options: Iterable[Option], defaults: Mapping[str, Any]) -> dict[str, Any]:
    properties = {option.name: option.schema() for option in options}
    for name, value in defaults.items():
        properties[name]["default"] = value
    return {"type": "object", "properties": properties, "additionalProperties": False}


def check_seats(seats: object, minimum: int, maximum: int, title: str) -> int:
    """Return the number of seats. Raises SetupError if the game is not for this many players."""
    if type(seats) is not int or not minimum <= seats <= maximum:
        raise SetupError("seats", f"{title} is for {minimum} to {maximum} players, not {said(seats)}.")
    return seats


def check_dealer(dealer: object, seats: int) -> int:
    """Return the dealer's seat. Raises SetupError if there is no such seat."""
    if type(dealer) is not int or not 0 <= dealer < seats:
        raise SetupError("dealer", f"dealer must be a seat from 0 to {seats - 1}, not {said(dealer)}.")
    return dealer


def check_ruleset(ruleset: object, rulesets: Mapping[str, Any], default: str, title: str) -> str:
    """Return the name of the ruleset; None is the default. Raises SetupError if the game has no such ruleset."""
    if ruleset is None:
        return default
    if not isinstance(ruleset, str) or ruleset not in rulesets:
        raise SetupError("ruleset", f"{title} has no ruleset {said(ruleset)}. Its rulesets: {', '.join(rulesets)}.")
    return ruleset
