"""Trey's own middlewares.

Those for sessions, forms, files and messages are Django's, which calls of the API skip: they have tokens, no forms and
no files. A call without a token may come from a page, so it gets the session, which is read on access.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import get_bytes_from_wsgi
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.dateparse import parse_datetime
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from config.pages import error, is_api
from core import clock
from core.accounts.login import guests
from core.accounts.models import Player
from core.http.addresses import live_url, page_live_url
from core.http.idempotency import form_key, keyed_form
from core.http.media import UNSTORABLE
from core.http.problems import invalid, response_for
from core.jobs.receipts import Answer, Keyed
from tournaments.services.seating import planned_before

View = Callable[[HttpRequest], HttpResponseBase]

ONCE = "once"
# What comes again within this time is the same click, or a retry.
CLICKS = timedelta(minutes=1)

# Nothing is loaded from elsewhere, and scripts are files.
_EVERYWHERE = (
    "default-src 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; "
)
STRICT = _EVERYWHERE + "script-src 'self'; style-src 'self'; img-src 'self' data:"
# Swagger UI and unfold set styles of single elements.
DOCS = _EVERYWHERE + "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
# unfold's Alpine compiles the expressions in its attributes.
ADMIN = _EVERYWHERE + "script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
# Browsers apply form-action also to where the form's answer leads: back to the app.
CONSENT = STRICT.replace("form-action 'self'; ", "")
_BY_PATH = (("/admin/", ADMIN), ("/api/v1/docs", DOCS), ("/oauth/authorize", CONSENT))


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


_WHY = "This contains a NUL character, or is not UTF-8."
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
    text = query.decode(errors="surrogateescape")
    pairs = parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
    wrong = dict.fromkeys(key for key, value in pairs if UNSTORABLE.search(key + value))
    return [key.encode(errors="backslashreplace").decode()[:_LONGEST_KEY] for key in wrong][:_MOST_ERRORS]


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
    """Django's, except that only what ends a session deletes its cookie.

    A page's own request may be answered just after its session was replaced, and the cookie is the new one's by then.
    """

    is_needed = staticmethod(has_session)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        answered = super().process_response(request, response)
        ends = request.session.modified and request.method not in ("GET", "HEAD")
        if request.session.is_empty() and not ends:
            answered.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        elif request.session.is_empty() and settings.SESSION_COOKIE_NAME in request.COOKIES:
            # Log-out: what the browser keeps for Back, with or without scripts, goes too.
            answered.headers["Clear-Site-Data"] = '"cache"'
        return answered


class Users(_ForPages, AuthenticationMiddleware):
    is_needed = staticmethod(has_session)


class Messages(_ForPages, MessageMiddleware):
    is_needed = staticmethod(has_session)


class Csrf(_ForPages, CsrfViewMiddleware):
    def process_view(self, request: HttpRequest, callback: Any, args: Any, kwargs: Any) -> Any:
        return super().process_view(request, callback, args, kwargs) if self.is_needed(request) else None


def form_keys(_: HttpRequest) -> dict[str, Any]:
    """Context processor: hidden fields with which a form acts once, by `FormsOnce` or by its view."""
    return {"form_key": partial(form_key, ONCE), "own_form_key": partial(form_key, "key")}


class FormsOnce:
    """A form with a key that is sent twice, as by a double click, acts once, and is answered the same.

    What the view does is one transaction, and nothing slow: a page is drawn after it, and a round planned before it.
    Only a redirect without a warning is kept: anything else has changed nothing.
    """

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self.get_response(request)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> Any:
        # Programs send no key; what they send, their view reads, which says what is wrong with it.
        if request.method != "POST" or is_api(request.path) or getattr(view, "csrf_exempt", False):
            return None
        keyed = keyed_form(request, ONCE, lambda answer: answer)
        if keyed is None:
            return None
        return planned_before(lambda: self._once(request, keyed, partial(view, request, *args, **kwargs)))

    def _once(self, request: HttpRequest, keyed: Keyed, act: Callable[[], HttpResponse]) -> HttpResponse:
        with transaction.atomic():
            if (kept := keyed.claim()) is not None:
                return self._again(request, kept)
            shown: Any = messages.get_messages(request)
            earlier = len(shown)
            response = act()
            used = shown.used
            said = [(message.level, str(message.message)) for message in list(shown)[earlier:]]
            shown.used = used  # by the view: what it has not shown is still to be
            if response.status_code == 302 and all(level < messages.WARNING for level, _ in said):
                came = request.user.pk if keyed.player is None else None
                body = {"to": response.headers["Location"], "said": said, "came": came, "at": keyed.now.isoformat()}
                keyed.keep(Answer(302, body))
            else:
                keyed.drop()
            return response

    @staticmethod
    def _again(request: HttpRequest, kept: Answer) -> HttpResponseRedirect:
        for level, text in kept.body["said"]:
            messages.add_message(request, level, text)
        if (guest := _just_came(kept.body)) is not None:
            # The browser takes up only one of the responses: that to its first click may be lost with its session.
            guests.log_in(request, guest)
        return HttpResponseRedirect(kept.body["to"])


def _just_came(answered: Mapping[str, Any]) -> Player | None:
    """The guest who was made by a click of just now. Later the form lets nobody in: it is no password."""
    at = parse_datetime(answered.get("at", ""))
    if at is None or clock.now() - at > CLICKS:
        return None
    return Player.objects.filter(pk=answered["came"], guest_seen_at__isnull=False, is_active=True).first()
