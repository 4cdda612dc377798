"""Django's middleware for pages, which calls of the API skip: they have tokens, no forms and no files.

A call without a token may come from a page, so it gets the session, which is read on access.
"""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from config.pages import is_api


def has_session(request: HttpRequest) -> bool:
    """Return whether the request has a session: pages, and calls without a token."""
    return "HTTP_AUTHORIZATION" not in request.META or not is_api(request.path)


class _ForPages:
    """Skips the requests that `is_needed` excludes."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_needed(request):
            response: HttpResponseBase = self.get_response(request)
            return response
        return super().__call__(request)  # type: ignore[misc,no-any-return]

    def is_needed(self, request: HttpRequest) -> bool:
        return not is_api(request.path)


class Files(_ForPages, WhiteNoiseMiddleware):  # type: ignore[misc]
    """Static files."""


class Sessions(_ForPages, SessionMiddleware):
    """Sessions of those who logged in on a page."""

    is_needed = staticmethod(has_session)


class Users(_ForPages, AuthenticationMiddleware):
    """The user of the session."""

    is_needed = staticmethod(has_session)


class Messages(_ForPages, MessageMiddleware):
    """The messages that the next page shows."""

    is_needed = staticmethod(has_session)


class Csrf(_ForPages, CsrfViewMiddleware):
    """Forms come from Trey's own pages."""

    def process_view(self, request: HttpRequest, callback: Any, args: Any, kwargs: Any) -> Any:
        """Refuse a form without its token; the API's own session authentication demands one itself."""
        return super().process_view(request, callback, args, kwargs) if self.is_needed(request) else None
