"""Lists, a page at a time: `{"results", "next", "previous"}`, where `next` and `previous` are addresses or null.

A cursor is opaque to clients. It names the row it starts behind, by the column that orders the list and its id, so a
page stays right while rows come and go.
"""

import base64
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from games.http.problems import Problem, invalid

MAX_LIMIT = 100
DEFAULT_LIMIT = 50

#: For the OpenAPI document.
LIST_PARAMETERS = [
    OpenApiParameter("cursor", str, description="From `next` or `previous`; opaque."),
    OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}),
]

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Cursor:
    """Behind (`back`: before) the row with this time and id."""

    back: bool
    at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """One page of a list, with the addresses of its neighbours."""

    results: list[M]
    next: str | None
    previous: str | None


def page_of(queryset: QuerySet[M], request: Request, *, by: str, newest_first: bool) -> Page[M]:
    """The page that the request's `cursor` and `limit` ask for; `by` is a column of times, ties go by id."""
    limit = whole_number(request, "limit", 1, MAX_LIMIT, DEFAULT_LIMIT)
    cursor = _cursor_of(request)
    back = cursor is not None and cursor.back
    descending = newest_first != back
    if cursor is not None:
        order = "lt" if descending else "gt"
        behind = Q(**{f"{by}__{order}": cursor.at}) | Q(**{by: cursor.at, f"id__{order}": cursor.id})
        queryset = queryset.filter(behind)
    sign = "-" if descending else ""
    rows = list(queryset.order_by(sign + by, sign + "id")[: limit + 1])
    more, rows = len(rows) > limit, rows[:limit]
    if back:
        rows.reverse()
    has_next, has_previous = (True, more) if back else (more, cursor is not None)
    return Page(
        rows,
        _link(request, rows[-1], by, back=False) if rows and has_next else None,
        _link(request, rows[0], by, back=True) if rows and has_previous else None,
    )


def page_by_offset(queryset: QuerySet[M], request: Request) -> Page[M]:
    """As `page_of`, for a list whose order is not that of a column: a cursor counts the rows before its page."""
    limit = whole_number(request, "limit", 1, MAX_LIMIT, DEFAULT_LIMIT)
    text = request.query_params.get("cursor", "0")
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise _bad_cursor()
    offset = int(text)
    rows = list(queryset[offset : offset + limit + 1])
    url, more = request.build_absolute_uri(), len(rows) > limit
    return Page(
        rows[:limit],
        str(replace_query_param(url, "cursor", offset + limit)) if more else None,
        str(replace_query_param(url, "cursor", max(0, offset - limit))) if offset else None,
    )


def whole_number(request: Request, name: str, low: int, high: int, default: int) -> int:
    """A query parameter that is a whole number within bounds."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and low <= int(text) <= high):
        raise invalid([(name, f"Must be a whole number from {low} to {high}.")])
    return int(text)


def _link(request: Request, row: Model, by: str, *, back: bool) -> str:
    text = json.dumps([int(back), getattr(row, by).isoformat(), str(row.pk)], separators=(",", ":"))
    cursor = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return str(replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def _cursor_of(request: Request) -> Cursor | None:
    text = request.query_params.get("cursor")
    if text is None:
        return None
    try:
        raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        back, at, pk = json.loads(raw)
        time = datetime.fromisoformat(at)
        if time.tzinfo is None:
            raise _bad_cursor()
        # In UTC, for PostgreSQL does not read every offset that Python does.
        return Cursor(bool(back), time.astimezone(UTC), UUID(pk))
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _bad_cursor() from None


def _bad_cursor() -> Problem:
    return Problem("bad_cursor", "This cursor is not one of ours. Follow `next` and `previous` as they are given.")
