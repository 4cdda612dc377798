"""Rooms and games: opening one, finding them, reading one, and whose turn it is."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games import selectors, services
from games.accounts.authentication import player_of
from games.accounts.models import Player
from games.api.serializers.games import GAME_NAMES, GameSerializer, OpenRoomSerializer
from games.http.conditional import etag_of, if_none_match
from games.http.openapi import paged, problems
from games.http.pagination import LIST_PARAMETERS, Page, page_by_offset, page_of
from games.http.problems import invalid
from games.http.views import ApiView, checked
from games.models import Game

INVITATION = OpenApiParameter("invitation", str, description="The code of a private room, for who is not (yet) in it.")
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def invitation_of(request: Request) -> str | None:
    """The query's invitation code, if one was sent."""
    text = request.query_params.get("invitation")
    if text is not None and not (len(text) <= 64 and text.isascii() and text.isprintable()):
        raise invalid([("invitation", "This is no invitation code.")])
    return text


def body_of(game: Game, player: Player, outages: Sequence[tuple[datetime, datetime]] | None = None) -> dict[str, Any]:
    """A game in a player's view, as JSON data; `outages` where those that may matter are known already."""
    return dict(GameSerializer(game, context={"player": player, "outages": outages}).data)


def game_answer(game: Game, player: Player, status: int = 200) -> Response:
    """A game in a player's view, with its ETag; a new room also says where it is."""
    body = body_of(game, player)
    headers = {"ETag": etag_of(body)}
    if status == 201:
        headers["Location"] = f"/api/v1/games/{game.pk}"
    return Response(body, status=status, headers=headers)


def page_answer(page: Page[Game], player: Player) -> Response:
    """A page of games in a player's view."""
    outages = selectors.outages_for(page.results)
    results = [body_of(game, player, outages) for game in page.results]
    return Response({"results": results, "next": page.next, "previous": page.previous})


class GamesView(ApiView):
    @extend_schema(
        operation_id="list_games",
        tags=["games"],
        parameters=[
            OpenApiParameter("status", str, enum=Game.Status.values),
            OpenApiParameter("game", str, enum=GAME_NAMES),
            OpenApiParameter("mine", bool, description="true: only those in which the caller sits."),
            *LIST_PARAMETERS,
        ],
        responses={200: paged(GameSerializer), **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """The rooms and games that the caller may look into, newest first."""
        player = player_of(request)
        games = selectors.games_for(player)
        if (status := _choice(request, "status", Game.Status.values)) is not None:
            games = games.filter(status=status)
        if (game := _choice(request, "game", GAME_NAMES)) is not None:
            games = games.filter(game=game)
        mine = _choice(request, "mine", list(_TRUTHS))
        if mine is not None and _TRUTHS[mine]:
            games = selectors.mine(games, player)
        return page_answer(page_of(games, request, by="opened_at", newest_first=True), player)

    @extend_schema(
        operation_id="open_room",
        tags=["games"],
        request=OpenRoomSerializer,
        responses={201: GameSerializer, **problems(400, 401, 409, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Open a room; the caller sits down in it. A private one has its invitation code in the answer."""
        player = player_of(request)
        wanted = checked(OpenRoomSerializer, request)
        wanted["bots"] = ["steady"] * wanted["bots"]
        return game_answer(services.open_room(player, **wanted), player, 201)


class GameView(ApiView):
    @extend_schema(
        operation_id="get_game",
        tags=["games"],
        parameters=[
            INVITATION,
            OpenApiParameter(
                "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag; 304 if it still holds."
            ),
            OpenApiParameter("ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[200, 304]),
        ],
        responses={200: GameSerializer, 304: None, **problems(400, 401, 403, 404)},
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """One room or game in the caller's view. Its strong ETag covers everything in the body."""
        player = player_of(request)
        game = selectors.game_for(player, game_id, invitation=invitation_of(request))
        response = game_answer(game, player)
        if if_none_match(request, response.headers["ETag"]):
            return HttpResponse(status=304, headers={"ETag": response.headers["ETag"]})
        return response


class TurnsView(ApiView):
    @extend_schema(
        operation_id="my_turns",
        tags=["me"],
        parameters=LIST_PARAMETERS,
        responses={200: paged(GameSerializer), **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """The games that wait for the caller, most urgent first."""
        player = player_of(request)
        return page_answer(page_by_offset(selectors.turns_of(player), request), player)


def _choice(request: Request, name: str, choices: list[str]) -> str | None:
    """One of `choices`, in whatever case; None where it is not given, or given empty, as a form sends it."""
    text = request.query_params.get(name, "").lower() or None
    if text is not None and text not in choices:
        raise invalid([(name, f"Must be one of: {', '.join(choices)}.")])
    return text
