"""Options of games. Each is described once, as data; checks, defaults and the JSON Schema follow from that."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from core.values import Faults, Value, of_field
from core.values import schema as schema_of_value
from games.rules.moves import said


class SetupError(ValueError):
    """A game that cannot be opened. `field` is the wrong value's dotted name: "seats", "options.decks", ...

    `faults` are all that is wrong, by field, where more than the first is known.
    """

    def __init__(self, field: str, detail: str, faults: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(detail)
        self.field = field
        self.detail = detail
        self.faults = list(faults)


def option(name: str, default: int | bool | str | None, explanation: str, **about: Any) -> Value:
    """An integer within a range, a boolean, or one of several `words`. A default of None depends on the seats."""
    return Value(name=name, type=int if default is None else type(default), default=default, help=explanation, **about)


def complete(options: Iterable[Value], raw: object, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for every option: from `raw`, else from `defaults`, else its own default.

    Raises SetupError if `raw` is not an object, an option is unknown, or a value is of the wrong type or out of range.
    """
    if not isinstance(raw, Mapping):
        raise SetupError("options", "options must be an object.")
    known = {option.name: option for option in options}
    for name in raw:
        if name not in known:
            raise SetupError(f"options.{name}", f"Unknown option {said(name)}. The options are {', '.join(known)}.")
    faults = Faults()
    values = {
        name: option.fit(raw.get(name, defaults.get(name, option.default)), faults, name)
        for name, option in known.items()
    }
    for name, sentence in faults.items():
        raise SetupError(f"options.{name}", of_field(name, sentence))
    return values


def of_ruleset(options: Iterable[Value], defaults: Mapping[str, Any]) -> dict[str, Value]:
    """The options by name, with the defaults of a ruleset."""
    return {one.name: replace(one, default=defaults.get(one.name, one.default)) for one in options}


def schema(options: Mapping[str, Value]) -> dict[str, Any]:
    """The JSON Schema of options."""
    parts = {name: schema_of_value(one) for name, one in options.items()}
    return {"type": "object", "properties": parts, "additionalProperties": False}


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
