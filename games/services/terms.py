"""The terms of a room, and their validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.conf import settings

from core.accounts.models import Player
from core.refusals import Invalid, NotFound, errors_in, invalid
from core.values import Faults, Value, of_field, values_of
from games.clocks import ClockError, complete_clock
from games.hooks import SAVED
from games.models import Game
from games.rules import GAMES, PLAYED, SetupError, game_of
from games.rules import Game as Rules
from games.rules.shedding import HOUSE_GAME

Error = tuple[str, str, str]
"""Code, field and sentence."""
Visibility = Annotated[str, Value(words=Game.Visibility.values)]
Start = Annotated[
    str,
    Value(
        words=Game.Start.values,
        help="`full`: the game starts as soon as all seats are taken; the opener can start it earlier.",
    ),
]
Talk = Annotated[
    str,
    Value(
        words=Game.Talk.values,
        help="What can be said at the table. Default: `all` in private rooms, `signs` in public ones.",
    ),
]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a room. What is left out has its default; the values may have any type until they are checked."""

    game: str
    seats: int
    ruleset: str | None = None
    options: Mapping[str, Any] | None = None
    visibility: Visibility = "public"
    rated: bool | None = None
    clock: Mapping[str, Any] | None = None
    plans: bool = True
    start: Start = Game.Start.OPENER.value
    talk: Talk | None = None
    by: Rules | None = None
    """The house game of a room that keeps its rules: they were accepted when it was opened (HG17)."""

    @property
    def counts(self) -> bool:
        """Whether it is rated: house games never are (HG21), others unless it says so."""
        return self.game in GAMES if self.rated is None else self.rated

    def check(self) -> None:
        """Raises Invalid, naming every field at fault."""
        if errors := errors_of(self):
            codes = {code for code, _, _ in errors}
            code = codes.pop() if len(codes) == 1 else "invalid"
            raise invalid(code, [(field, detail) for _, field, detail in errors])

    def complete(self) -> dict[str, Any]:
        """What a room may change of them, as events have it. Raises Invalid, naming every field at fault."""
        self.check()
        ruleset, options = complete_options(self.by or PLAYED[self.game], self.seats, self.ruleset, self.asked_options)
        return {
            "ruleset": ruleset,
            "options": options,
            "asked_options": dict(self.asked_options),
            "seats": self.seats,
            "clock": _complete_clock({} if self.clock is None else self.clock),
            "visibility": self.visibility,
            "start": self.start,
            "named_clock": bool(self.clock),
            "talk": self.talk,
        }

    @property
    def asked_options(self) -> Mapping[str, Any]:
        return {} if self.options is None else self.options


def complete_options(game: Rules, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
    try:
        return game.complete_options(seats, ruleset, options)
    except SetupError as error:
        raise Invalid(_code_of(error.field), error.detail, field=error.field) from None


def with_saved(player: Player | None, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody wants to open, with the rules of its `house_game` in place of the name of that one.

    Raises Invalid (the game is no house game, or has options besides), NotFound.
    """
    given = dict(wanted)
    saved = given.pop("house_game", None)
    if saved is None:
        return given
    if not isinstance(saved, str):
        return dict(wanted)  # whoever reads it refuses it, with whatever else is wrong
    if given.get("game") != HOUSE_GAME.name or given.get("options"):
        raise Invalid(
            "bad_options", "Send house_game only with the game `house`, and without options.", field="house_game"
        )
    for rules_of in SAVED:
        return given | {"options": {"rules": rules_of(player, saved)}}
    raise NotFound("not_found", "There is no such house game.")


def errors_of(terms: Terms) -> list[Error]:
    errors: list[Error] = []
    if not isinstance(terms.game, str) or terms.game not in PLAYED:
        errors.append(("unknown_game", "game", f"game must be one of {', '.join(sorted(PLAYED))}."))
    else:
        errors += [(_code_of(field), field, detail) for field, detail in _setup_errors(terms)]
        if terms.rated is True and terms.game not in GAMES:
            errors.append(("bad_rated", "rated", "House games are not rated."))
    faults = Faults()
    for name in ("visibility", "rated", "plans", "start", "talk"):
        values_of(Terms)[name].take({name: getattr(terms, name)}, faults)
    errors += [(_code_of(field), field, of_field(field, detail)) for field, detail in faults.items()]
    if terms.clock is not None:
        errors += [("bad_clock", *error) for error in errors_in(terms.clock, _complete_clock, ClockError)]
    return errors


def _setup_errors(terms: Terms) -> list[tuple[str, str]]:
    try:
        (terms.by or PLAYED[terms.game]).complete_options(terms.seats, terms.ruleset, terms.asked_options)
    except SetupError as error:
        if error.faults:
            return error.faults
    rules = terms.by or game_of(terms.game, terms.asked_options)
    of_seats = errors_in(terms.seats, lambda seats: rules.complete_options(seats, None, {}), SetupError)
    seats = rules.min_seats if of_seats else terms.seats
    of_ruleset = errors_in(terms.ruleset, lambda name: rules.complete_options(seats, name, {}), SetupError)
    ruleset = None if of_ruleset else terms.ruleset
    of_options = errors_in(
        terms.asked_options, lambda options: rules.complete_options(seats, ruleset, options), SetupError
    )
    return [*of_seats, *of_ruleset, *of_options]


def _complete_clock(raw: object) -> dict[str, Any]:
    return complete_clock(raw, minimum_per_turn=settings.TREY_LIMITS["min_turn"])


def _code_of(field: str) -> str:
    return "bad_" + field.split(".", maxsplit=1)[0]
