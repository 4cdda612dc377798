"""Leaderboards and public profiles. All of it can be read without a token."""

from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from core.accounts.models import Player
from core.http.openapi import path_parameter, problems
from core.http.pagination import CursorPages, whole_number_of
from core.http.problems import Problem, invalid
from core.http.views import ApiView
from games.rules import GAMES
from tournaments.leaderboards import profiles, selectors
from tournaments.leaderboards.api.bodies import (
    BoardBody,
    MeetingsBody,
    PublicProfileBody,
    RatingsBody,
    VersusBody,
    board_body,
    league_body,
    rating_body,
    reference,
)
from tournaments.leaderboards.boards import BOARDS, boards_of
from tournaments.leaderboards.selectors import is_period
from tournaments.leaderboards.tally import ALL

_USERNAME, _OTHER = path_parameter("username", "ada"), path_parameter("other", "bob")
_BOARD_PARAMETERS = [
    path_parameter("game", "threes", choices=sorted(GAMES)),
    OpenApiParameter("board", str, enum=list(BOARDS), default="rating", description="`penalty`: Three Thirteen only."),
    OpenApiParameter("period", str, default=ALL, description="`all`, a year (`2026`) or a month (`2026-11`), in UTC."),
    OpenApiParameter("around", str, enum=["me"], description="The page with the caller in its middle; needs a token."),
    OpenApiParameter("cursor", str, description="From `next` or `previous`; opaque."),
    OpenApiParameter(
        "limit",
        {
            "type": "integer",
            "minimum": 1,
            "maximum": CursorPages.max_page_size,
            "default": CursorPages.page_size,
        },
    ),
]


class PublicView(ApiView):
    """A view that needs no token; a token that is sent must be valid."""

    permission_classes = (AllowAny,)


def period_of(request: Request) -> str:
    period = request.query_params.get("period", ALL)
    if not is_period(period):
        raise invalid([("period", "A period is all, a year such as 2026, or a month such as 2026-11.")])
    return period


def _around(request: Request) -> UUID | None:
    around = request.query_params.get("around")
    if around is None:
        return None
    if around != "me":
        raise invalid([("around", "The only value is me.")])
    if "cursor" in request.query_params:
        raise invalid([("around", "A cursor names its page: leave one of the two out.")])
    if not isinstance(request.user, Player):
        raise Problem("not_authenticated", "Send a token: around=me is the page with you on it.")
    return request.user.pk


_limit = whole_number_of("limit", 1, CursorPages.max_page_size, CursorPages.page_size)


def _board(request: Request) -> str | None:
    game = request.parser_context["kwargs"]["game"]
    return board_of(request, game) if game in GAMES else None


def _game(request: Request) -> str | None:
    wanted = request.query_params.get("game")
    if wanted is not None and wanted not in GAMES:
        raise invalid([("game", f"There is no game {wanted}.")])
    return wanted


class LeaderboardView(PublicView):
    query_keys = ("board", "period", "around", "cursor", "limit")
    query_reads = (_board, period_of, _around, _limit)

    @extend_schema(
        operation_id="leaderboard",
        tags=["leaderboards"],
        parameters=_BOARD_PARAMETERS,
        responses={200: BoardBody, **problems(404)},
    )
    def get(self, request: Request, game: str) -> Response:
        """Get a leaderboard, best first. `around=me` is the page with you on it."""
        if game not in GAMES:
            raise Problem("not_found", f"There is no game {game}.")
        board, period = board_of(request, game), period_of(request)
        limit, around = _limit(request), _around(request)
        cursor = request.query_params.get("cursor")
        page = selectors.board_page(game, board, period, limit=limit, cursor=cursor, around=around)
        here = remove_query_param(request.build_absolute_uri(), "around")
        return Response(
            board_body(game, board, period, page, lambda cursor: str(replace_query_param(here, "cursor", cursor)))
        )


class ProfileView(PublicView):
    @extend_schema(
        operation_id="player",
        tags=["players"],
        parameters=[_USERNAME],
        responses={200: PublicProfileBody, **problems(404)},
    )
    def get(self, request: Request, username: str) -> Response:
        """Get a player's public profile. It has the rated games, places, ratings and ranks."""
        player = shown_player(request, username)
        leagues = [league_body(rated) for rated in profiles.ratings(player)]
        return Response(PublicProfileBody(player.pk, player.username, player.date_joined, leagues))


class RatingsView(PublicView):
    query_keys = ("game",)
    query_reads = (_game,)

    @extend_schema(
        operation_id="ratings",
        tags=["players"],
        parameters=[_USERNAME, OpenApiParameter("game", str, enum=sorted(GAMES), description="Left out: all games.")],
        responses={200: RatingsBody, **problems(404)},
    )
    def get(self, request: Request, username: str) -> Response:
        """Get a player's ratings with their history."""
        player = shown_player(request, username)
        wanted = _game(request)
        results = [rating_body(rated) for rated in profiles.ratings(player) if wanted in (None, rated.game)]
        return Response(RatingsBody(results, None, None))


class VersusView(PublicView):
    @extend_schema(
        operation_id="versus",
        tags=["players"],
        parameters=[_USERNAME, _OTHER],
        responses={200: VersusBody, **problems(404)},
    )
    def get(self, request: Request, username: str, other: str) -> Response:
        """Compare two players. Only rated games in which both sat are counted."""
        both = shown_player(request, username), shown_player(request, other)
        results = [MeetingsBody(*meetings) for meetings in profiles.versus(*both)]
        return Response(VersusBody(reference(both[0]), reference(both[1]), results, None, None))


def shown_player(request: Request, username: str) -> Player:
    """The player of that name, as the caller may see them. Raises the 404."""
    player = profiles.shown_player(username, request.user if isinstance(request.user, Player) else None)
    if player is None:
        raise Problem("not_found", f"There is no player {username}.")
    return player


def board_of(request: Request, game: str) -> str:
    board = request.query_params.get("board", "rating")
    names = [one.name for one in boards_of(GAMES[game].has_penalties)]
    if board not in names:
        raise invalid([("board", f"The boards of {GAMES[game].title} are {', '.join(names)}.")])
    return board


urlpatterns = [
    path("leaderboards/<slug:game>", LeaderboardView.as_view(), name="leaderboard"),
    path("players/<str:username>", ProfileView.as_view(), name="player"),
    path("players/<str:username>/ratings", RatingsView.as_view(), name="ratings"),
    path("players/<str:username>/versus/<str:other>", VersusView.as_view(), name="versus"),
]
