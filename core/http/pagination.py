"""Lists, a page at a time, by DRF's cursors: `{"results": [...], "next": null, "previous": null}`.

DRF reads what it can of a cursor and ignores the rest. Here a cursor that this service did not make is refused.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import QueryDict
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.problems import Problem, invalid


class CursorPages(CursorPagination):
    """Pages of `limit` rows in the order of `ordering`.

    Its first column should be nearly unique, such as a time; it may be an annotation.
    """

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    page_size_query_description = "Rows per page."
    cursor_query_description = "From `next` or `previous`; opaque."
    ordering: str | tuple[str, ...] = ()
    #: The field of its first column; None: the queryset tells.
    order_field: Any = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """The rows of the page that the request asks for. Raises Problem: invalid (limit) or bad_cursor."""
        self._order_field = self.order_field or _field_of(queryset, self.get_ordering(request, queryset, view)[0])
        return super().paginate_queryset(queryset, request, view)

    def get_page_size(self, request: Request) -> int:
        return whole_number(request, "limit", 1, self.max_page_size, self.page_size)

    def decode_cursor(self, request: Request) -> Cursor | None:
        sent = request.query_params.get(self.cursor_query_param)
        if sent is None:
            return None
        try:
            cursor = super().decode_cursor(request)
            if cursor is None or not self._is_ours(cursor, sent):
                raise _bad_cursor()
        except NotFound:
            raise _bad_cursor() from None
        return cursor

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self.get_next_link(), "previous": self.get_previous_link()})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {"results": schema, "next": link, "previous": link},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The query parameters for the OpenAPI document, with the bounds of `limit`."""
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == "limit":
                bounds = {"minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
                parameter["schema"] = {"type": "integer", **bounds}
        return parameters

    def _is_ours(self, cursor: Cursor, sent: str) -> bool:
        try:
            value: Any = None if cursor.position is None else self._order_field.to_python(cursor.position)
        except (ValidationError, ValueError, OverflowError):
            return False
        if isinstance(value, datetime) and value.utcoffset() != timedelta():
            return False
        made = QueryDict(urlsplit(self.encode_cursor(cursor)).query)[self.cursor_query_param]
        return made == sent and (value is None or str(value) == str(cursor.position))


def whole_number(request: Request, name: str, low: int, high: int, default: int) -> int:
    """A query parameter that is a whole number within bounds. Raises Problem: invalid."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
        raise invalid([(name, f"Must be a whole number from {low} to {high}.")])
    return int(text)


def whole_number_of(name: str, low: int, high: int, default: int) -> Callable[[Request], int]:
    """A function that reads a query parameter as `whole_number` does."""
    return lambda request: whole_number(request, name, low, high, default)


MAX_EVENTS = 1000
MAX_VERSION = 2**31 - 1
after_of = whole_number_of("after", 0, MAX_VERSION, 0)
"""The version after which a list of a stream's events begins."""
limit_of = whole_number_of("limit", 1, MAX_EVENTS, MAX_EVENTS)
"""How many events it has at most."""


def _field_of(queryset: QuerySet[Model], ordering: str) -> Any:
    name = ordering.lstrip("-")
    annotation = queryset.query.annotations.get(name)
    return annotation.output_field if annotation is not None else queryset.model._meta.get_field(name)  # noqa: SLF001  Django's public way to a model's fields


def _bad_cursor() -> Problem:
    return Problem("bad_cursor", "This cursor is invalid. Follow `next` and `previous` as they are given.")
