"""Inviting somebody to a room, and saying what one has seen."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import ApiView, checked
from games.api.serializers.notifications import InviteSerializer, SeenSerializer
from games.notifications import services


class InviteView(ApiView):
    @extend_schema(
        operation_id="invite_player",
        tags=["games"],
        request=InviteSerializer,
        responses={204: None, **problems(400, 401, 403, 404, 409, 413, 415, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Invite a player to your open room. They are told once, with a link that lets them in."""
        player = player_of(request)
        limit("invite", str(player.pk))
        services.invite(game_id, player, checked(InviteSerializer, request)["username"])
        return Response(status=204)


class SeenView(ApiView):
    @extend_schema(
        operation_id="saw_game",
        tags=["games"],
        request=SeenSerializer,
        responses={204: None, **problems(400, 401, 403, 404, 413, 415, 422)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Say that this version of the game is on a visible screen. You get no more notifications about it."""
        player = player_of(request)
        services.saw(game_id, player, checked(SeenSerializer, request)["version"])
        return Response(status=204)
