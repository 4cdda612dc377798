"""The games there are; opening, listing and reading rooms and games; a game's clock, and the caller's turns."""

from typing import cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseNotModified
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core import clock as service_clock
from core.accounts.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import page_of
from core.http.conditional import IF_NONE_MATCH, if_none_match
from core.http.fields import ChoiceFilter, TruthFilter, invitation_of, invitation_parameter
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.pagination import CursorPages
from core.http.views import ApiView, ListView, PublicView, checked
from games import selectors, services
from games.api.bodies import (
    GAME_NAMES,
    GameBody,
    GameClockBody,
    GameRulesBody,
    bodies_of,
    changeable,
    clock_of,
    game_bodies,
    game_body,
    game_etag,
    rules_body,
)
from games.api.requests import ChangeRoomSerializer, OpenRoomSerializer
from games.models import Game, Seat
from games.projections import Snapshot
from games.rules import GAMES

INVITATION = invitation_parameter("The code of a private room, for those who are not in it.")


def game_answer(game: Snapshot, player: Player, status: int = 200) -> Response:
    """A response with a game in a player's view and its ETag, and for a new room its Location."""
    body = game_body(game, player)
    headers = {"ETag": game_etag(body, player)}
    if status == 201:
        headers["Location"] = f"/api/v1/games/{game.id}"
    return Response(body, status=status, headers=headers)


class GameFilters(filters.FilterSet):
    status = ChoiceFilter(Game.Status.values, help_text="The status of the game.")
    game = ChoiceFilter(GAME_NAMES, help_text="The name of a game, as GET rulesets lists it.")
    mine = TruthFilter(method="only_mine", help_text="Only those in which the caller sits.")

    def only_mine(self, games: QuerySet[Game], name: str, value: bool) -> QuerySet[Game]:
        return selectors.mine(games, cast("Player", self.request.user)) if value and self.request else games


class NewestFirst(CursorPages):
    ordering = ("-opened_at", "-id")


class MostUrgentFirst(CursorPages):
    ordering = ("due_at", "waits_since", "id")


class GamesView(ListView[Game]):
    queryset = Game.objects.none()
    pagination_class = NewestFirst
    filterset_class = GameFilters

    @extend_schema(operation_id="list_games", tags=["games"], responses={200: GameBody})
    def get(self, request: Request) -> Response:
        """List rooms and games, newest first. These are the public ones and your own."""
        player = player_of(request)
        return self.page_of(selectors.games_for(player), lambda games: game_bodies(games, player))

    @extend_schema(
        operation_id="open_room",
        tags=["games"],
        request=OpenRoomSerializer,
        responses={201: GameBody, **problems(409, 429)},
    )
    @once()
    def post(self, request: Request) -> Response:
        """Open a room and sit down in it. The response for a private room has its `invitation` code."""
        player = player_of(request)
        wanted = checked(OpenRoomSerializer, request)
        bots, salt = ["steady"] * wanted.pop("bots"), wanted.pop("salt", None)
        return game_answer(services.open_room(player, services.Terms(**wanted), bots=bots, salt=salt), player, 201)


class GameView(ApiView):
    query_keys = ("invitation",)
    query_reads = (invitation_of,)

    @extend_schema(
        operation_id="get_game",
        tags=["games"],
        parameters=[
            INVITATION,
            IF_NONE_MATCH,
            OpenApiParameter("ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[200, 304]),
        ],
        responses={200: GameBody, 304: None, **problems(403, 404)},
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Get a room or game as you may see it.

        The strong ETag covers the whole body, so that you can poll with `If-None-Match`.
        """
        player = player_of(request)
        game = selectors.game_for(player, game_id, invitation=invitation_of(request))
        parts = changeable(game)
        headers = {"ETag": game_etag(parts, player)}
        if if_none_match(request, headers["ETag"]):
            return HttpResponseNotModified(headers=headers)
        return Response(game_body(game, player, parts), headers=headers)

    @extend_schema(
        operation_id="change_room",
        tags=["games"],
        request=ChangeRoomSerializer,
        responses={200: GameBody, **problems(403, 404, 409)},
    )
    def patch(self, request: Request, game_id: UUID) -> Response:
        """Change an open room, as its opener: its ruleset, options, seats, clock, visibility or start.

        All who sit there are told. A tournament's room keeps its rules.
        """
        player = player_of(request)
        return game_answer(services.change_room(game_id, player, checked(ChangeRoomSerializer, request)), player)


class TurnsView(ListView[Seat]):
    queryset = Seat.objects.none()
    pagination_class = MostUrgentFirst

    @extend_schema(operation_id="my_turns", tags=["me"], responses={200: GameBody})
    def get(self, request: Request) -> Response:
        """List the games that wait for you, most urgent first."""
        player = player_of(request)
        return self.page_of(selectors.Turns(player), lambda turns: bodies_of([turn.game for turn in turns], player))


class ClockView(ApiView):
    query_keys = ("invitation",)
    query_reads = (invitation_of,)

    @extend_schema(
        operation_id="explain_clock",
        tags=["games"],
        parameters=[INVITATION],
        responses={200: GameClockBody, **problems(403, 404)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Explain the deadlines of a game to the second.

        Yours has every pause in it; those of others leave out their private hours.
        """
        player = player_of(request)
        game = selectors.game_for(player, game_id, invitation=invitation_of(request))
        now = service_clock.now()
        return Response(GameClockBody(game.version, now, clock_of(game), selectors.explained(game, player, now)))


class RulesetsView(PublicView):
    @extend_schema(operation_id="list_rulesets", tags=["rulesets"], responses={200: page_of(GameRulesBody)})
    def get(self, request: Request) -> Response:
        """List the games with their rulesets, options and plans.

        Options and plans are JSON Schemas, from which a client can draw a form. There is only one page.
        """
        body = page_of(GameRulesBody)([rules_body(rules) for rules in GAMES.values()], None, None)
        return Response(body, headers={"Cache-Control": "public, max-age=300"})
