"""The bodies of responses: structs whose fields give both the JSON and its schema.

A view returns `Response(EntryBody(...))` and documents it with `responses={200: EntryBody}`. In the OpenAPI document it
is called `Entry`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from inspect import cleandoc
from typing import Annotated, Any, TypeVar, cast

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ComponentIdentity, ResolvedComponent
from drf_spectacular.utils import PolymorphicProxySerializer

from core import values

B = TypeVar("B", bound="Body")
_SUFFIX = "Body"
_POINTER = "#/components/schemas/"
_NULL = {"type": "null"}


class Body(msgspec.Struct):
    """A body, or a part of one. A field that may be left out has the type `... | UnsetType`."""


def made_from(kind: type[B], source: object, /, **own: Any) -> B:
    """The body whose fields have the values of the source's attributes of the same names, but for its `own`."""
    names = (name for name in kind.__struct_fields__ if name not in own)
    return kind(**own, **{name: getattr(source, name) for name in names})


def doc(text: str) -> msgspec.Meta:
    return msgspec.Meta(description=text)


def one_of(words: Iterable[str]) -> msgspec.Meta:
    return schema({"enum": list(words)})


def schema(more: Mapping[str, Any]) -> msgspec.Meta:
    """JSON Schema that the type does not express, or a reference instead (`core.http.openapi.ref`)."""
    return msgspec.Meta(extra_json_schema=dict(more))


AnyObject = Annotated[dict[str, Any], schema({"additionalProperties": {}})]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Url = Annotated[str, schema({"format": "uri"})]


def one_shape(description: str, key: str, shapes: Mapping[str, str]) -> dict[str, Any]:
    """The schema of one of some components, told apart by the text under `key`: their names by that text."""
    return {
        "description": description,
        "oneOf": [{"$ref": _POINTER + name} for name in dict.fromkeys(shapes.values())],
        "discriminator": {
            "propertyName": key,
            "mapping": {value: _POINTER + name for value, name in shapes.items()},
        },
    }


def components(*shapes: type[msgspec.Struct], **unions: tuple[str, Sequence[type[msgspec.Struct]]]) -> dict[str, Any]:
    """The schemas of structs, and of those that they hold, by name; `unions` have a description and tagged structs."""
    tagged = [shape for _, some in unions.values() for shape in some]
    _, found = msgspec.json.schema_components([*shapes, *tagged], ref_template=_POINTER + "{name}")
    return {name.removesuffix(_SUFFIX): _plain(one) for name, one in found.items()} | {
        name: one_shape(what, *_told_apart(some)) for name, (what, some) in unions.items()
    }


def _told_apart(some: Sequence[type[msgspec.Struct]]) -> tuple[str, dict[str, str]]:
    return str(some[0].__struct_config__.tag_field), {
        str(shape.__struct_config__.tag): shape.__name__.removesuffix(_SUFFIX) for shape in some
    }


@cache
def page_of(item: type[Body]) -> type[Body]:
    fields = [("results", list[item]), ("next", Url | None), ("previous", Url | None)]  # type: ignore[valid-type]
    page = msgspec.defstruct(f"Paginated{name_of(item)}List{_SUFFIX}", fields, bases=(Body,))
    return cast("type[Body]", page)


def either(name: str, *bodies: type[Body]) -> PolymorphicProxySerializer:
    return PolymorphicProxySerializer(name, list(bodies), resource_type_field_name=None)  # type: ignore[arg-type]


def name_of(body: type[Body]) -> str:
    return body.__name__.removesuffix(_SUFFIX)


class RequestBody:
    """The body of a request, by what its fields declare (`core.values`)."""

    @staticmethod
    def check(given: Mapping[str, Any], faults: values.Faults) -> None:
        """Note what is wrong with the fields of an object beside each other."""


class Nothing(RequestBody):
    """The body of a call that takes no fields: absent, or an empty object."""


class RequestExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    target_class = RequestBody
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return str(self.target.__name__).removesuffix("Request")

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return values.schema_of(self.target, lambda kind: auto_schema.resolve_serializer(kind, direction).ref)


class BodyExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    target_class = Body
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return name_of(self.target)

    def get_identity(self, auto_schema: Any, direction: Any) -> ComponentIdentity:
        """By its name, under which other bodies refer to it."""
        return _identity(name_of(self.target))

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The component's schema; the bodies in it become components, too."""
        _, schemas = msgspec.json.schema_components([self.target], ref_template=_POINTER + "{name}")
        mapped: dict[str, dict[str, Any]] = {name.removesuffix(_SUFFIX): _plain(one) for name, one in schemas.items()}
        whole = mapped.pop(name_of(self.target))
        for name, one in mapped.items():
            part: Any = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema=one, object=_identity(name))  # type: ignore[no-untyped-call]
            auto_schema.registry.register_on_missing(part)
        return whole


def _identity(name: str) -> ComponentIdentity:
    return ComponentIdentity(name)  # type: ignore[no-untyped-call]


def _plain(said: Any) -> Any:
    """The schema in the form that client generators read best: null is one more type, and a reference stands alone."""
    if isinstance(said, list):
        return [_plain(each) for each in said]
    if not isinstance(said, dict):
        return said
    plain = {key: _plain(value) for key, value in said.items() if key != "title" or not isinstance(value, str)}
    if "$ref" in plain or "oneOf" in plain:
        plain.pop("type", None)
    if "$ref" in plain:
        plain["$ref"] = plain["$ref"].removesuffix(_SUFFIX)
        return plain if len(plain) == 1 else {"allOf": [{"$ref": plain.pop("$ref")}], **plain}
    if isinstance(plain.get("description"), str):
        plain["description"] = cleandoc(plain["description"])
    if isinstance(plain.get("enum"), list) and "type" not in plain and "oneOf" not in plain:
        plain = _typed(plain)
    if "properties" in plain:
        plain["required"] = sorted(plain.get("required", ()))
    return _nullable(plain) if _NULL in plain.get("anyOf", ()) else plain


def _typed(plain: dict[str, Any]) -> dict[str, Any]:
    """The words that something can be, with their type; one word, such as a tag, is a constant."""
    kinds = {None: "null"} | {
        word: "string" if isinstance(word, str) else "integer" for word in plain["enum"] if word is not None
    }
    names = list(dict.fromkeys(kinds[word] for word in plain["enum"]))
    typed = {"type": names[0] if len(names) == 1 else names, **plain}
    if len(plain["enum"]) == 1:
        typed["const"] = typed.pop("enum")[0]
    return typed


def _nullable(plain: dict[str, Any]) -> dict[str, Any]:
    """A schema that is one of some others, or null."""
    *others, null = plain.pop("anyOf")
    if len(others) > 1 or "$ref" in others[0]:
        return {"oneOf": [*others, null], **plain}
    merged = {**others[0], **plain}
    for key, nothing in (("oneOf", null), ("enum", None)):
        if nothing not in merged.get(key, [nothing]):
            merged[key] = [*merged[key], nothing]
    if isinstance(merged.get("type"), str):
        merged["type"] = [merged["type"], "null"]
    return merged
