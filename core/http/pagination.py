"""Lists, a page at a time, by signed cursors: `{"results": [...], "next": null, "previous": null}`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any, ClassVar

from django.core.signing import BadSignature, Signer
from django.db.models import Q
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.http.problems import Problem, invalid
from core.http.views import QueryParameter


class CursorPages(CursorPagination):
    """Pages of `limit` rows in the order of `ordering`, which is unique and rises or falls in all its columns.

    A cursor has the whole place of a row. DRF's has the first column, and loses rows on the way back where it is equal.
    """

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    page_size_query_description = "Rows per page."
    cursor_query_description = "An opaque value from `next` or `previous`."
    ordering: str | tuple[str, ...] = ()
    #: The schemas of what a page has besides.
    more: ClassVar[Mapping[str, Any]] = {}

    def get_page_size(self, request: Request) -> int:
        return whole_number(request, "limit", 1, self.max_page_size, self.page_size)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """The rows of the page that the request asks for."""
        self._url, size = request.build_absolute_uri(), self.get_page_size(request)
        backwards, place = self._asked(request)
        ordering = [f"-{name}".replace("--", "") if backwards else name for name in self.ordering]
        rows = queryset.order_by(*ordering)
        found = list((rows if place is None else self.beyond(rows, ordering, place))[: size + 1])
        self._page, ends = found[:size], [len(found) > size, place is not None]
        if backwards:
            self._page.reverse()
            ends.reverse()
        self.has_next, self.has_previous = ends
        return self._page

    def beyond(self, rows: Any, ordering: Sequence[str], place: Sequence[str]) -> Any:
        """The rows that come after a place in this order."""
        names, way = [name.lstrip("-") for name in ordering], "lt" if ordering[0].startswith("-") else "gt"
        after = (
            Q(*zip(names[:at], place, strict=False), (f"{name}__{way}", place[at])) for at, name in enumerate(names)
        )
        # The first column also by itself, for the index.
        return rows.filter(reduce(or_, after), (f"{names[0]}__{way}e", place[0]))

    def get_next_link(self) -> str | None:
        return self._link(self._page[-1:], backwards=False) if self.has_next else None

    def get_previous_link(self) -> str | None:
        return self._link(self._page[:1], backwards=True) if self.has_previous else None

    def _link(self, edge: Sequence[Any], *, backwards: bool) -> str:
        """The page after a row, or before it; of an empty page the list from that end, which is all that there is."""
        places = [[str(getattr(row, name.lstrip("-"))) for name in self.ordering] for row in edge]
        cursor = self._signer().sign_object([backwards, *places])
        return replace_query_param(self._url, self.cursor_query_param, cursor)

    def _asked(self, request: Request) -> tuple[bool, Sequence[str] | None]:
        """Whether the page is before a place, and the place; None: from the end of the list."""
        sent = request.query_params.get(self.cursor_query_param)
        try:
            backwards, *places = [False] if sent is None else self._signer().unsign_object(sent)
        except BadSignature:
            detail = "This cursor is invalid. Use `next` and `previous` as they are."
            raise Problem("bad_cursor", detail) from None
        return backwards, next(iter(places), None)

    def _signer(self) -> Signer:
        # What stands in a cursor has a meaning in its own order alone.
        return Signer(salt=f"place {' '.join(self.ordering)}")

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
    # The first page ends where this one begins, however far that is.
    before = replace_query_param(url, "limit", after) if after < limit else url
    return Response(
        {
            "results": [body(**event) for event in shown],
            "next": replace_query_param(url, "after", shown[-1]["version"]) if more else None,
            "previous": replace_query_param(before, "after", max(0, after - limit)) if after else None,
        }
    )
