"""Settings of a plan: values that also say where they stand in the form and for which kinds of tournament they are."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.values import Faults, Value
from tournaments.rules.settings import KINDS

if TYPE_CHECKING:
    from tournaments.stream.plan import Plan

ENTRANT = re.compile(r"e[1-9][0-9]{0,6}")
NO_ENTRANT = "Must be the key of an entrant, such as e3."
# A sum of fractions has as many digits as their denominators together, unless those have common multiples. All up to
# 9,999 have one of 4,349 digits, so that exact points stay cheap to compute, whatever organisers give.
MOST_DIGITS, MOST_BELOW = 15, 4
SHORT = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}(/0*[1-9][0-9]{{0,{MOST_BELOW - 1}}})?")
TOO_LONG = f"Must have at most {MOST_DIGITS} digits, and at most {MOST_BELOW} in the denominator."

HOUR, DAY = 3600, 86_400
YEAR = 366 * DAY
WITH_TABLES = ("rounds", "knockout")
GROUPS = (
    "Game and rules",
    "Entries",
    "Rounds and tables",
    "Schedule",
    "Changes of the rules",
    "Points and clock",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setting(Value):
    """A setting, whose name is its path in the JSON, as in `settings.tables.size`.

    kinds: the kinds of tournament that it is for; in others it must have its default, unless it is `lenient`.
    Of the form: group (none: it has no field), shown_as (its name there, by default the last part of the path), unit
    (seconds for one of the form's units). Of the terms: term, under which `said` is read.
    """

    words: Mapping[str, str] | None = None
    least: int | None = 1
    kinds: tuple[str, ...] = KINDS
    lenient: bool = False
    group: str | None = None
    shown_as: str = ""
    unit: int = 1
    term: str | None = None
    said: Callable[["Plan"], str | None] = lambda _: None

    @property
    def of_form(self) -> str:
        """The name of its field in the form."""
        return self.shown_as or self.name.rpartition(".")[2]

    def check(self, plan: "Plan", faults: Faults) -> None:
        """Refuse it in a kind of tournament in which it has no meaning."""
        if plan.kind in self.kinds or self.lenient:
            return
        outer, _, name = self.name.rpartition(".")
        value = plan.settings[name] if outer else getattr(plan, name)
        if value != self.default:
            faults.refuse(self.name, f"Leave {name} out: only {' or '.join(self.kinds)} tournaments can have it.")


def setting(**about: Any) -> Any:
    return field(metadata={"value": Setting(**about)})


def entrant_key(given: str) -> str:
    """The name of an entrant. Raises ValueError."""
    if not is_entrant(given):
        raise ValueError(NO_ENTRANT)
    return given


def is_entrant(value: object) -> bool:
    return isinstance(value, str) and ENTRANT.fullmatch(value) is not None


def is_short(number: object) -> bool:
    """Return whether a number as it was sent, an integer or a text like "-1/2", has few enough digits to count with."""
    return bool(SHORT.fullmatch(str(number)))


def lot_or_names(value: Any) -> str | tuple[str, ...]:
    """How a knockout is seeded: lot, rating, or by entrants, each once. Raises ValueError."""
    if value in ("lot", "rating"):
        return str(value)
    if not isinstance(value, list | tuple) or not all(is_entrant(key) for key in value):
        raise ValueError('Must be "lot", "rating" or a list of entrants, such as ["e3", "e1"].')
    if len(set(value)) < len(value):
        raise ValueError("An entrant is listed twice.")
    return tuple(value)
