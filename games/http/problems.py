"""Errors as RFC 9457 problem details: one shape for everything that goes wrong under `/api/`.

A problem is `{"type", "title", "status", "code", "detail"}` and, where single fields are at fault,
`"errors": [{"field": "options.decks", "detail": "..."}]`. `code` is stable; `detail` is a sentence for people.
Codes of this layer are listed in CODES, those of rules and services where they are raised; `docs/errors.md` has all.
"""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

CONTENT_TYPE = "application/problem+json"

#: Every code this layer gives by itself: its status and its title.
CODES: dict[str, tuple[int, str]] = {
    "malformed": (400, "Malformed request"),
    "invalid": (400, "Invalid values"),
    "bad_cursor": (400, "Invalid cursor"),
    "bad_etag": (400, "Invalid conditional header"),
    "bad_key": (400, "Invalid Idempotency-Key"),
    "bad_request": (400, "Bad request"),
    "not_authenticated": (401, "No token"),
    "invalid_token": (401, "Invalid token"),
    "wrong_credentials": (401, "Wrong username or password"),
    "forbidden": (403, "Forbidden"),
    "not_found": (404, "Not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "username_taken": (409, "Username taken"),
    "length_required": (411, "Length required"),
    "stale_version": (412, "Changed since you read it"),
    "too_large": (413, "Body too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "too_many_requests": (429, "Too many requests"),
    "internal_error": (500, "Internal error"),
    "unavailable": (503, "Service unavailable"),
}

Errors = Sequence[tuple[str, str]]


class Problem(Exception):  # noqa: N818  it is what RFC 9457 calls it
    """A request that cannot be done. `errors` are (field, sentence) pairs, fields dotted as in "options.decks"."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        errors: Errors = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.errors = code, detail, tuple(errors)
        self.status = status if status is not None else CODES[code][0]
        self.headers = dict(headers or {})


def invalid(errors: Errors) -> Problem:
    """The 400 for values at fault; its detail names each field."""
    return Problem("invalid", " ".join(f"{field}: {detail}" for field, detail in errors), errors=errors)


def body_of(code: str, status: int, detail: str, errors: Errors = ()) -> dict[str, Any]:
    """The JSON of a problem."""
    title = CODES[code][1] if code in CODES else HTTPStatus(status).phrase
    body: dict[str, Any] = {
        "type": f"urn:trey:problem:{code}",
        "title": title,
        "status": status,
        "code": code,
        "detail": detail,
    }
    if errors:
        body["errors"] = [{"field": field, "detail": sentence} for field, sentence in errors]
    return body


def response_for(problem: Problem) -> HttpResponse:
    """A problem as an answer. No cache may keep it."""
    body = body_of(problem.code, problem.status, problem.detail, problem.errors)
    headers = {"Cache-Control": "no-store", **problem.headers}
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(content, status=problem.status, content_type=CONTENT_TYPE, headers=headers)


@csrf_exempt
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404 of an address that is none; any method. Also Django's handler404 for addresses under /api/."""
    return response_for(Problem("not_found", f"There is nothing at {request.path}."))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler400 for addresses under /api/: what it refuses before it asks a view (a bad Host, say)."""
    return response_for(Problem("bad_request", "The request could not be read."))


def internal_error(request: HttpRequest) -> HttpResponse:
    """500: says nothing of what went wrong; the log has it."""
    return response_for(Problem("internal_error", "Something went wrong on our side. It has been logged."))
