"""The caller's own account: profile, password, closing."""

from django.contrib.auth import update_session_auth_hash
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts import attempts, owning, services
from core.accounts.api.bodies import ProfileBody, profile_body
from core.accounts.api.serializers import PasswordChangeSerializer, ProfileChangeSerializer, ProofSerializer
from core.accounts.authentication import access_of, player_of, session_key_of, token_of
from core.accounts.models import Player
from core.http.openapi import problems
from core.http.problems import Problem, invalid
from core.http.throttling import limit
from core.http.views import ApiView, checked


class MeView(ApiView):
    @extend_schema(operation_id="my_profile", tags=["me"], responses={200: ProfileBody, **problems(401)})
    def get(self, request: Request) -> Response:
        """Get your account."""
        return Response(profile_body(player_of(request)))

    @extend_schema(
        operation_id="change_my_profile",
        tags=["me"],
        request=ProfileChangeSerializer,
        responses={200: ProfileBody, **problems(400, 401, 409, 413, 415, 429)},
    )
    def patch(self, request: Request) -> Response:
        """Change your account. Keys left out stay as they are."""
        player = player_of(request)
        wanted = checked(ProfileChangeSerializer, request)
        if "calendar" in wanted:
            # Every change is an event in each of the player's running games.
            limit("calendar", str(player.pk))
        services.change_profile(player, **wanted)
        return Response(profile_body(player))


class PasswordView(ApiView):
    @extend_schema(
        operation_id="change_my_password",
        tags=["me"],
        request=PasswordChangeSerializer,
        responses={204: None, **problems(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Change your password, or set the first one. All other tokens are revoked and other sessions ended."""
        player = player_of(request)
        wanted = checked(PasswordChangeSerializer, request)
        check_password(player, access_of(request), wanted.get("password"))
        owning.set_password(player, wanted["new_password"], session=session_key_of(request), token=token_of(request))
        if token_of(request) is None:
            # The session is marked as one of this password.
            update_session_auth_hash(request._request, player)  # noqa: SLF001
        return Response(status=204)


class CloseView(ApiView):
    @extend_schema(
        operation_id="close_my_account",
        tags=["me"],
        request=ProofSerializer,
        responses={204: None, **problems(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Close your account for good. You leave open rooms and resign running games; your name is deleted."""
        player = player_of(request)
        check_password(player, access_of(request), checked(ProofSerializer, request).get("password"))
        services.close(player)
        return Response(status=204)


def check_password(player: Player, access: str, password: str | None) -> None:
    """Check the password that a change requires, if the account has one.

    Raises Problem (invalid, wrong_password), Throttled, Busy.
    """
    if not player.has_usable_password():
        return
    if password is None:
        raise invalid([("password", "This field is required.")])
    attempts.count_proof(player, access)
    if not services.is_password(player, password):
        detail = "This is not your password."
        raise Problem("wrong_password", detail, status=403, errors=[("password", detail)])
