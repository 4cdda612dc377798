"""Lists, a page at a time, by DRF's cursors, signed: `{"results": [...], "next": null, "previous": null}`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from django.core.signing import BadSignature, Signer
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.http.problems import Problem, invalid
from core.http.views import QueryParameter


class CursorPages(CursorPagination):
    """Pages of `limit` rows in the order of `ordering`, whose first column should be nearly unique, such as a time."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    page_size_query_description = "Rows per page."
    cursor_query_description = "From `next` or `previous`; opaque."
    ordering: str | tuple[str, ...] = ()
    #: The schemas of what a page has besides.
    more: ClassVar[Mapping[str, Any]] = {}

    def get_page_size(self, request: Request) -> int:
        return whole_number(request, "limit", 1, self.max_page_size, self.page_size)

    def encode_cursor(self, cursor: Cursor) -> str:
        return replace_query_param(self.base_url or "", self.cursor_query_param, self._signer().sign_object([*cursor]))

    def decode_cursor(self, request: Request) -> Cursor | None:
        sent = request.query_params.get(self.cursor_query_param)
        try:
            return None if sent is None else Cursor(*self._signer().unsign_object(sent))
        except BadSignature:
            detail = "This cursor is invalid. Follow `next` and `previous` as they are given."
            raise Problem("bad_cursor", detail) from None

    def _signer(self) -> Signer:
        # What stands in a cursor has a meaning in its own order alone.
        return Signer(salt=f"cursor {' '.join(self.ordering)}")

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self.get_next_link(), "previous": self.get_previous_link()})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        properties = {"results": schema, "next": link, "previous": link, **self.more}
        return {"type": "object", "required": list(properties), "properties": properties}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The query parameters for the OpenAPI document, with the bounds of `limit`."""
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == "limit":
                bounds = {"minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
                parameter["schema"] = {"type": "integer", **bounds}
        return parameters


def whole_number(request: Request, name: str, low: int, high: int, default: int) -> int:
    """A query parameter that is a whole number within bounds. Raises Problem: invalid."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
        raise invalid([(name, f"Must be a whole number from {low} to {high}.")])
    return int(text)


def number_parameter(name: str, low: int, high: int, default: int, description: str = "") -> QueryParameter:
    """A query parameter that is a whole number within bounds; its `read` returns it."""
    shape = {"type": "integer", "minimum": low, "maximum": high, "default": default}
    read = partial(whole_number, name=name, low=low, high=high, default=default)
    return QueryParameter(name, shape, read=read, description=description)


MAX_VERSION = 2**31 - 1
AFTER = number_parameter("after", 0, MAX_VERSION, 0, "Only events after this version.")
"""The version after which a list of a stream's events begins."""
LIMIT = number_parameter("limit", 1, 1000, 1000)
"""How many events it has at most."""


def events_page(request: Request, body: Callable[..., Any], found: list[dict[str, Any]]) -> Response:
    """A page of a stream's events, of which one more was looked for than AFTER and LIMIT ask for."""
    after, limit, url = AFTER.read(request), LIMIT.read(request), request.build_absolute_uri()
    shown = found[:limit]
    more = len(found) > limit
    return Response(
        {
            "results": [body(**event) for event in shown],
            "next": replace_query_param(url, "after", shown[-1]["version"]) if more else None,
            "previous": replace_query_param(url, "after", max(0, after - limit)) if after else None,
        }
    )
