"""Bodies of responses: one struct, from which both the JSON and the schema come."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from core.http.bodies import (
    AnyObject,
    Body,
    BodyExtension,
    Moment,
    Url,
    components,
    doc,
    name_of,
    one_of,
    page_of,
    schema,
)
from core.http.media import encode
from core.http.openapi import ref


class PartBody(Body):
    """A part."""

    number: Annotated[int, Meta(ge=1)]


class WholeBody(Body):
    """A whole."""

    title: Annotated[str, doc("Its title.")]
    word: Annotated[str, one_of(["b", "a"])] | None
    part: PartBody
    other: Annotated[PartBody | None, doc("Another part.")]
    parts: list[PartBody] | None
    at: Moment | None
    clock: Annotated[dict[str, Any], schema(ref("Clock"))] | None
    options: AnyObject
    link: Url
    to: str = field(name="for")
    absent: bool | UnsetType = UNSET


class Registry:
    def __init__(self) -> None:
        self.schemas: dict[str, Any] = {}

    def register_on_missing(self, component: Any) -> None:
        self.schemas[component.name] = component.schema


class AutoSchema:
    def __init__(self) -> None:
        self.registry = Registry()


def described(body: type[Body]) -> tuple[dict[str, Any], dict[str, Any]]:
    auto = AutoSchema()
    return BodyExtension(body).map_serializer(auto, "response"), auto.registry.schemas


def test_the_fields_make_the_schema() -> None:
    whole, parts = described(WholeBody)
    pointer = {"$ref": "#/components/schemas/Part"}
    assert whole == {
        "type": "object",
        "description": "A whole.",
        "properties": {
            "title": {"type": "string", "description": "Its title."},
            "word": {"type": ["string", "null"], "enum": ["b", "a", None]},
            "part": pointer,
            "other": {"oneOf": [pointer, {"type": "null"}], "description": "Another part."},
            "parts": {"type": ["array", "null"], "items": pointer},
            "at": {"type": ["string", "null"], "format": "date-time"},
            "clock": {"oneOf": [{"$ref": "#/components/schemas/Clock"}, {"type": "null"}]},
            "options": {"type": "object", "additionalProperties": {}},
            "link": {"type": "string", "format": "uri"},
            "for": {"type": "string"},
            "absent": {"type": "boolean"},
        },
        "required": ["at", "clock", "for", "link", "options", "other", "part", "parts", "title", "word"],
    }
    assert parts == {
        "Part": {
            "type": "object",
            "description": "A part.",
            "properties": {"number": {"type": "integer", "minimum": 1}},
            "required": ["number"],
        }
    }


def test_the_same_fields_make_the_json() -> None:
    body = WholeBody(
        "T", "a", PartBody(1), None, [], datetime(2026, 11, 23, 4, tzinfo=UTC), None, {}, "https://h", "e1"
    )
    assert encode(body) == (
        b'{"title":"T","word":"a","part":{"number":1},"other":null,"parts":[],"at":"2026-11-23T04:00:00Z",'
        b'"clock":null,"options":{},"link":"https://h","for":"e1"}'
    )


def test_a_page_is_called_as_its_items() -> None:
    page, parts = described(page_of(PartBody))
    assert name_of(page_of(PartBody)) == "PaginatedPartList"
    assert list(page["properties"]) == ["results", "next", "previous"] and set(parts) == {"Part"}


class _Step(msgspec.Struct, tag_field="step"):
    pass


class Walk(_Step, tag="walk"):
    """A walk."""

    pace: Literal["slow", "fast"] | None


class Halt(_Step, tag="halt"):
    """
    A halt.

    It ends.
    """


def test_tagged_structs_make_a_component_each_and_their_union_one() -> None:
    found = components(Step=("One of them.", (Walk, Halt)))
    assert found["Walk"]["properties"] == {
        "step": {"type": "string", "const": "walk"},
        "pace": {"type": ["string", "null"], "enum": ["fast", "slow", None]},
    }
    assert found["Halt"]["description"] == "A halt.\n\nIt ends."
    pointers = [f"#/components/schemas/{name}" for name in ("Walk", "Halt")]
    assert found["Step"] == {
        "description": "One of them.",
        "oneOf": [{"$ref": pointer} for pointer in pointers],
        "discriminator": {"propertyName": "step", "mapping": dict(zip(("walk", "halt"), pointers, strict=True))},
    }
