"""What a plan's settings have in common: each is one value, from which everything that knows settings follows.

The reading (`read`, `check_kind`), the API's body and schema (`tournaments.api.tournament_body`), the form of the
dashboard (`tournaments.admin.forms`), and what people read before they enter (`tournaments.picture.terms`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from tournaments.rules.settings import KINDS
from tournaments.stream.reading import Reader

if TYPE_CHECKING:
    from tournaments.stream.plan import Plan

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
"""The headings of the form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting. Those in `Plan` have their path and type from it.

    path: in the JSON, as in `settings.tables.size`. default: a value, or a function of what was read before it. least,
    most: of a number. words: what a text can be, and what the form says. kinds: the kinds of tournament that it is for;
    in others it must have its default, unless it is `lenient`. read: how it is read, if its type does not say so. help:
    a sentence for people; about: one for clients instead. schema: JSON Schema that the type does not express.

    Of the form: group (none: it has no field), field (default: the last part of the path), label, empty (what an empty
    field says), unit (seconds for one of the form's units). Of the terms: term, under which `said` is read.
    """

    path: str = ""
    type: Any = int
    default: Any = None
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

    def value(self, read: Reader, before: Mapping[str, Any]) -> Any:
        """Its value in a request; errors are noted. `before`: the settings that were read before it."""
        default = self.default(before) if callable(self.default) else self.default
        if self.read is not None:
            return self.read(read)
        if self.words is not None:
            return read.choice(self.path, tuple(self.words), default)
        if self.type is bool:
            return read.flag(self.path, default=default)
        if self.type is datetime:
            return read.moment(self.path)
        most = before["most_entrants"] if self.most is None else self.most
        return read.whole(self.path, self.least, most, default)

    def check(self, plan: "Plan", read: Reader) -> None:
        """Refuse it in a kind of tournament in which it has no meaning."""
        if plan.kind in self.kinds or self.lenient:
            return
        outer, _, name = self.path.rpartition(".")
        value = plan.settings[name] if outer else getattr(plan, name)
        if value != self.default:
            read.refuse(self.path, f"Only a tournament of the kind {' or '.join(self.kinds)} has {name}.")


def settings_of(plan: type) -> dict[str, Setting]:
    """The settings that the fields of a class declare, by path."""
    hints = get_type_hints(plan, include_extras=True)
    found = {}
    for field in fields(plan):
        [kind, *more] = get_args(hints[field.name]) or [hints[field.name]]
        for setting in more:
            if isinstance(setting, Setting):
                types = [one for one in get_args(kind) or (kind,) if one is not type(None)]
                found[field.name] = replace(setting, path=field.name, type=types[0])
    return found
