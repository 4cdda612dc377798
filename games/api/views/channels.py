"""The channels that a room posts to (NT7)."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing, invitation_of, invitation_parameter
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
from games import selectors
from games.services import channels

INVITATION = invitation_parameter("The code of a private room, for those who are not in it.")


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
