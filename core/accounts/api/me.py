"""The caller's own account: profile, password, address, tokens, blocked players, export, closing."""

from uuid import UUID

from django.contrib.auth import update_session_auth_hash
from django.http import Http404, StreamingHttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core import clock
from core.accounts import addresses, blocking, exporting, services
from core.accounts.api import auth
from core.accounts.api.auth import code_sent
from core.accounts.api.bodies import (
    COMPONENTS,
    AddressChangeRequest,
    BlockedBody,
    CodeAskedBody,
    CodeRequest,
    OwnAddressBody,
    PasswordChangeRequest,
    ProfileBody,
    ProfileChangeRequest,
    ProofRequest,
    TokenInfoBody,
    check_new_password,
    profile_body,
    token_info_body,
)
from core.accounts.login import attempts, codes, tokens
from core.accounts.login.authentication import access_of, player_of, session_key_of, token_of
from core.accounts.models import Block, Code, Player, Token
from core.http import scopes
from core.http.bodies import Nothing
from core.http.openapi import add_components, path_parameter, problems, ref
from core.http.pagination import CursorPages
from core.http.problems import Problem, invalid
from core.http.throttling import limit
from core.http.views import ApiView, ListView, checked

_USERNAME = path_parameter("username", "bob")


class MeView(ApiView):
    @extend_schema(operation_id="my_profile", responses={200: ProfileBody})
    def get(self, request: Request) -> Response:
        """Get your account."""
        return Response(profile_body(player_of(request)))

    @extend_schema(
        operation_id="change_my_profile",
        request=ProfileChangeRequest,
        responses={200: ProfileBody, **problems(409, 429)},
    )
    def patch(self, request: Request) -> Response:
        """Change your account. Keys that you leave out stay as they are."""
        player = player_of(request)
        wanted = checked(ProfileChangeRequest, request)
        if wanted.keys() & {"username", "handles"}:
            scopes.check(request, "account")
        if "calendar" in wanted:
            # Every change is an event in each of the player's running games.
            limit("calendar", str(player.pk))
        services.change_profile(player, **wanted)
        return Response(profile_body(player))


class PasswordView(ApiView):
    @extend_schema(
        operation_id="change_my_password", request=PasswordChangeRequest, responses={204: None, **problems(403, 429)}
    )
    def post(self, request: Request) -> Response:
        """Change or set your password. All other tokens are revoked and other sessions ended."""
        player = player_of(request)
        wanted = checked(PasswordChangeRequest, request)
        check_new_password(wanted["new_password"], player)
        check_password(player, access_of(request), wanted.get("password"))
        services.set_password(player, wanted["new_password"], session=session_key_of(request), token=token_of(request))
        if token_of(request) is None:
            # The session is marked as one of this password.
            update_session_auth_hash(request._request, player)  # noqa: SLF001
        return Response(status=204)


class CloseView(ApiView):
    @extend_schema(operation_id="close_my_account", request=ProofRequest, responses={204: None, **problems(403, 429)})
    def post(self, request: Request) -> Response:
        """Close your account for good. You leave open rooms and resign running games; your name is deleted."""
        player = player_of(request)
        check_password(player, access_of(request), checked(ProofRequest, request).get("password"))
        services.close(player)
        return Response(status=204)


class AddressView(ApiView):
    @extend_schema(operation_id="my_address", responses={200: OwnAddressBody})
    def get(self, request: Request) -> Response:
        """Get your email address. Nobody else sees it."""
        return _own(player_of(request))

    @extend_schema(
        operation_id="change_my_address",
        request=AddressChangeRequest,
        responses={202: CodeAskedBody, **problems(403, 429)},
    )
    def put(self, request: Request) -> Response:
        """Send a code to your new address. Your old address stays until you verify the new one."""
        player = player_of(request)
        wanted = checked(AddressChangeRequest, request)
        check_password(player, access_of(request), wanted.get("password"))
        limit("code", str(player.pk))
        return code_sent(codes.ask(request, Code.Purpose.VERIFY, wanted["address"], player))

    @extend_schema(operation_id="remove_my_address", request=ProofRequest, responses={204: None, **problems(403, 429)})
    def delete(self, request: Request) -> Response:
        """Remove the address from your account. The address gets an email about it."""
        player = player_of(request)
        check_password(player, access_of(request), checked(ProofRequest, request).get("password"))
        addresses.remove(player)
        return Response(status=204)


class VerifyView(ApiView):
    @extend_schema(
        operation_id="verify_my_address", request=CodeRequest, responses={200: OwnAddressBody, **problems(403, 429)}
    )
    def post(self, request: Request) -> Response:
        """Verify your new address with the code. The old address gets an email about it."""
        player = player_of(request)
        attempts.count_proof(player, "verifies")
        wanted = checked(CodeRequest, request)
        code = codes.use(Code.Purpose.VERIFY, wanted["request"], wanted["code"], player)
        addresses.verified(player, code.address)
        return _own(player)


