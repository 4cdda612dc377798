"""One's own account: profile, password, closing."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.platform.accounts import attempts, services, tokens
from games.platform.accounts.api.serializers import (
    CloseSerializer,
    PasswordChangeSerializer,
    ProfileChangeSerializer,
    ProfileSerializer,
)
from games.platform.accounts.authentication import player_of, token_of
from games.platform.accounts.models import Player, Token
from games.platform.http.openapi import problems
from games.platform.http.problems import Problem
from games.platform.http.throttling import limit
from games.platform.http.views import ApiView, answer, checked


class MeView(ApiView):
    @extend_schema(operation_id="my_profile", tags=["me"], responses={200: ProfileSerializer, **problems(401)})
    def get(self, request: Request) -> Response:
        """Get your account."""
        return answer(ProfileSerializer, player_of(request))

    @extend_schema(
        operation_id="change_my_profile",
        tags=["me"],
        request=ProfileChangeSerializer,
        responses={200: ProfileSerializer, **problems(400, 401, 409, 413, 415, 429)},
    )
    def patch(self, request: Request) -> Response:
        """Change your account. Keys left out stay as they are."""
        player = player_of(request)
        wanted = checked(ProfileChangeSerializer, request)
        if "calendar" in wanted:
            # Every change is an event in each running game of the player's.
            limit("calendar", str(player.pk))
        services.change_profile(player, **wanted)
        return answer(ProfileSerializer, player)


class PasswordView(ApiView):
    @extend_schema(
        operation_id="change_my_password",
        tags=["me"],
        request=PasswordChangeSerializer,
        responses={204: None, **problems(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Change your password. All tokens but the one of this call are revoked."""
        player = player_of(request)
        wanted = checked(PasswordChangeSerializer, request)
        _check_password(player, token_of(request), wanted["password"])
        services.change_password(player, wanted["new_password"])
        tokens.revoke_all(player, keep=token_of(request))
        return Response(status=204)


class CloseView(ApiView):
    @extend_schema(
        operation_id="close_my_account",
        tags=["me"],
        request=CloseSerializer,
        responses={204: None, **problems(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Close your account for good. You leave open rooms and resign running games; your name is deleted."""
        player = player_of(request)
        _check_password(player, token_of(request), checked(CloseSerializer, request)["password"])
        services.close(player)
        return Response(status=204)


def _check_password(player: Player, token: Token, password: str) -> None:
    attempts.count_proof(player, f"token {token.pk}")
    if not services.is_password(player, password):
        detail = "This is not your password."
        raise Problem("wrong_password", detail, status=403, errors=[("password", detail)])
