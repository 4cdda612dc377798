"""Reading a plan: its shape, by what the game declares, and the same as a JSON Schema for clients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.game import Game
from games.rules.moves import said
from games.rules.planning import YES_OR_NO, Condition, Form, Schema


class Mismatch(ValueError):  # noqa: N818 - it says what does not match
    """A value that does not fit its schema. `path` is its dotted name, such as "when.to_beat.0"."""

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(detail)
        self.path = path
        self.detail = detail


def check(value: object, schema: Schema, path: str) -> None:
    """Raise Mismatch unless the value fits. Knows anyOf, enum, booleans, integers with bounds, and lists."""
    if "anyOf" in schema:
        if not any(_fits(value, choice) for choice in schema["anyOf"]):
            raise _must_be(schema, value, path)
        return
    if "type" in schema and type(value) is not _TYPES[schema["type"]]:
        raise _must_be(schema, value, path)
    # By type as well: to Python, True is 1.
    if "enum" in schema and not any(value == choice and type(value) is type(choice) for choice in schema["enum"]):
        raise _must_be(schema, value, path)
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise _must_be(schema, value, path)
    if isinstance(value, list):
        _check_list(value, schema, path)


def _check_list(value: list[Any], schema: Schema, path: str) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        bound = f"at least {least}" if len(value) < least else f"at most {most}"
        raise Mismatch(path, f"{path} must have {bound} entries, not {len(value)}.")
    for index, entry in enumerate(value):
        check(entry, schema["items"], f"{path}.{index}")


def _fits(value: object, schema: Schema) -> bool:
    try:
        check(value, schema, "")
    except Mismatch:
        return False
    return True


_TYPES: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "array": list}


def _must_be(schema: Schema, value: object, path: str) -> Mismatch:
    return Mismatch(path, f"{path} must be {schema.get('title', 'something else')}, not {said(value)}.")


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
        return {"line": self.line, "field": self.field, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a plan: the move, what must hold for it, and whether it is also tried out of turn."""

    form: Form
    move: Mapping[str, Any]
    """The keys of the move except `move`, defaults included."""
    when: Sequence[tuple[Condition, Any]]
    interrupt: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "move": {"move": self.form.move, **self.move},
            "when": {condition.name: value for condition, value in self.when},
            "interrupt": self.interrupt,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    lines: Sequence[Line]
    turns: int

    def as_json(self) -> dict[str, Any]:
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


def schema_of(game: Game) -> dict[str, Any]:
    line = {
        "type": "object",
        "properties": {
            "move": {
                "description": "The move, in exactly one of its forms.",
                "oneOf": [form.schema for form in game.plan_forms],
            },
            "when": {
                "type": "object",
                "description": "What must be true, all of it.",
                "properties": {condition.name: condition.schema for condition in game.plan_conditions},
                "additionalProperties": False,
                "default": {},
            },
            "interrupt": {
                "type": "boolean",
                "description": "Also try this line out of turn, when you can interrupt.",
                "default": False,
            },
        },
        "required": ["move"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "lines": {
                "type": "array",
                "description": "The first line that is true and whose move is legal is played.",
                "items": line,
                "minItems": 1,
                "maxItems": MOST_LINES,
            },
            "turns": {**TURNS, "description": "The number of your turns for which the plan stays."},
        },
        "required": ["lines"],
        "additionalProperties": False,
        # What suits most turns while there is a stock, and without one.
        "examples": [{"lines": game.usual_plan(stock=stock)} for stock in (True, False)],
    }
