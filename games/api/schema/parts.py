"""The parts from which the schemas of this API are built."""

from collections.abc import Mapping
from typing import Any

from core.http.openapi import ref

CARD = ref("Card")
CARDS: dict[str, Any] = {"type": "array", "items": CARD}
HIDDEN_CARDS: dict[str, Any] = {"type": ["array", "null"], "items": CARD}
HIDDEN_CARD = ref("Card", nullable=True)
CARD_LISTS: dict[str, Any] = {"type": "array", "items": CARDS}
WHOLE: dict[str, Any] = {"type": "integer"}
MAYBE_WHOLE: dict[str, Any] = {"type": ["integer", "null"]}
TEXT: dict[str, Any] = {"type": "string"}
MAYBE_TEXT: dict[str, Any] = {"type": ["string", "null"]}
TRUTH: dict[str, Any] = {"type": "boolean"}
SEATS: dict[str, Any] = {"type": "array", "items": WHOLE}
TIME: dict[str, Any] = {"type": "string", "format": "date-time"}
MAYBE_TIME: dict[str, Any] = {"type": ["string", "null"], "format": "date-time"}
CALLS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "string",
        "enum": [
            "kerchoo", "number_of_the_beast", "lucky_number_of_the_beast", "exorcism", "on_the_train", "who_dealt",
        ],
    },
    "description": "Three Card: what players call what happened, in the order in which they do.",
}  # fmt: skip
ANY_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}


def shape(
    description: str, required: Mapping[str, Any], optional: Mapping[str, Any] | None = None, *, closed: bool = False
) -> dict[str, Any]:
    """An object with these properties; others may come, unless it is `closed`."""
    schema: dict[str, Any] = {
        "type": "object",
        "description": description,
        "required": list(required),
        "properties": {**required, **(optional or {})},
    }
    if not required:
        del schema["required"]
    return schema | ({"additionalProperties": False} if closed else {})


def const(value: str) -> dict[str, Any]:
    """The one text that tells a kind of object from others."""
    return {"type": "string", "const": value}


def one_of(description: str, key: str, components: Mapping[str, str]) -> dict[str, Any]:
    """One of some components, told apart by the text under `key`; `components` are their names by that text."""
    names = list(dict.fromkeys(components.values()))
    mapping = {value: f"#/components/schemas/{name}" for value, name in components.items()}
    return {
        "description": description,
        "oneOf": [ref(name) for name in names],
        "discriminator": {"propertyName": key, "mapping": mapping},
    }
