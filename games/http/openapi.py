"""Helpers for the OpenAPI document that drf-spectacular makes from the views."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rest_framework import serializers

PROBLEM_TYPE = "application/problem+json"
_METHODS = ("get", "post", "patch", "put", "delete")
_components: dict[str, Any] = {}


class FieldProblemSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text='The part of the request at fault, dotted: "options.decks".')
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """An error: RFC 9457 problem details."""

    type = serializers.CharField(help_text="A URI of the kind of problem: urn:trey:problem:<code>.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="A sentence for people.")
    errors = FieldProblemSerializer(many=True, required=False)  # type: ignore[assignment]  # DRF takes this name


def problems(*statuses: int) -> dict[Any, Any]:
    """The entries of `responses` for these error statuses."""
    return {(status, PROBLEM_TYPE): ProblemSerializer for status in statuses}


@cache
def paged(item: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The serializer of one page of a list of `item`."""
    fields = {
        "results": item(many=True),
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
    }
    name = item.__name__.removesuffix("Serializer")
    return type(f"Paginated{name}List", (serializers.Serializer,), fields)


def add_components(components: Mapping[str, Any]) -> None:
    """Add JSON Schemas to the document, by name: for shapes that serializers cannot express. `ref` points to them."""
    _components.update(components)


def ref(name: str, *, nullable: bool = False) -> dict[str, Any]:
    """A reference to a component; with `nullable` to the component or null."""
    pointer = {"$ref": f"#/components/schemas/{name}"}
    return {"oneOf": [pointer, {"type": "null"}]} if nullable else pointer


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """drf-spectacular's POSTPROCESSING_HOOKS: add the components, and to each operation the 503."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(_components)
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    problem = {PROBLEM_TYPE: {"schema": ref("Problem")}}
    for path in result["paths"].values():
        for method in _METHODS:
            if method in path:
                path[method]["responses"]["503"] = {"description": "The database does not respond.", "content": problem}
    return result
