"""Reading a plan: its shape, by what the game declares (PL2, PL4, PL5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.plans.checking import Mismatch, check
from games.rules.game import Game
from games.rules.moves import said
from games.rules.planning import YES_OR_NO, Condition, Form, Schema

MOST_LINES = 24
MOST_TURNS = 5

TURNS: Schema = {
    "type": "integer",
    "minimum": 1,
    "maximum": MOST_TURNS,
    "default": 1,
    "title": f"a whole number from 1 to {MOST_TURNS}",
}


class PlanError(ValueError):
    """A plan that cannot be read. `line` counts from 0; it is None if the plan itself is wrong.

    `field` is the dotted name of what is wrong in the line ("when.to_beat.0"), or in the plan ("turns").
    """

    def __init__(self, line: int | None, field: str, detail: str) -> None:
        super().__init__(detail)
        self.line = line
        self.field = field
        self.detail = detail

    def as_json(self) -> dict[str, Any]:
        """The error as PL11 prints it."""
        return {"line": self.line, "field": self.field, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a plan: the move, what must hold for it, and whether it is also tried out of turn (PL8)."""

    form: Form
    move: Mapping[str, Any]
    """The keys of the move except `move`, defaults included."""
    when: Sequence[tuple[Condition, Any]]
    interrupt: bool

    def as_json(self) -> dict[str, Any]:
        """The line as in a plan, complete."""
        return {
            "move": {"move": self.form.move, **self.move},
            "when": {condition.name: value for condition, value in self.when},
            "interrupt": self.interrupt,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that was read."""

    lines: Sequence[Line]
    turns: int

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON, defaults included."""
        return {"lines": [line.as_json() for line in self.lines], "turns": self.turns}


def read_plan(game: Game, raw: object) -> Plan:
    """Return the plan in `raw`, for a game. Raises PlanError for the plan itself, else for its first bad line."""
    if not isinstance(raw, dict):
        raise PlanError(None, "plan", f"A plan must be a JSON object with lines, not {said(raw)}.")
    try:
        _check_keys(raw, ("lines", "turns"), "", "A plan")
        if "lines" not in raw:
            raise Mismatch("lines", "A plan needs lines.")
        _check_count(raw["lines"])
        turns: Any = raw.get("turns", TURNS["default"])
        check(turns, TURNS, "turns")
    except Mismatch as wrong:
        raise PlanError(None, wrong.path, wrong.detail) from None
    return Plan([_line(game, number, line) for number, line in enumerate(raw["lines"])], turns)


def _check_count(lines: object) -> None:
    if not isinstance(lines, list):
        raise Mismatch("lines", f"lines must be a list of lines, not {said(lines)}.")
    if not 1 <= len(lines) <= MOST_LINES:
        raise Mismatch("lines", f"A plan has 1 to {MOST_LINES} lines, not {len(lines)}.")


def _line(game: Game, number: int, raw: object) -> Line:
    try:
        if not isinstance(raw, dict):
            raise Mismatch("lines", f"A line must be a JSON object with a move, not {said(raw)}.")
        _check_keys(raw, ("move", "when", "interrupt"), "", "A line")
        if "move" not in raw:
            raise Mismatch("move", "A line needs a move.")
        form, move = _move(game, raw["move"])
        when = _when(game, raw.get("when", {}))
        interrupt = raw.get("interrupt", False)
        check(interrupt, YES_OR_NO, "interrupt")
    except Mismatch as wrong:
        raise PlanError(number, wrong.path, f"Line {number}: {wrong.detail}") from None
    return Line(form, move, when, interrupt)


def _move(game: Game, raw: object) -> tuple[Form, Mapping[str, Any]]:
    if not isinstance(raw, dict):
        raise Mismatch("move", f'move must be a JSON object with the key "move", not {said(raw)}.')
    name = raw.get("move")
    names = list(dict.fromkeys(form.move for form in game.plan_forms))
    if not isinstance(name, str) or name not in names:
        raise Mismatch("move.move", f"move.move must be one of {', '.join(names)}, not {said(name)}.")
    form = _form(game, name, raw)
    _check_keys(raw, ("move", *form.keys), "move.", f"This {name}")
    for key in form.required:
        if key not in raw:
            raise Mismatch(f"move.{key}", f"This {name} needs the key {key}.")
    values = {key: raw.get(key, schema.get("default")) for key, schema in form.keys.items()}
    move = {key: value for key, value in values.items() if key in raw or key not in form.optional}
    for key, value in move.items():
        check(value, form.keys[key], f"move.{key}")
    return form, move


def _form(game: Game, name: str, raw: Mapping[str, Any]) -> Form:
    """The intended form: the one whose required keys are all given, else the one that has most of the given keys."""
    forms = [form for form in game.plan_forms if form.move == name]
    return max(forms, key=lambda form: _likeness(form, raw))


def _likeness(form: Form, raw: Mapping[str, Any]) -> tuple[int, bool]:
    return sum(key in raw for key in form.keys), all(key in raw for key in form.required)


def _when(game: Game, raw: object) -> Sequence[tuple[Condition, Any]]:
    if not isinstance(raw, dict):
        raise Mismatch("when", f"when must be a JSON object of conditions, not {said(raw)}.")
    known = {condition.name: condition for condition in game.plan_conditions}
    _check_keys(raw, tuple(known), "when.", "when")
    for name, value in raw.items():
        check(value, known[name].value, f"when.{name}")
    return [(known[name], value) for name, value in raw.items()]


def _check_keys(raw: Mapping[str, Any], known: Sequence[str], prefix: str, what: str) -> None:
    for key in raw:
        if key not in known:
            raise Mismatch(f"{prefix}{key}", f"{what} takes no key {said(key)}. The keys are {', '.join(known)}.")
