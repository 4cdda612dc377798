"""Joining, leaving, inviting, starting, calling off; bots, rematches, and what one has seen; channels."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.accounts.models import Player
from core.http.fields import Nothing, invitation_of
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import ApiView, checked
from core.notifications.group_views import HolderApi
from games import selectors, services
from games.api.bodies import GameBody
from games.api.requests import (
    AddBotSerializer,
    InviteSerializer,
    JoinSerializer,
    KickSerializer,
    RematchSerializer,
    SeenSerializer,
)
from games.api.rooms import INVITATION, game_answer
from games.notifications import services as notifications
from games.projections import Snapshot
from games.services.channels import ROOMS

_RESPONSES = {200: GameBody, **problems(403, 404, 409)}
_LIMITED = {**_RESPONSES, **problems(429)}


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
        responses={201: GameBody, **problems(403, 404, 409, 429)},
    )
    @once()
    def post(self, request: Request, game_id: UUID) -> Response:
        """Play again with the same people. The first to ask opens the room, the others join it.

        The seats of the old table are kept for its people for a day.
        """
        player = player_of(request)
        return game_answer(services.rematch(game_id, player, **checked(RematchSerializer, request)), player, 201)


class BotsView(ApiView):
    @extend_schema(operation_id="add_bot", tags=["games"], request=AddBotSerializer, responses={**_LIMITED})
    @once(made=200)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Add a bot to an open room. Only the opener can do this; `kick` removes the bot again."""
        player = player_of(request)
        level = checked(AddBotSerializer, request)["level"]
        return game_answer(services.add_bot(game_id, player, level), player)


class ReturnView(ApiView):
    @extend_schema(operation_id="take_seat_back", tags=["games"], request=None, responses=_LIMITED)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Take your seat back from the bot that plays in it. If it is your turn, its time starts again."""
        player = player_of(request)
        checked(Nothing, request)
        return game_answer(services.take_back(game_id, player), player)


class InviteView(ApiView):
    @extend_schema(
        operation_id="invite_player",
        tags=["games"],
        request=InviteSerializer,
        responses={204: None, **problems(403, 404, 409, 429)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Invite a player to your open room. They are told once, with a link that lets them in."""
        player = player_of(request)
        limit("invite", str(player.pk))
        notifications.invite(game_id, player, checked(InviteSerializer, request)["username"])
        return Response(status=204)


class SeenView(ApiView):
    @extend_schema(
        operation_id="saw_game",
        tags=["games"],
        request=SeenSerializer,
        responses={204: None, **problems(403, 404, 422)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Say that this version of the game is on a visible screen. You get no more notifications about it."""
        player = player_of(request)
        notifications.saw(game_id, player, checked(SeenSerializer, request)["version"])
        return Response(status=204)


class RoomChannelsApi(HolderApi):
    holder, place, posts, told = ROOMS, "room", "turns and the result", "Everybody at the table is"
    read_parameters = (INVITATION,)
    refused = (403,)

    def look(self, request: Request, holder_id: UUID) -> tuple[Snapshot, Player]:
        player = player_of(request)
        return selectors.game_for(player, holder_id, invitation=invitation_of(request)), player
