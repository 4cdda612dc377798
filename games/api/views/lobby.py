"""The lobby: joining, leaving, starting, calling off, rematches."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.views import ApiView, checked
from games import services
from games.api.bodies import GameBody
from games.api.serializers.games import JoinSerializer, KickSerializer, RematchSerializer
from games.api.views.games import game_answer

_RESPONSES = {200: GameBody, **problems(400, 401, 403, 404, 409, 413, 415)}


class JoinView(ApiView):
    @extend_schema(operation_id="join_game", tags=["games"], request=JoinSerializer, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Join an open room. A private room needs its invitation code."""
        player = player_of(request)
        return game_answer(services.join(game_id, player, **checked(JoinSerializer, request)), player)


class LeaveView(ApiView):
    @extend_schema(operation_id="leave_game", tags=["games"], request=None, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Leave an open room. Later seats move up. To leave a running game, play the move `resign`."""
        player = player_of(request)
        checked(Nothing, request)
        return game_answer(services.leave(game_id, player), player)


class KickView(ApiView):
    @extend_schema(operation_id="kick_player", tags=["games"], request=KickSerializer, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Remove somebody from an open room. Only the opener can do this."""
        player = player_of(request)
        seat = checked(KickSerializer, request)["seat"]
        return game_answer(services.kick(game_id, player, seat), player)


class StartView(ApiView):
    @extend_schema(operation_id="start_game", tags=["games"], request=None, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Start the game with those who are there. Only the opener can do this."""
        player = player_of(request)
        checked(Nothing, request)
        return game_answer(services.start(game_id, player), player)


class CancelView(ApiView):
    @extend_schema(operation_id="cancel_game", tags=["games"], request=None, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Call a game off.

        An open room is called off by its opener, a running game once all people in it have agreed.
        """
        player = player_of(request)
        checked(Nothing, request)
        return game_answer(services.cancel(game_id, player), player)


class RematchView(ApiView):
    @extend_schema(
        operation_id="rematch",
        tags=["games"],
        request=RematchSerializer,
        responses={201: GameBody, **problems(400, 401, 403, 404, 409, 413, 415, 422, 429)},
    )
    @once
    def post(self, request: Request, game_id: UUID) -> Response:
        """Play again with the same people. The first to ask opens the room, the others join it.

        The seats of the old table are kept for its people for a day.
        """
        player = player_of(request)
        return game_answer(services.rematch(game_id, player, **checked(RematchSerializer, request)), player, 201)
