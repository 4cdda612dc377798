"""Lists, a page at a time, by DRF's cursors, signed: `{"results": [...], "next": null, "previous": null}`."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.core.signing import BadSignature, Signer
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.http.problems import Problem, invalid


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


def whole_number_of(name: str, low: int, high: int, default: int) -> Callable[[Request], int]:
    return lambda request: whole_number(request, name, low, high, default)


MAX_EVENTS = 1000
MAX_VERSION = 2**31 - 1
after_of = whole_number_of("after", 0, MAX_VERSION, 0)
"""The version after which a list of a stream's events begins."""
limit_of = whole_number_of("limit", 1, MAX_EVENTS, MAX_EVENTS)
"""How many events it has at most."""
