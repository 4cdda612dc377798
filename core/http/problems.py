"""Errors as RFC 9457 problem details: one shape for all errors under `/api/`.

A problem is `{"type", "title", "status", "code", "detail"}` and, if single fields are at fault,
`"errors": [{"field": "options.decks", "detail": "..."}]`. `docs/build/errors.toml` lists all codes.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tomllib import loads
from typing import Any

from django.http import HttpResponse

from core.refusals import Refused

CONTENT_TYPE = "application/problem+json"

#: The codes of this room with their statuses. Others come with their own status (`core.refusals`).
CODES: dict[str, int] = {
    "malformed": 400,
    "invalid": 400,
    "bad_cursor": 400,
    "bad_etag": 400,
    "bad_key": 400,
    "bad_request": 400,
    "not_authenticated": 401,
    "invalid_token": 401,
    "csrf_failed": 403,
    "insufficient_scope": 403,
    "forbidden": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "body_timeout": 408,
    "length_required": 411,
    "weak_tag": 412,
    "too_large": 413,
    "unsupported_media_type": 415,
    "too_many_requests": 429,
    "internal_error": 500,
    "unavailable": 503,
}

Errors = Sequence[tuple[str, str]]


class Problem(Refused):
    """A request that cannot be carried out. `status` may be left out for CODES."""

    def __init__(self, code: str, detail: str, *, status: int | None = None, **others: Any) -> None:
        super().__init__(code, detail, status=CODES[code] if status is None else status, **others)


def invalid(errors: Errors) -> Problem:
    """The 400 for invalid values. Its detail names each field."""
    return Problem("invalid", " ".join(f"{field}: {detail}" for field, detail in errors), errors=errors)


@cache
def listed() -> dict[str, dict[str, tuple[int, str]]]:
    """The codes of docs/build/errors.toml by their part: each with its status, and what it means, in Markdown."""
    page = (Path(__file__).parents[2] / "docs" / "build" / "errors.toml").read_text()
    return {part: {code: (status, text) for code, (status, text) in rows.items()} for part, rows in loads(page).items()}


@cache
def meanings() -> dict[str, tuple[int, str]]:
    """Those that programs meet."""
    pages = ("In the dashboard", "On a page only")
    rows = (row for part in listed().values() for row in part.items())
    return {code: row for code, row in rows if not row[1].startswith(pages)}


def body_of(problem: Refused) -> dict[str, Any]:
    body: dict[str, Any] = {
        "type": f"/problems/{problem.code}",
        "title": problem.code.replace("_", " ").capitalize(),
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
    }
    if problem.errors:
        body["errors"] = [{"field": field, "detail": sentence} for field, sentence in problem.errors]
    return body | problem.more


def content_of(problem: Refused) -> str:
    return json.dumps(body_of(problem), ensure_ascii=False, separators=(",", ":"))


def response_for(problem: Refused) -> HttpResponse:
    headers = {"Cache-Control": "no-store", **problem.headers}
    return HttpResponse(content_of(problem), status=problem.status, content_type=CONTENT_TYPE, headers=headers)


def internal_error() -> Problem:
    """The 500. It says nothing about what went wrong; the log does."""
    return Problem("internal_error", "Something went wrong on our side. It has been logged.")
