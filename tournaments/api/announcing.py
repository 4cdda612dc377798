"""Messages to all entrants, and the channels that a tournament posts to."""

from typing import Annotated
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import Body, doc
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.views import checked
from core.notifications.group_views import HolderApi
from tournaments import services
from tournaments.api.base import TournamentApi, caller, for_change, tournament_of
from tournaments.api.requests import MessageSerializer
from tournaments.models import Tournament


class SentBody(Body):
    """A message that was sent, or would be."""

    told: Annotated[int, doc("The number of players who are told: those who have a place or wait for one.")]
    text: Annotated[str, doc("As they read it.")]
    version: Annotated[int | None, doc("Of its event; null with `dry_run`.")]


class TournamentChannelsApi(HolderApi, TournamentApi):
    holder, place, told = services.TOURNAMENTS, "tournament", "Entrants are"
    posts = "turns, results, rounds and standings"
    change_failures = ()

    def look(self, request: Request, holder_id: UUID) -> tuple[Tournament, Player | None]:
        return tournament_of(request, holder_id), caller(request)

    def for_change(self, request: Request, holder_id: UUID) -> Player:
        player = player_of(request)
        for_change(request, holder_id)
        return player


class MessagesView(TournamentApi):
    @extend_schema(
        operation_id="write_to_entrants",
        tags=["tournaments"],
        request=MessageSerializer,
        responses={201: SentBody, 200: SentBody, **problems(429)},
    )
    @once()
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Write to all entrants. With `dry_run` nobody is told (200)."""
        player = player_of(request)
        for_change(request, tournament_id)
        sent = services.send_message(tournament_id, player, checked(MessageSerializer, request))
        body = SentBody(sent.told, sent.text, sent.version)
        return Response(body, status=200 if sent.version is None else 201)
