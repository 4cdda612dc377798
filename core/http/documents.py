"""The OpenAPI document, and a page to try the API."""

import json
from functools import cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request

from core.http.problems import invalid
from core.http.views import PublicView


def _format_of(request: Request) -> str | None:
    """The `format` of the query. Raises Problem: invalid."""
    wanted = request.query_params.get("format")
    if wanted not in (None, "json", "yaml"):
        raise invalid([("format", "Must be one of: json, yaml.")])
    return wanted


class SchemaView(PublicView):
    """OpenAPI 3.1 as JSON; as YAML with `?format=yaml` or `Accept: application/yaml`."""

    query_keys = ("format",)
    query_reads = (_format_of,)
    schema = None

    def get(self, request: Request) -> HttpResponse:
        wanted = _format_of(request) or request.META.get("HTTP_ACCEPT", "")
        headers = {"Cache-Control": "public, max-age=300", "Vary": "Accept"}
        if "yaml" in wanted:
            return HttpResponse(_as_yaml(), content_type="application/yaml", headers=headers)
        return HttpResponse(_as_json(), content_type="application/json", headers=headers)


class DocsView(SpectacularSwaggerSplitView):
    """A page to read and try the API; its scripts come from this server, so it works offline."""

    authentication_classes: Any = ()
    permission_classes: Any = ()
    url_name = "api:schema"
    title = "Trey API"


def load() -> None:
    """Generate the document in all its forms. Call it once before requests are served."""
    _as_json()
    _as_yaml()


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document. It does not change as long as the process runs."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    return dict(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


@cache
def _as_json() -> bytes:
    return json.dumps(document()).encode()


@cache
def _as_yaml() -> bytes:
    return bytes(OpenApiYamlRenderer().render(document(), renderer_context={}))  # type: ignore[no-untyped-call]
