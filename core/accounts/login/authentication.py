"""DRF authentication: by bearer token, or from a page of ours by its session, which `Authorization` excludes."""

from typing import cast

from django.conf import settings
from django.contrib import auth
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from core.accounts.login import client_ids as ids
from core.accounts.login import tokens
from core.accounts.models import Player, Token
from core.clock import now
from core.http import addresses
from core.http.problems import Problem


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`. `request.user` is the Player, `request.auth` the Token."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        """The caller, or None without the header. Raises AuthenticationFailed."""
        token = token_in(get_authorization_header(request))
        return None if token is None else (token.user, token)

    def authenticate_header(self, request: Request) -> str:
        """AP4: a call that sent a token is told that it is invalid."""
        sent = bool(get_authorization_header(request))
        return 'Bearer realm="trey", error="invalid_token"' if sent else 'Bearer realm="trey"'


class SessionAuthentication(BaseAuthentication):
    """The session of our own pages. `request.user` is the Player, `request.auth` the session.

    One from a page of another origin is ignored, and so is one of another account than the page was made for, which it
    names in `Trey-Reader`. Changes also need the CSRF token, in `X-CSRFToken`.
    """

    def authenticate(self, request: Request) -> tuple[Player, SessionBase] | None:
        """The caller, or None. Raises Problem: csrf_failed."""
        django_request = request._request  # noqa: SLF001  DRF's way to Django's own
        # An empty header counts, too: with one, no session was read.
        named = "HTTP_AUTHORIZATION" in django_request.META
        if named or settings.SESSION_COOKIE_NAME not in django_request.COOKIES:
            return None
        if not addresses.from_own_page(django_request):
            return None
        player = django_request.user
        if not isinstance(player, Player) or not player.is_active:
            return None
        if django_request.headers.get("Trey-Reader", str(player.pk)) != str(player.pk):
            return None
        check = _Csrf(_nothing)
        check.process_request(django_request)
        if check.process_view(django_request, _nothing, (), {}):
            raise Problem("csrf_failed", "This page is out of date. Reload it, then try again.")
        return player, django_request.session


def _nothing(_: HttpRequest) -> HttpResponse:
    raise NotImplementedError


class _Csrf(CsrfViewMiddleware):
    def _reject(self, request: object, reason: str) -> str:  # noqa: ARG002  Django's signature
        return reason


def token_in(authorization: bytes) -> Token | None:
    """The token in an Authorization header, with its player; None without one. Raises AuthenticationFailed."""
    parts = authorization.split()
    if not parts or parts[0].lower() != b"bearer":
        return None
    if len(parts) != 2:
        raise exceptions.AuthenticationFailed("Send one token: Authorization: Bearer <token>.")
    token = tokens.find(parts[1].decode("ascii", errors="replace"))
    if token is None:
        raise exceptions.AuthenticationFailed("This token is unknown or was revoked. Log in again.")
    if token.expiry is not None and token.expiry <= now():
        raise exceptions.AuthenticationFailed("This token has expired. Log in again.")
    if not token.user.is_active:
        raise exceptions.AuthenticationFailed("This account is closed.")
    if token.app is not None:
        if not ids.is_allowed(token.app):
            raise exceptions.AuthenticationFailed("The operator of this server does not allow this app.")
        # An app is never staff, whoever its player is.
        token.user.is_staff = token.user.is_superuser = False
    tokens.note_use(token)
    return token


def token_of(request: Request) -> Token | None:
    return request.auth if isinstance(request.auth, Token) else None


def app_of(request: Request) -> str | None:
    """Return the client id of the app that calls; None: it is no app."""
    token = token_of(request)
    return None if token is None else token.app


def session_key_of(request: Request) -> str | None:
    return request.auth.session_key if isinstance(request.auth, SessionBase) else None


def access_of(request: Request) -> str:
    """Return the name of the caller's token or session under which attempts are counted."""
    token = token_of(request)
    return f"session {session_key_of(request)}" if token is None else f"token {token.pk}"


def log_out(request: Request) -> None:
    token = token_of(request)
    if token is None:
        auth.logout(request._request)  # noqa: SLF001
    else:
        tokens.revoke(token.user, token.id)


def player_of(request: Request) -> Player:
    return cast("Player", request.user)
