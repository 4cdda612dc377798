"""Messages to all entrants, and the channels that a tournament posts to."""

from typing import Annotated
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.bodies import Body, doc
from core.http.fields import Nothing
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import checked
from core.notifications.api.serializers import ChannelCreationSerializer
from core.notifications.bodies import (
    ChannelBody,
    ChannelsBody,
    NewChannelBody,
    channel_body,
    channels_body,
    new_channel_body,
)
from tournaments import services
from tournaments.api.base import INVITATION, TournamentApi, caller, for_change, tournament_of
from tournaments.api.requests import MessageSerializer


class SentBody(Body):
    """A message that was sent, or would be."""

    told: Annotated[int, doc("The number of players who are told: those who have a place or wait for one.")]
    text: Annotated[str, doc("As they read it.")]
    version: Annotated[int | None, doc("Of its event; null with `dry_run`.")]


class ChannelsView(TournamentApi):
    @extend_schema(
        operation_id="channels_of_tournament",
        tags=["tournaments"],
        parameters=[INVITATION],
        responses={200: ChannelsBody, **problems(400, 401, 404)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the chat services and webhooks that a tournament posts to.

        They are shown to everybody who may know of it.
        """
        row = tournament_of(request, tournament_id)
        return Response(channels_body(services.channels_shown(row, caller(request))))

    @extend_schema(
        operation_id="add_channel_of_tournament",
        tags=["tournaments"],
        request=ChannelCreationSerializer,
        responses={201: NewChannelBody, **problems(400, 401, 403, 404, 409, 413, 415, 422, 429)},
    )
    @once(sealed="secret")
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Have your tournament post turns, results, rounds and standings to a channel. Entrants are told."""
        player = player_of(request)
        for_change(request, tournament_id)
        wanted = checked(ChannelCreationSerializer, request)
        row, secret = services.add_channel(tournament_id, player, wanted["service"], wanted["url"])
        return Response(new_channel_body(row, secret), status=201)


class ChannelView(TournamentApi):
    @extend_schema(
        operation_id="remove_channel_of_tournament",
        tags=["tournaments"],
        request=None,
        responses={204: None, **problems(400, 401, 403, 404)},
    )
    def delete(self, request: Request, tournament_id: UUID, channel_id: UUID) -> Response:
        """Remove a channel from your tournament. Entrants are told."""
        checked(Nothing, request)
        for_change(request, tournament_id)
        services.remove_channel(tournament_id, player_of(request), channel_id)
        return Response(status=204)


class ChannelTestView(TournamentApi):
    @extend_schema(
        operation_id="test_channel_of_tournament",
        tags=["tournaments"],
        request=None,
        responses={202: ChannelBody, **problems(400, 401, 404, 413, 415, 429)},
    )
    def post(self, request: Request, tournament_id: UUID, channel_id: UUID) -> Response:
        """Post a test to a channel that you added. Afterwards `tested_at` is new, and `error` says what failed."""
        checked(Nothing, request)
        for_change(request, tournament_id)
        player = player_of(request)
        limit("test", str(player.pk))
        row = services.try_channel(tournament_id, player, channel_id)
        return Response(channel_body(row), status=202)


class MessagesView(TournamentApi):
    @extend_schema(
        operation_id="write_to_entrants",
        tags=["tournaments"],
        request=MessageSerializer,
        responses={
            201: SentBody,
            200: SentBody,
            **problems(400, 401, 403, 404, 409, 413, 415, 422, 429),
        },
    )
    @once()
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Write to all entrants. With `dry_run` nobody is told (200)."""
        player = player_of(request)
        for_change(request, tournament_id)
        sent = services.send_message(tournament_id, player, checked(MessageSerializer, request))
        body = SentBody(sent.told, sent.text, sent.version)
        return Response(body, status=200 if sent.version is None else 201)
