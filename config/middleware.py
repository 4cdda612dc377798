"""Django's middleware for pages, which calls of the API skip: they have tokens, no forms and no files.

A call without a token may come from a page, so it gets the session, which is read on access.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from config.pages import is_api
from core.accounts import guests
from core.accounts.models import Player
from core.http.idempotency import keyed_form
from core.jobs.receipts import Answer

ONCE = "once"


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


class FormsOnce:
    """A form with a key that is sent twice, as by a double click, acts once, and is answered the same.

    What the view does is one transaction. Only a redirect without a warning is kept: anything else has changed nothing.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self.get_response(request)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> Any:
        """Call the view, or give the answer of before."""
        if request.method != "POST" or is_api(request.path):
            return None
        keyed = keyed_form(request, ONCE, lambda answer: answer)
        if keyed is None:
            return None
        with transaction.atomic():
            if (kept := keyed.claim()) is not None:
                return self._again(request, kept)
            response = view(request, *args, **kwargs)
            shown = messages.get_messages(request)
            said = [(message.level, str(message.message)) for message in shown]
            shown.used = False  # type: ignore[union-attr]  # they are still to be shown
            if response.status_code == 302 and all(level < messages.WARNING for level, _ in said):
                came = request.user.pk if keyed.player is None else None
                keyed.keep(Answer(302, {"to": response.headers["Location"], "said": said, "came": came}))
            else:
                keyed.drop()
            return response

    @staticmethod
    def _again(request: HttpRequest, kept: Answer) -> HttpResponseRedirect:
        for level, text in kept.body["said"]:
            messages.add_message(request, level, text)
        if kept.body["came"] is not None:
            # The browser takes up only one of the responses: that to its first click may be lost with its session.
            guests.log_in(request, Player.objects.get(pk=kept.body["came"]))
        return HttpResponseRedirect(kept.body["to"])
