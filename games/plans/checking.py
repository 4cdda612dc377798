"""Checks a value against the subset of JSON Schema that describes plans, and says in a sentence what is wrong."""

from typing import Any

from games.rules.moves import said
from games.rules.planning import Schema


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
    if not _has_type(value, schema.get("type")):
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


def _has_type(value: object, name: str | None) -> bool:
    return name is None or type(value) is _TYPES[name]


def _must_be(schema: Schema, value: object, path: str) -> Mismatch:
    return Mismatch(path, f"{path} must be {schema.get('title', 'something else')}, not {said(value)}.")
