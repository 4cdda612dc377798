"""The content security policy of every response: nothing is loaded from elsewhere, and scripts are files."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from core.http.addresses import live_url, page_live_url

View = Callable[[HttpRequest], HttpResponseBase]

_EVERYWHERE = (
    "default-src 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; "
)
STRICT = _EVERYWHERE + "script-src 'self'; style-src 'self'; img-src 'self' data:"
# Swagger UI and unfold set styles of single elements.
DOCS = _EVERYWHERE + "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
# unfold's Alpine compiles the expressions in its attributes.
ADMIN = _EVERYWHERE + "script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
_BY_PATH = (("/admin/", ADMIN), ("/api/v1/docs", DOCS))


def content_security_policy(get_response: View) -> View:
    """Middleware: each path's policy, unless the response brings its own."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy_of(request))
        return response

    return respond


def policy_of(request: HttpRequest) -> str:
    """The policy of a path. If live streams have a port of their own, pages may read them under the page's host."""
    found = next((policy for start, policy in _BY_PATH if request.path.startswith(start)), STRICT)
    if found is not STRICT or not settings.TREY_LIVE_URL:
        return found
    try:
        streams = {live_url(""), page_live_url(request, "")}
    except DisallowedHost:
        return found  # the response will be an error
    origins = sorted(f"{live.scheme}://{live.netloc}" for live in map(urlsplit, streams))
    return found.replace("connect-src 'self'", " ".join(["connect-src 'self'", *origins]))
