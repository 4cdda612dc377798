"""Adding a bot, and taking a seat back from one."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing
from core.http.openapi import problems
from core.http.views import ApiView, checked
from games import services
from games.api.bodies import GameBody
from games.api.serializers.games import AddBotSerializer
from games.api.views.games import game_answer

_RESPONSES = {200: GameBody, **problems(400, 401, 403, 404, 409, 413, 415, 429)}


class BotsView(ApiView):
    @extend_schema(operation_id="add_bot", tags=["games"], request=AddBotSerializer, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Add a bot to an open room. Only the opener can do this; `kick` removes the bot again."""
        player = player_of(request)
        level = checked(AddBotSerializer, request)["level"]
        return game_answer(services.add_bot(game_id, player, level), player)


class ReturnView(ApiView):
    @extend_schema(operation_id="take_seat_back", tags=["games"], request=None, responses=_RESPONSES)
    def post(self, request: Request, game_id: UUID) -> Response:
        """Take your seat back from the bot that plays in it. If it is your turn, its time starts again."""
        player = player_of(request)
        checked(Nothing, request)
        return game_answer(services.take_back(game_id, player), player)
