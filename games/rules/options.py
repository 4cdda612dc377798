"""Options of a game: described once, as data, and from that checked, completed and published as JSON Schema."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.errors import SetupError

_TYPE_NAMES = {int: "integer", bool: "boolean", str: "string"}


@dataclass(frozen=True, slots=True)
class Option:
    """One option: an integer with a range, a switch, or a choice of words or numbers.

    `default` of None means that the default follows from the number of seats, as `explanation` says.
    """

    name: str
    default: int | bool | str | None
    explanation: str
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[int | str, ...] = ()

    @property
    def kind(self) -> type[int] | type[bool] | type[str]:
        """int, bool or str."""
        sample = self.choices[0] if self.choices else self.default
        return int if sample is None else type(sample)

    def schema(self) -> dict[str, Any]:
        """This option as a JSON Schema."""
        schema: dict[str, Any] = {"type": _TYPE_NAMES[self.kind], "description": self.explanation}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.minimum is not None:
            schema |= {"minimum": self.minimum, "maximum": self.maximum}
        if self.default is not None:
            schema["default"] = self.default
        return schema

    def check(self, value: object) -> None:
        """Raises SetupError when `value` is none that this option can have."""
        field = f"options.{self.name}"
        if type(value) is not self.kind:
            raise SetupError(field, f"{self.name} must be of type {_TYPE_NAMES[self.kind]}.")
        if self.choices and value not in self.choices:
            listed = ", ".join(map(str, self.choices))
            raise SetupError(field, f"{self.name} must be one of {listed}.")
        low, high = self.minimum, self.maximum
        if low is not None and high is not None and isinstance(value, int) and not low <= value <= high:
            raise SetupError(field, f"{self.name} must be from {low} to {high}.")


def complete(options: Iterable[Option], raw: object, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """All options with their values: those of `raw`, else those of `defaults`, else each one's own default.

    Raises SetupError for what is no object, an unknown option, a wrong type or a value out of range.
    """
    if not isinstance(raw, Mapping):
        raise SetupError("options", "options must be an object.")
    known = {option.name: option for option in options}
    for name in raw:
        if name not in known:
            raise SetupError(f"options.{name}", f"There is no option {name} here; there are {', '.join(known)}.")
    values = {name: raw.get(name, defaults.get(name, option.default)) for name, option in known.items()}
    for name, option in known.items():
        option.check(values[name])
    return values


def schema(options: Iterable[Option], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """All options as one JSON Schema, with a ruleset's own `defaults` over the options' own."""
    properties = {option.name: option.schema() for option in options}
    for name, value in defaults.items():
        properties[name]["default"] = value
    return {"type": "object", "properties": properties, "additionalProperties": False}


def check_seats(seats: object, minimum: int, maximum: int, title: str) -> int:
    """The number of seats, when it is one that the game has; raises SetupError otherwise."""
    if type(seats) is not int or not minimum <= seats <= maximum:
        raise SetupError("seats", f"{title} is for {minimum} to {maximum} players, not {seats!r}.")
    return seats


def check_dealer(dealer: object, seats: int) -> int:
    """The dealer's seat; raises SetupError when nobody can sit there."""
    if type(dealer) is not int or not 0 <= dealer < seats:
        raise SetupError("dealer", f"The dealer must be a seat from 0 to {seats - 1}, not {dealer!r}.")
    return dealer


def check_ruleset(ruleset: object, rulesets: Mapping[str, Any], default: str, title: str) -> str:
    """The ruleset's name (None is the default one); raises SetupError when the game has no such ruleset."""
    if ruleset is None:
        return default
    if not isinstance(ruleset, str) or ruleset not in rulesets:
        raise SetupError("ruleset", f"{title} has no ruleset {ruleset!r}; there are {', '.join(rulesets)}.")
    return ruleset
