"""Responses to errors outside the API's own views: problem documents under /api/, HTML pages elsewhere."""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import Resolver404, resolve
from django.utils.http import escape_leading_slashes
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from structlog.contextvars import get_contextvars

from core import pages as site
from core.http.exceptions import is_of_the_database
from core.http.problems import CODES, CONTENT_TYPE, Problem, content_of, listed, meanings, response_for

View = Callable[[HttpRequest], HttpResponseBase]

# An error page contains its style, the site's own tokens, since static files may be what is missing.
_SHEET = Path(site.__file__).parent / "static" / "site" / "site.css"
_TOKENS = mark_safe(_SHEET.read_text().partition("/* end of tokens */")[0])  # noqa: S308  a file of ours
ERROR_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# What a page is headed with, and what it says where nothing else is known.
_WORDS = {
    400: ("This could not be read", "The server did not understand what was sent. Go back and try again."),
    403: (
        "You don't have access to this page",
        "Your account isn't allowed to do this. If you have another account that is, log in with that one.",
    ),
    404: ("There is nothing here", "The link may be old or incomplete."),
    405: (
        "This does not work from here",
        "This address can't be used like that. Go back to the page you came from.",
    ),
    413: ("This is too long", "Nothing was changed. Go back and send a shorter text."),
    429: ("Too many attempts", "Wait a minute and try again."),
    500: ("Something went wrong", "It's our fault, and it has been logged. No moves have been lost."),
    503: ("The server is busy", "Try again in a few seconds. No moves have been lost."),
}
_OTHER = ("This did not work", "The server cannot do this.")
# Worth trying again as it is.
_PASSING = (429, 500, 503)
RETRY_AFTER = "2"
_CODES = {status: code for code, status in CODES.items()}


def is_api(path: str) -> bool:
    return path == "/api" or path.startswith("/api/")


def error(request: HttpRequest, status: int, sentence: str = "", *, title: str = "", **headers: str) -> HttpResponse:
    """The response to an error, in the form that fits the path; headers with underscores, as in Retry_After."""
    sentence = sentence or _WORDS.get(status, _OTHER)[1]
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    problem = Problem(_CODES.get(status, "bad_request"), sentence, status=status, headers=sent)
    if is_api(request.path):
        return response_for(problem)
    fields, content = refusal(request.path, problem, title, _sent_from(request))
    return HttpResponse(content, status=status, headers=fields)


def _sent_from(request: HttpRequest) -> str | None:
    """The address where a page is tried again: "" is its own; of a form the page that sent it; None if unknown."""
    if request.method in ("GET", "HEAD"):
        return ""
    # Not `get_host`, which refuses a host that is not ours.
    try:
        came_from = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return None
    ours = came_from.netloc == request.headers.get("Host")
    return escape_leading_slashes(came_from._replace(scheme="", netloc="").geturl()) if ours else None


def refusal(path: str, problem: Problem, title: str = "", again: str | None = None) -> tuple[dict[str, str], bytes]:
    """The headers and the body with which a request to this path is refused. `again`: where to try a page again."""
    headers = {"Cache-Control": "no-store", **problem.headers}
    if is_api(path):
        return {"Content-Type": CONTENT_TYPE, **headers}, content_of(problem).encode()
    page = {
        "status": problem.status,
        "title": title or _WORDS.get(problem.status, _OTHER)[0],
        "sentence": problem.detail,
        "again": again if title or problem.status in _PASSING else None,
        "tokens": _TOKENS,
    }
    html = render_to_string("error.html", page | get_contextvars())
    policy = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": ERROR_POLICY}
    return policy | headers, html.encode()


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    html = render_to_string("offline.html", {"tokens": _TOKENS})
    return HttpResponse(html, headers={"Content-Security-Policy": ERROR_POLICY, "Cache-Control": "no-cache"})


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """All codes of problems, with what they mean."""
    parts = [(part, [code for code in codes if code in meanings()]) for part, codes in listed().items()]
    shown = [(part, [(code, *_meaning(code)) for code in codes]) for part, codes in parts if codes]
    return render(request, "site/problems.html", {"viewer": request.user, "parts": shown})


@require_safe
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """What a code of a problem means: the page to which its `type` leads. Raises Http404."""
    if code not in meanings():
        raise Http404
    status, meaning = _meaning(code)
    title = code.replace("_", " ").capitalize()
    context = {"viewer": request.user, "code": code, "title": title, "status": status, "meaning": meaning}
    return render(request, "site/problem.html", context)


@cache
def _meaning(code: str) -> tuple[int, SafeString]:
    status, text = meanings()[code]
    return status, mark_safe(MarkdownIt().renderInline(text))  # noqa: S308  texts of ours


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """A redirect to the icon, for browsers that show something that names none: a document of the API, a picture."""
    return HttpResponseRedirect(static("site/icon.svg"), headers={"Cache-Control": "public, max-age=86400"})


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return error(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return error(request, 403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """CSRF_FAILURE_VIEW: a form without its token, or with one of an earlier session."""
    return error(
        request, 403, "Nothing was changed. Open the page again and send it once more.", title="This form has expired"
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: 503 if the database did not respond or had no connection left."""
    if is_of_the_database(sys.exception()):
        return error(request, 503, Retry_After=RETRY_AFTER)
    return error(request, 500)


@csrf_exempt
def api_not_found(request: HttpRequest) -> HttpResponse:
    """Redirect any other URL under /api/, by any method, to the one without its trailing slash; otherwise 404."""
    path = request.path
    other = path.rstrip("/") or path
    try:
        found = resolve(other).func is not api_not_found
    except Resolver404:
        found = False
    if found:
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(f"{other}?{query}" if query else other, preserve_request=True)
    return error(request, 404, f"There is nothing at {path}.")


def error_pages(get_response: View) -> View:
    """Middleware: give error responses without a body the page or problem that fits the path."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not isinstance(response, HttpResponse) or response.status_code < 400 or response.content:
            return response
        filled = error(request, response.status_code)
        for header in ("Allow", "Retry-After", "Vary", "WWW-Authenticate"):
            if header in response:
                filled[header] = response[header]
        return filled

    return middleware