class NewestFirst(CursorPages):
    ordering = ("-created", "-id")


class TokensView(ListView[Token]):
    queryset = Token.objects.none()
    pagination_class = NewestFirst

    @extend_schema(operation_id="my_tokens", responses={200: TokenInfoBody})
    def get(self, request: Request) -> Response:
        """List your valid tokens, newest first."""
        current, valid = token_of(request), tokens.valid(player_of(request))
        return self.page_of(valid, lambda rows: [token_info_body(row, current) for row in rows])

    @extend_schema(operation_id="revoke_my_tokens", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Log out everywhere. All your tokens are revoked and your sessions ended, including those of this call."""
        checked(Nothing, request)
        services.log_out_everywhere(player_of(request))
        return Response(status=204)


class TokenView(ApiView):
    @extend_schema(operation_id="revoke_my_token", request=None, responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Revoke one of your tokens."""
        checked(Nothing, request)
        if not tokens.revoke(player_of(request), token_id):
            raise Http404
        return Response(status=204)


class LastFirst(CursorPages):
    ordering = ("-at", "-id")


class BlockedListView(ListView[Block]):
    queryset = Block.objects.none()
    pagination_class = LastFirst

    @extend_schema(operation_id="my_blocked_players", responses={200: BlockedBody})
    def get(self, request: Request) -> Response:
        """List the players you have blocked, newest first. Nobody else sees the list."""
        rows = blocking.blocked_by(player_of(request))
        return self.page_of(
            rows, lambda page: [BlockedBody(row.blocked.pk, row.blocked.username, row.at) for row in page]
        )


class BlockedView(ApiView):
    @extend_schema(
        operation_id="block_player", parameters=[_USERNAME], request=None, responses={204: None, **problems(409)}
    )
    def put(self, request: Request, username: str) -> Response:
        """Block a player. They cannot invite you or sit down at private tables that you open."""
        checked(Nothing, request)
        blocking.block(player_of(request), username)
        return Response(status=204)

    @extend_schema(operation_id="unblock_player", parameters=[_USERNAME], request=None, responses={204: None})
    def delete(self, request: Request, username: str) -> Response:
        """Unblock a player."""
        checked(Nothing, request)
        blocking.unblock(player_of(request), username)
        return Response(status=204)


class ExportView(ApiView):
    @extend_schema(operation_id="export_my_account", responses={200: ref("AccountExport"), **problems(429)})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Export your account.

        You get everything the service stores about you: your account, tokens without their secrets, games and ratings.
        """
        player = player_of(request)
        limit("exports", str(player.pk))
        headers = {"Content-Disposition": 'attachment; filename="trey-account.json"', "Cache-Control": "no-store"}
        document = exporting.document(player, clock.now())
        return StreamingHttpResponse(document, content_type="application/json", headers=headers)


def check_password(player: Player, access: str, password: str | None) -> None:
    """Check the password, if there is one. Raises Problem (invalid, wrong_password), Throttled."""
    if not player.has_usable_password():
        return
    if password is None:
        raise invalid([("password", "This field is required.")])
    attempts.count_proof(player, access)
    if not player.check_password(password):
        detail = "This is not your password."
        raise Problem("wrong_password", detail, status=403, errors=[("password", detail)])


def _own(player: Player) -> Response:
    row = addresses.address_of(player)
    return Response(OwnAddressBody(None, verified=False) if row is None else OwnAddressBody(row.email, row.verified))


add_components(COMPONENTS)

urlpatterns = [
    path("players", auth.PlayersView.as_view(), name="players"),
    path("auth/login", auth.LoginView.as_view(), name="login"),
    path("auth/logout", auth.LogoutView.as_view(), name="logout"),
    path("auth/code", auth.CodeView.as_view(), name="code"),
    path("auth/code/login", auth.CodeLoginView.as_view(), name="code_login"),
    path("auth/reset", auth.ResetCodeView.as_view(), name="reset"),
    path("auth/reset/password", auth.ResetView.as_view(), name="reset_password"),
    path("me/address", AddressView.as_view(), name="address"),
    path("me/address/verify", VerifyView.as_view(), name="verify_address"),
    path("me/blocked", BlockedListView.as_view(), name="blocked"),
    path("me/blocked/<str:username>", BlockedView.as_view(), name="block"),
    path("me", MeView.as_view(), name="me"),
    path("me/password", PasswordView.as_view(), name="password"),
    path("me/close", CloseView.as_view(), name="close"),
    path("me/export", ExportView.as_view(), name="export"),
    path("me/tokens", TokensView.as_view(), name="tokens"),
    path("me/tokens/<uuid:token_id>", TokenView.as_view(), name="token"),
]
