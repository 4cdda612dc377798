"""Bearer tokens: knox's (hashed in the database, revocable), judged by the service's clock."""

from hmac import compare_digest
from typing import cast

from knox.crypto import hash_token
from knox.models import AuthToken
from knox.settings import CONSTANTS
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from games.clock import now
from games.models import Player


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; `request.user` is the Player, `request.auth` the token's row."""

    def authenticate(self, request: Request) -> tuple[Player, AuthToken] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"bearer":
            return None
        if len(parts) != 2:
            raise exceptions.AuthenticationFailed("Send one token: Authorization: Bearer <token>.")
        row = _row_of(parts[1].decode("ascii", errors="replace"))
        if row is None:
            raise exceptions.AuthenticationFailed("This token is not known, or was revoked. Log in again.")
        if row.expiry is not None and row.expiry <= now():
            raise exceptions.AuthenticationFailed("This token has expired. Log in again.")
        if not row.user.is_active:
            raise exceptions.AuthenticationFailed("This account is closed.")
        return row.user, row

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="trey"'


def _row_of(token: str) -> AuthToken | None:
    """Found by its first characters, recognised by its digest: one query, and no secret compared in the database."""
    if not token.isascii() or not token.isalnum():
        return None
    digest = hash_token(token)
    rows = AuthToken.objects.filter(token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH]).select_related("user")
    return next((row for row in rows if compare_digest(row.digest, digest)), None)


def player_of(request: Request) -> Player:
    """The caller. Only for views whose permission is IsAuthenticated."""
    return cast("Player", request.user)
