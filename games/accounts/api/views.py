"""Signing up, tokens, one's own profile."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import services, tokens
from games.accounts.api.serializers import (
    LoginSerializer,
    ProfileChangeSerializer,
    ProfileSerializer,
    SignUpSerializer,
    TokenSerializer,
)
from games.accounts.authentication import player_of
from games.http.fields import Nothing
from games.http.openapi import problems
from games.http.problems import Problem
from games.http.throttling import address_of, limit
from games.http.views import ApiView, PublicView, answer, checked


class PlayersView(PublicView):
    @extend_schema(
        operation_id="sign_up",
        tags=["players"],
        request=SignUpSerializer,
        responses={201: ProfileSerializer, **problems(400, 409, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Sign up. Log in next: the same pair gives a token."""
        limit("sign_up", address_of(request))
        pair = checked(SignUpSerializer, request)
        return answer(ProfileSerializer, services.sign_up(pair["username"], pair["password"]), 201)


class LoginView(PublicView):
    @extend_schema(
        operation_id="log_in",
        tags=["auth"],
        request=LoginSerializer,
        responses={200: TokenSerializer, **problems(400, 401, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Log in: a new token. Earlier ones stay good."""
        limit("login", address_of(request))
        pair = checked(LoginSerializer, request)
        limit("login_name", pair["username"].casefold())
        player = services.authenticate(pair["username"], pair["password"])
        if player is None:
            raise Problem(
                "wrong_credentials",
                "Wrong username or password.",
                status=401,
                headers={"WWW-Authenticate": 'Bearer realm="trey"'},
            )
        token, expires_at = tokens.issue(player)
        return answer(TokenSerializer, {"token": token, "expires_at": expires_at})


class LogoutView(ApiView):
    @extend_schema(
        operation_id="log_out", tags=["auth"], request=None, responses={204: None, **problems(400, 401, 413, 415)}
    )
    def post(self, request: Request) -> HttpResponse:
        """Log out: revokes the token that this call came with."""
        checked(Nothing, request)
        request.auth.delete()
        return HttpResponse(status=204)


class MeView(ApiView):
    @extend_schema(operation_id="my_profile", tags=["me"], responses={200: ProfileSerializer, **problems(401)})
    def get(self, request: Request) -> Response:
        """One's own account."""
        return answer(ProfileSerializer, player_of(request))

    @extend_schema(
        operation_id="change_my_profile",
        tags=["me"],
        request=ProfileChangeSerializer,
        responses={200: ProfileSerializer, **problems(400, 401, 409, 413, 415)},
    )
    def patch(self, request: Request) -> Response:
        """Change one's own account; keys left out stay as they are."""
        player = player_of(request)
        services.change_profile(player, **checked(ProfileChangeSerializer, request))
        return answer(ProfileSerializer, player)
