"""Requests with text that cannot be stored are refused before any view reads them.

PostgreSQL cannot store NUL, and bytes that are not UTF-8 would be read as different text.
"""

from collections.abc import Callable
from urllib.parse import parse_qsl

from django.core.handlers.wsgi import get_bytes_from_wsgi
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.pages import error, is_api
from core.http.parsers import UNSTORABLE
from core.http.problems import invalid, response_for

View = Callable[[HttpRequest], HttpResponseBase]

_WHY = "This holds a NUL character, or is not UTF-8."
_LONGEST_KEY, _MOST_ERRORS = 80, 10


def only_text(get_response: View) -> View:
    """Middleware: 404 for a path with a NUL; 400 for a query with one or not in UTF-8, and for a cookie with one."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        # Django has percent-encoded again whatever is not UTF-8 in the path.
        if "\0" in request.path_info:
            return error(request, 404)
        wrong = _wrong_parameters(get_bytes_from_wsgi(request.META, "QUERY_STRING", ""))
        if wrong and is_api(request.path):
            return response_for(invalid([(name, _WHY) for name in wrong]))
        # Quoted values of cookies have escapes of their own.
        if wrong or any("\0" in value for value in request.COOKIES.values()):
            return error(request, 400)
        return get_response(request)

    return respond


def _wrong_parameters(query: bytes) -> list[str]:
    """The names of query parameters whose name or value is at fault, in a printable form."""
    text = query.decode(errors="surrogateescape")
    pairs = parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
    wrong = dict.fromkeys(key for key, value in pairs if UNSTORABLE.search(key + value))
    return [key.encode(errors="backslashreplace").decode()[:_LONGEST_KEY] for key in wrong][:_MOST_ERRORS]
