"""Signing up, logging in and out, and by codes that are mailed: logging in, resetting a password."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts import services
from core.accounts.api.bodies import (
    AddressRequest,
    CodeAskedBody,
    CodeLoginRequest,
    LoginRequest,
    ProfileBody,
    ResetRequest,
    SignUpRequest,
    TokenBody,
    check_new_password,
    profile_body,
)
from core.accounts.login import attempts, codes, second_factor, tokens
from core.accounts.login.authentication import log_out
from core.accounts.models import Code, Player
from core.http.bodies import Nothing
from core.http.openapi import problems
from core.http.problems import Problem
from core.http.scopes import ALL
from core.http.views import ApiView, PublicView, checked


class PlayersView(PublicView):
    @extend_schema(
        operation_id="sign_up",
        tags=["players"],
        request=SignUpRequest,
        responses={201: ProfileBody, **problems(409, 429)},
    )
    def post(self, request: Request) -> Response:
        """Sign up. Then log in with the same name and password to get a token."""
        attempts.count(request, "sign_ups")
        pair = checked(SignUpRequest, request)
        return Response(profile_body(services.sign_up(pair["username"], pair["password"])), status=201)


class LoginView(PublicView):
    @extend_schema(operation_id="log_in", request=LoginRequest, responses={200: TokenBody, **problems(401, 403, 429)})
    def post(self, request: Request) -> Response:
        """Log in to get a new token. Send it as `Authorization: Bearer <token>`. Earlier tokens stay valid."""
        attempts.count(request)
        pair = checked(LoginRequest, request)
        attempts.count_name(request, pair["username"])
        player = services.authenticate(pair["username"], pair["password"])
        if player is None:
            raise tokens.wrong_credentials()
        return logged_in(request, player, pair)


class LogoutView(ApiView):
    @extend_schema(operation_id="log_out", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """Log out. This revokes the token of the call, or ends the session of the page."""
        checked(Nothing, request)
        log_out(request)
        return Response(status=204)


class CodeView(PublicView):
    @extend_schema(
        operation_id="ask_for_login_code", request=AddressRequest, responses={202: CodeAskedBody, **problems(429)}
    )
    def post(self, request: Request) -> Response:
        """Send a code by email to log in. The response does not say whether the address has an account."""
        attempts.count(request)
        return code_sent(codes.ask(request, Code.Purpose.LOGIN, checked(AddressRequest, request)["address"]))


class CodeLoginView(PublicView):
    @extend_schema(
        operation_id="log_in_by_code", request=CodeLoginRequest, responses={200: TokenBody, **problems(403, 429)}
    )
    def post(self, request: Request) -> Response:
        """Log in with the code to get a new token."""
        attempts.count(request)
        wanted = checked(CodeLoginRequest, request)
        player = codes.owner_of(codes.use(Code.Purpose.LOGIN, wanted["request"], wanted["code"]))
        return logged_in(request, player, wanted)


class ResetCodeView(PublicView):
    @extend_schema(
        operation_id="ask_for_reset_code", request=AddressRequest, responses={202: CodeAskedBody, **problems(429)}
    )
    def post(self, request: Request) -> Response:
        """Send a code by email to reset your password."""
        attempts.count(request)
        return code_sent(codes.ask(request, Code.Purpose.RESET, checked(AddressRequest, request)["address"]))


class ResetView(PublicView):
    @extend_schema(operation_id="reset_my_password", request=ResetRequest, responses={204: None, **problems(403, 429)})
    def post(self, request: Request) -> Response:
        """Reset your password with the code. All your tokens are revoked and your sessions ended."""
        attempts.count(request)
        wanted = checked(ResetRequest, request)
        check_new_password(wanted["new_password"], Player())
        player = codes.owner_of(codes.use(Code.Purpose.RESET, wanted["request"], wanted["code"]))
        services.set_password(player, wanted["new_password"])
        return Response(status=204)


def code_sent(code: Code) -> Response:
    return Response(CodeAskedBody(code.pk, code.made_at + codes.LASTS), status=202)


def logged_in(request: Request, player: Player, wanted: Mapping[str, Any]) -> Response:
    """A new token. Raises Problem (second_factor) if the account or the operator demands more than this."""
    if second_factor.has_one(player) or second_factor.is_demanded(player):
        detail = "This account needs a second factor. Log in on its page, /accounts/, and make a token there."
        raise Problem("second_factor", detail, status=403)
    attempts.logged_in(request, player)
    name = wanted.get("token_name") or request.headers.get("User-Agent", "")
    scopes = [scope for scope in ALL if scope in wanted.get("scopes", ALL)]
    return Response(TokenBody(*tokens.issue(player, name=name, scopes=scopes), scopes))
