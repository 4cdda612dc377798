"""DRF authentication by bearer token, judged by the service's clock."""

from typing import cast

from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from games.platform.accounts import tokens
from games.platform.accounts.models import Player, Token
from games.platform.clock import now


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`. `request.user` is the Player, `request.auth` the Token."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        """The caller, or None without the header. Raises AuthenticationFailed."""
        token = token_in(get_authorization_header(request))
        return None if token is None else (token.user, token)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  DRF's signature
        """The challenge that comes with a 401."""
        return 'Bearer realm="trey"'


def token_in(authorization: bytes) -> Token | None:
    """The token in the value of an Authorization header, with its player; None without a bearer token.

    Raises AuthenticationFailed for one that is not valid.
    """
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
    tokens.note_use(token)
    return token


def token_of(request: Request) -> Token:
    """The token of the request. Only for views that require authentication."""
    return cast("Token", request.auth)


def player_of(request: Request) -> Player:
    """The caller. Only for views that require authentication."""
    return cast("Player", request.user)
