"""Rounds, and a seating before it is published."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import path_parameter, problems
from core.http.problems import invalid
from core.http.views import ListView, checked
from core.refusals import Forbidden, NotFound
from games.api.bodies import GameBody
from games.api.views.games import game_answer
from games.projections import Snapshot
from tournaments import access, picture, services
from tournaments.api.bodies.rounds import DraftBody, RoundBody, TournamentGameBody, draft_body, game_body, rounds_bodies
from tournaments.api.bodies.tournaments import TournamentBody
from tournaments.api.requests import ExchangeSerializer, SeasonGameSerializer
from tournaments.api.views.base import (
    INVITATION,
    GamesNewestFirst,
    RoundsInOrder,
    TournamentApi,
    answer_tournament,
    for_change,
    tournament_of,
)
from tournaments.models import Round, TournamentGame
from tournaments.stream import Plan


class RoundsView(TournamentApi, ListView[Round]):
    queryset = Round.objects.none()
    pagination_class = RoundsInOrder

    @extend_schema(
        operation_id="list_rounds",
        tags=["rounds"],
        parameters=[INVITATION],
        responses={200: RoundBody, **problems(400, 401, 404)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the rounds. Each has its tables with their games and results."""
        row = tournament_of(request, tournament_id)
        return self.page_of(Round.objects.filter(tournament=row), lambda found: rounds_bodies(row, found))


class RoundView(TournamentApi):
    @extend_schema(
        operation_id="get_round",
        tags=["rounds"],
        parameters=[path_parameter("number", 1), INVITATION],
        responses={200: RoundBody, **problems(400, 401, 404)},
    )
    def get(self, request: Request, tournament_id: UUID, number: int) -> Response:
        """Get a round.

        Its tables have their games with results, and say whom each game waits for, since when and until when.
        """
        row = tournament_of(request, tournament_id)
        found = Round.objects.filter(tournament=row, number=number).first()
        if found is None:
            raise NotFound("no_such_round", "This round has not been seated.")
        return Response(rounds_bodies(row, [found])[0])


class DraftView(TournamentApi):
    def get_permissions(self) -> list[Any]:
        """A draft is for organisers, so reading it needs a token, too."""
        return [IsAuthenticated()]

    @extend_schema(
        operation_id="get_draft",
        tags=["rounds"],
        parameters=[INVITATION],
        responses={200: DraftBody, **problems(400, 401, 403, 404)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """Get the draft of the next round. Only organisers see it."""
        row = tournament_of(request, tournament_id)
        if not access.organises(row, player_of(request)):
            raise Forbidden("not_an_organiser", "Only an organiser of the tournament may do this.")
        if row.draft is None:
            raise NotFound("no_draft", "There is no draft of a next round.")
        return Response(draft_body(row.draft))

    @extend_schema(
        operation_id="change_draft",
        tags=["rounds"],
        request=ExchangeSerializer,
        responses={200: DraftBody, **problems(400, 401, 403, 404, 409, 413, 415)},
    )
    def put(self, request: Request, tournament_id: UUID) -> Response:
        """Change the draft of the next round.

        Two entrants change places (`swap`), or you give all `tables`. The response says what that costs. It is
        a ruling, with a reason; `dry_run` changes nothing.
        """
        for_change(request, tournament_id)
        body = checked(ExchangeSerializer, request)
        if ("swap" in body) == ("tables" in body):
            raise invalid([("swap", "Name two entrants, or give all tables.")])
        changed = services.exchange(
            tournament_id,
            player_of(request),
            reason=body["reason"],
            swap=body.get("swap"),
            tables=body.get("tables"),
            byes=body.get("byes"),
            dry_run=body["dry_run"],
        )
        return Response(DraftBody(**changed))


class PublishView(TournamentApi):
    @extend_schema(
        operation_id="publish_draft",
        tags=["rounds"],
        request=None,
        responses={200: TournamentBody, **problems(400, 401, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Publish the draft. The round is seated as drafted, and its games are opened."""
        for_change(request, tournament_id)
        checked(Nothing, request)
        services.publish(tournament_id, player_of(request))
        return answer_tournament(request, tournament_id)


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
