"""`GET /api/v1/`: an index of links, generated from the URLs."""

import re
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.openapi import problems
from core.http.views import PublicView

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


class IndexView(PublicView):
    @extend_schema(
        operation_id="index",
        tags=["index"],
        responses={200: {"type": "object", "additionalProperties": {"type": "string"}}, **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """The addresses of this API by name. Those with parameters are URI templates (RFC 6570)."""
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
