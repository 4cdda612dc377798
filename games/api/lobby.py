"""Joining, leaving, inviting, starting, calling off; bots, rematches, channels, and what one has seen."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing, invitation_of
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import ApiView, checked
from core.notifications.api.serializers import ChannelCreationSerializer
from core.notifications.bodies import (
    ChannelBody,
    ChannelsBody,
    NewChannelBody,
    channel_body,
    channels_body,
    new_channel_body,
)
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
from games.services import channels

_RESPONSES = {200: GameBody, **problems(400, 401, 403, 404, 409, 413, 415)}
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
        responses={201: GameBody, **problems(400, 401, 403, 404, 409, 413, 415, 422, 429)},
    )
    @once()
    def post(self, request: Request, game_id: UUID) -> Response:
        """Play again with the same people. The first to ask opens the room, the others join it.

        The seats of the old table are kept for its people for a day.
        """
        player = player_of(request)
        return game_answer(services.rematch(game_id, player, **checked(RematchSerializer, request)), player, 201)


class BotsView(ApiView):
    @extend_schema(
        operation_id="add_bot", tags=["games"], request=AddBotSerializer, responses={**_LIMITED, **problems(422)}
    )
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
        responses={204: None, **problems(400, 401, 403, 404, 409, 413, 415, 429)},
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
        responses={204: None, **problems(400, 401, 403, 404, 413, 415, 422)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Say that this version of the game is on a visible screen. You get no more notifications about it."""
        player = player_of(request)
        notifications.saw(game_id, player, checked(SeenSerializer, request)["version"])
        return Response(status=204)


class ChannelsView(ApiView):
    query_keys = ("invitation",)
    query_reads = (invitation_of,)

    @extend_schema(
        operation_id="channels_of_game",
        tags=["games"],
        parameters=[INVITATION],
        responses={200: ChannelsBody, **problems(400, 401, 403, 404)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """List the chat services and webhooks that a room posts to.

        They are shown to everybody who may know of the room.
        """
        player = player_of(request)
        game = selectors.game_for(player, game_id, invitation=invitation_of(request))
        return Response(channels_body(channels.channels_shown(game, player)))

    @extend_schema(
        operation_id="add_channel_of_game",
        tags=["games"],
        request=ChannelCreationSerializer,
        responses={201: NewChannelBody, **problems(400, 401, 403, 404, 409, 413, 415, 422, 429)},
    )
    @once(sealed="secret")
    def post(self, request: Request, game_id: UUID) -> Response:
        """Have your room post turns and the result to a channel. Everybody at the table is told."""
        player = player_of(request)
        wanted = checked(ChannelCreationSerializer, request)
        row, secret = channels.add_channel(game_id, player, wanted["service"], wanted["url"])
        return Response(new_channel_body(row, secret), status=201)


class ChannelView(ApiView):
    @extend_schema(
        operation_id="remove_channel_of_game",
        tags=["games"],
        request=None,
        responses={204: None, **problems(400, 401, 403, 404)},
    )
    def delete(self, request: Request, game_id: UUID, channel_id: UUID) -> Response:
        """Remove a channel from your room. Everybody at the table is told."""
        checked(Nothing, request)
        channels.remove_channel(game_id, player_of(request), channel_id)
        return Response(status=204)


class ChannelTestView(ApiView):
    @extend_schema(
        operation_id="test_channel_of_game",
        tags=["games"],
        request=None,
        responses={202: ChannelBody, **problems(400, 401, 404, 413, 415, 429)},
    )
    def post(self, request: Request, game_id: UUID, channel_id: UUID) -> Response:
        """Post a test to a channel that you added. Afterwards `tested_at` is new, and `error` says what failed."""
        checked(Nothing, request)
        player = player_of(request)
        limit("test", str(player.pk))
        row = channels.try_channel(game_id, player, channel_id)
        return Response(channel_body(row), status=202)
