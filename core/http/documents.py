"""The index of the API, its OpenAPI document, and a page to try it."""

import json
import re
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, path, reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.problems import invalid
from core.http.views import PublicView, QueryParameter


def _format_of(request: Request) -> str | None:
    """The `format` of the query. Raises Problem: invalid."""
    wanted = request.query_params.get("format")
    if wanted not in (None, "json", "yaml"):
        raise invalid([("format", "Must be one of: json, yaml.")])
    return wanted


class SchemaView(PublicView):
    """OpenAPI 3.1 as JSON; as YAML with `?format=yaml` or `Accept: application/yaml`."""

    query = (QueryParameter("format", read=_format_of),)
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
    http_method_names = ["get", "head"]
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


_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


class IndexView(PublicView):
    @extend_schema(
        operation_id="index",
        tags=["index"],
        responses={200: {"type": "object", "additionalProperties": {"type": "string"}}},
    )
    def get(self, request: Request) -> Response:
        """List the addresses of this API by name. Those with parameters are URI templates (RFC 6570)."""
        root = request.build_absolute_uri(reverse("api:index"))
        links = {name: root + path for name, path in _paths().items()}
        return Response(links, headers={"Cache-Control": "public, max-age=300"})


@cache
def _paths() -> dict[str, str]:
    [api] = [each for each in get_resolver().url_patterns if isinstance(each, URLResolver) and each.namespace == "api"]
    return {name: _PARAMETER.sub(r"{\1}", path) for name, path in _named(api.url_patterns, "") if path}


def _named(patterns: list[Any], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found.append((str(pattern.name), path))
        else:
            found += _named(pattern.url_patterns, path)
    return found


urlpatterns = [
    path("", IndexView.as_view(), name="index"),
    path("schema", SchemaView.as_view(), name="schema"),
    path("docs", DocsView.as_view(), name="docs"),
]
