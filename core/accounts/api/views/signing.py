"""Signing up, logging in and out."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts import attempts, services
from core.accounts.api.bodies import ProfileBody, TokenBody, profile_body
from core.accounts.api.serializers import LoginSerializer, SignUpSerializer
from core.accounts.api.views.codes import logged_in
from core.accounts.authentication import log_out
from core.http.fields import Nothing
from core.http.openapi import problems
from core.http.problems import Problem
from core.http.throttling import address_of, limit
from core.http.views import ApiView, PublicView, checked


class PlayersView(PublicView):
    @extend_schema(
        operation_id="sign_up",
        tags=["players"],
        request=SignUpSerializer,
        responses={201: ProfileBody, **problems(400, 409, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Sign up. Then log in with the same pair for a token."""
        limit("sign_up", address_of(request))
        pair = checked(SignUpSerializer, request)
        return Response(profile_body(services.sign_up(pair["username"], pair["password"])), status=201)


class LoginView(PublicView):
    @extend_schema(
        operation_id="log_in",
        tags=["auth"],
        request=LoginSerializer,
        responses={200: TokenBody, **problems(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Log in for a new token. Send it as `Authorization: Bearer <token>`. Earlier tokens stay valid."""
        limit("login", address_of(request))
        pair = checked(LoginSerializer, request)
        attempts.count_name(request, pair["username"])
        player = services.authenticate(pair["username"], pair["password"])
        if player is None:
            raise Problem(
                "wrong_credentials",
                "Wrong username or password.",
                status=401,
                headers={"WWW-Authenticate": 'Bearer realm="trey"'},
            )
        return logged_in(request, player, pair.get("token_name"))


class LogoutView(ApiView):
    @extend_schema(
        operation_id="log_out", tags=["auth"], request=None, responses={204: None, **problems(400, 401, 413, 415)}
    )
    def post(self, request: Request) -> Response:
        """Log out. The token of this call is revoked, or the session of the page ended."""
        checked(Nothing, request)
        log_out(request)
        return Response(status=204)
