"""Players whom the caller has blocked (AC5)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts import blocking
from core.accounts.api.bodies import BlockedBody, blocked_body
from core.accounts.authentication import player_of
from core.accounts.models import Block
from core.http.fields import Nothing
from core.http.openapi import path_parameter, problems
from core.http.pagination import CursorPages
from core.http.views import ApiView, ListView, checked

_USERNAME = path_parameter("username", "bob")


class LastFirst(CursorPages):
    ordering = ("-at", "-id")


class BlockedListView(ListView[Block]):
    queryset = Block.objects.none()
    pagination_class = LastFirst

    @extend_schema(
        operation_id="my_blocked_players",
        tags=["me"],
        responses={200: BlockedBody, **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the players you have blocked, newest first. Nobody else sees the list."""
        rows = blocking.blocked_by(player_of(request))
        return self.page_of(rows, lambda page: [blocked_body(row) for row in page])


class BlockedView(ApiView):
    @extend_schema(
        operation_id="block_player",
        tags=["me"],
        parameters=[_USERNAME],
        request=None,
        responses={204: None, **problems(400, 401, 404, 409, 413, 415)},
    )
    def put(self, request: Request, username: str) -> Response:
        """Block a player: they cannot invite you, nor sit down at private tables that you open."""
        checked(Nothing, request)
        blocking.block(player_of(request), username)
        return Response(status=204)

    @extend_schema(
        operation_id="unblock_player",
        tags=["me"],
        parameters=[_USERNAME],
        request=None,
        responses={204: None, **problems(400, 401, 404)},
    )
    def delete(self, request: Request, username: str) -> Response:
        """Unblock a player."""
        checked(Nothing, request)
        blocking.unblock(player_of(request), username)
        return Response(status=204)
