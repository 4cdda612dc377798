"""A game's clock."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core import clock as service_clock
from core.accounts.authentication import player_of
from core.http.invitations import invitation_of
from core.http.openapi import problems
from core.http.views import ApiView
from games import selectors
from games.api.bodies import GameClockBody, clock_of
from games.api.views.games import INVITATION


class ClockView(ApiView):
    query_keys = ("invitation",)
    query_reads = (invitation_of,)

    @extend_schema(
        operation_id="explain_clock",
        tags=["games"],
        parameters=[INVITATION],
        responses={200: GameClockBody, **problems(400, 401, 403, 404)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Explain the deadlines of a game to the second.

        Yours has every pause in it; those of others leave out their private hours.
        """
        player = player_of(request)
        game = selectors.game_for(player, game_id, invitation=invitation_of(request))
        now = service_clock.now()
        return Response(GameClockBody(game.version, now, clock_of(game), selectors.explained(game, player, now)))
