"""Messages of an organiser to all entrants."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.views import checked
from tournaments import services
from tournaments.api.bodies.parts import SentBody
from tournaments.api.requests import MessageSerializer
from tournaments.api.views.base import TournamentApi, for_change


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
    @once
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Write to all entrants. With `dry_run` nobody is told (200)."""
        player = player_of(request)
        for_change(request, tournament_id)
        sent = services.send_message(tournament_id, player, checked(MessageSerializer, request))
        body = SentBody(sent.told, sent.text, sent.version)
        return Response(body, status=200 if sent.version is None else 201)
