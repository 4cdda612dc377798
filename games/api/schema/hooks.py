"""The last touches to the OpenAPI document, which drf-spectacular makes from the views."""

from typing import Any

from games.api.schema.components import COMPONENTS

_METHODS = ("get", "post", "patch", "put", "delete")


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Adds the hand-written components, and to every operation the answer it gives when the service is away."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(COMPONENTS)
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for path in result["paths"].values():
        for method in _METHODS:
            if method in path:
                path[method]["responses"]["503"] = {"description": "Away for a moment.", "content": problem}
    return result
