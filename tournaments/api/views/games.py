"""The games of a tournament."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import problems
from core.http.views import ListView, checked
from games.api.bodies import GameBody
from games.api.views.games import game_answer
from games.projections import Snapshot
from tournaments import picture, services
from tournaments.api.bodies.rounds import TournamentGameBody, game_body
from tournaments.api.requests import SeasonGameSerializer
from tournaments.api.views.base import INVITATION, GamesNewestFirst, TournamentApi, for_change, tournament_of
from tournaments.models import TournamentGame
from tournaments.stream import Plan


class TournamentGamesView(TournamentApi, ListView[TournamentGame]):
    queryset = TournamentGame.objects.none()
    pagination_class = GamesNewestFirst

    @extend_schema(
        operation_id="list_tournament_games",
        tags=["rounds"],
        parameters=[INVITATION],
        responses={200: TournamentGameBody, **problems(400, 401, 404)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the games of a tournament, newest first. They say their results, and whom they wait for."""
        row = tournament_of(request, tournament_id)
        games = TournamentGame.objects.filter(tournament=row)
        return self.page_of(games, lambda found: [game_body(game) for game in picture.games_now(row, found)])

    @extend_schema(
        operation_id="open_season_game",
        tags=["rounds"],
        parameters=[KEY],
        request=SeasonGameSerializer,
        responses={201: GameBody, **problems(400, 401, 403, 404, 409, 413, 415, 422, 429)},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Open a season's room and sit down in it. Only entrants can join."""
        row, player = for_change(request, tournament_id), player_of(request)
        body = checked(SeasonGameSerializer, request)
        seats = body.get("seats") or Plan.from_json(row.plan).size

        def answer(room: Snapshot) -> services.Answer:
            shown = game_answer(room, player, 201)
            return services.Answer(201, shown.data, {"ETag": shown.headers["ETag"]})

        keyed = keyed_of(request, answer)
        opened = services.open_game(row.pk, player, seats=seats, bots=body["bots"], keyed=keyed)
        return response_of(answer(opened) if keyed is None else opened)
