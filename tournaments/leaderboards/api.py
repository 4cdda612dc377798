"""Leaderboards and public profiles. All of it can be read without a token; nothing is sent that is not named here."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from core.accounts.models import Player
from core.http.bodies import Body, Moment, Url, doc, made_from
from core.http.openapi import path_parameter
from core.http.pagination import CursorPages, number_parameter
from core.http.problems import Problem, invalid
from core.http.views import ApiView, QueryParameter
from games.rules import GAMES
from tournaments.leaderboards import profiles, selectors
from tournaments.leaderboards.boards import BOARDS, boards_of
from tournaments.leaderboards.models import Point
from tournaments.leaderboards.profiles import Rated, Standing
from tournaments.leaderboards.selectors import BoardPage, Row, is_period
from tournaments.leaderboards.tally import ALL, Rating
from tournaments.rules.exact import exact_text


class PlayerReferenceBody(Body):
    """A player as others see it."""

    id: UUID
    username: str


class BoardRowBody(Body):
    """One line of a board."""

    rank: Annotated[int, doc("Ranks are 1, 2, 2, 4: players with the same value share a rank.")]
    player: PlayerReferenceBody
    value: Annotated[str, doc("An exact number: a whole number, or a fraction in lowest terms.")]
    decimal: Annotated[str, doc("The value with two decimals, for people.")]
    deviation: Annotated[str, doc("The deviation of the player's rating in the period.")]
    games: Annotated[int, doc("Rated games in the period.")]
    lost_on_time: Annotated[int, doc("The number of these games in which the player was timed out.")]
    percentile: Annotated[str, doc("The percentage of ranked players below, with ties counted half, to one decimal.")]


class BoardBody(Body):
    """A part of a board."""

    game: str
    board: str
    period: str
    results: Sequence[BoardRowBody]
    total: Annotated[int, doc("The number of players with a rank.")]
    as_of: Annotated[Moment | None, doc("The time at which the last result that counts was recorded.")]
    as_of_result: Annotated[int, doc("The number of that result in the league.")]
    recomputing: Annotated[bool, doc("True while the board is being rebuilt and still counts a voided result.")]
    next: Url | None
    previous: Url | None


class RankBody(Body):
    """A player's rank on one board."""

    board: str
    value: str
    decimal: str
    rank: int | None
    percentile: str | None
    reason: Annotated[str | None, doc("The reason why there is no rank.")]


class LeagueProfileBody(Body):
    """A player's rated games of one game."""

    game: str
    games: int
    places: Annotated[Mapping[str, int], doc("How many times the player took each place.")]
    lost_on_time: int
    never_came: Annotated[int, doc("The number of games that were rated for this player alone, who never made a move.")]
    rating: str
    deviation: str
    provisional: Annotated[bool, doc("True if the rating has no rank; `reason` says why.")]
    reason: str | None
    boards: Sequence[RankBody]


class PublicProfileBody(Body):
    """A player, as everyone can see them."""

    id: UUID
    username: str
    joined_at: Moment
    leagues: Sequence[LeagueProfileBody]


class PointBody(Body):
    """A rating after one game."""

    at: Annotated[Moment, doc("The time at which the game finished.")]
    game_id: UUID
    place: int
    players: int
    rating: str
    deviation: str


class RatingBody(Body):
    """A player's rating in one game."""

    game: str
    rating: str
    deviation: str
    games: int
    provisional: bool
    reason: str | None
    rank: int | None
    percentile: str | None
    history: Annotated[Sequence[PointBody], doc("A point after each rated game, oldest first.")]


class RatingsBody(Body):
    """A player's ratings."""

    results: Sequence[RatingBody]
    next: Url | None
    previous: Url | None


class MeetingsBody(Body):
    """Rated games of two players together in one game."""

    game: str
    games: int
    better: Annotated[int, doc("How many times the first player finished ahead.")]
    level: int
    worse: int


class VersusBody(Body):
    """Two players head to head."""

    player: PlayerReferenceBody
    other: PlayerReferenceBody
    results: Sequence[MeetingsBody]
    next: Url | None
    previous: Url | None


def reference(player: Player) -> PlayerReferenceBody:
    return PlayerReferenceBody(player.pk, player.username)


def board_body(game: str, board: str, period: str, page: BoardPage, url_of: Callable[[str], str]) -> BoardBody:
    return made_from(
        BoardBody,
        page,
        game=game,
        board=board,
        period=period,
        results=[_row(row) for row in page.rows],
        as_of_result=page.counted,
        next=page.next and url_of(page.next),
        previous=page.previous and url_of(page.previous),
    )


def _row(row: Row) -> BoardRowBody:
    return made_from(
        BoardRowBody,
        row,
        player=reference(row.player),
        value=exact_text(Fraction(row.value)),
        deviation=str(row.deviation),
        percentile=str(row.percentile),
    )


def league_body(rated: Rated) -> LeagueProfileBody:
    tally, standing = rated.tally, rated.standing
    return made_from(
        LeagueProfileBody,
        tally,
        game=rated.game,
        places={str(place): times for place, times in rated.places.items()},
        rating=str(tally.rating.shown),
        deviation=str(tally.rating.deviation),
        provisional=standing.rank is None,
        reason=standing.reason,
        boards=[_rank(one) for one in rated.standings],
    )


def _rank(standing: Standing) -> RankBody:
    return made_from(
        RankBody,
        standing,
        board=standing.board.name,
        value=exact_text(Fraction(standing.value)),
        percentile=_text(standing.percentile),
    )


def _text(percentile: Decimal | None) -> str | None:
    return None if percentile is None else str(percentile)


def rating_body(rated: Rated) -> RatingBody:
    tally, standing = rated.tally, rated.standing
    return made_from(
        RatingBody,
        standing,
        game=rated.game,
        rating=str(tally.rating.shown),
        deviation=str(tally.rating.deviation),
        games=tally.games,
        provisional=standing.rank is None,
        percentile=_text(standing.percentile),
        history=[_point(point) for point in rated.history],
    )


def _point(point: Point) -> PointBody:
    rating = Rating(point.mu, point.sigma)
    return made_from(PointBody, point, rating=str(rating.shown), deviation=str(rating.deviation))


_USERNAME, _OTHER = path_parameter("username", "ada"), path_parameter("other", "bob")


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
        raise invalid([("around", "Send either `cursor` or `around`, not both.")])
    if not isinstance(request.user, Player):
        raise Problem("not_authenticated", "Send a token to get the page with you on it (around=me).")
    return request.user.pk


def _board(request: Request) -> str | None:
    game = request.parser_context["kwargs"]["game"]
    return board_of(request, game) if game in GAMES else None


def _game(request: Request) -> str | None:
    wanted = request.query_params.get("game")
    if wanted is not None and wanted not in GAMES:
        raise invalid([("game", f"There is no game {wanted}.")])
    return wanted


_PERIOD = "`all`, a year (`2026`) or a month (`2026-11`), in UTC."
_AROUND = "`me` for the page around the caller; this needs a token."
_LIMIT = number_parameter("limit", 1, CursorPages.max_page_size, CursorPages.page_size)


class LeaderboardView(PublicView):
    query = (
        QueryParameter(
            "board",
            enum=list(BOARDS),
            default="rating",
            read=_board,
            description="`penalty` is for Three Thirteen only.",
        ),
        QueryParameter("period", default=ALL, read=period_of, description=_PERIOD),
        QueryParameter("around", enum=["me"], read=_around, description=_AROUND),
        QueryParameter("cursor", description="An opaque value from `next` or `previous`."),
        _LIMIT,
    )

    @extend_schema(
        operation_id="leaderboard",
        parameters=[path_parameter("game", "threes", choices=sorted(GAMES))],
        responses={200: BoardBody},
    )
    def get(self, request: Request, game: str) -> Response:
        """Get a leaderboard, best first. `around=me` gives the page with you on it."""
        if game not in GAMES:
            raise Problem("not_found", f"There is no game {game}.")
        board, period = board_of(request, game), period_of(request)
        limit, around = _LIMIT.read(request), _around(request)
        cursor = request.query_params.get("cursor")
        page = selectors.board_page(game, board, period, limit=limit, cursor=cursor, around=around)
        here = remove_query_param(request.build_absolute_uri(), "around")
        return Response(
            board_body(game, board, period, page, lambda cursor: str(replace_query_param(here, "cursor", cursor)))
        )


class ProfileView(PublicView):
    @extend_schema(operation_id="player", tags=["players"], parameters=[_USERNAME], responses={200: PublicProfileBody})
    def get(self, request: Request, username: str) -> Response:
        """Get a player's public profile. It has the player's rated games, places, ratings and ranks."""
        player = shown_player(request, username)
        leagues = [league_body(rated) for rated in profiles.ratings(player)]
        return Response(PublicProfileBody(player.pk, player.username, player.date_joined, leagues))


class RatingsView(PublicView):
    query = (QueryParameter("game", enum=sorted(GAMES), read=_game, description="Default: all games."),)

    @extend_schema(operation_id="ratings", tags=["players"], parameters=[_USERNAME], responses={200: RatingsBody})
    def get(self, request: Request, username: str) -> Response:
        """Get a player's ratings with their history."""
        player = shown_player(request, username)
        wanted = _game(request)
        results = [rating_body(rated) for rated in profiles.ratings(player) if wanted in (None, rated.game)]
        return Response(RatingsBody(results, None, None))


class VersusView(PublicView):
    @extend_schema(operation_id="versus", tags=["players"], parameters=[_USERNAME, _OTHER], responses={200: VersusBody})
    def get(self, request: Request, username: str, other: str) -> Response:
        """Compare two players. Only rated games with both players count."""
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
        raise invalid([("board", f"The leaderboards of {GAMES[game].title} are {', '.join(names)}.")])
    return board


urlpatterns = [
    path("leaderboards/<slug:game>", LeaderboardView.as_view(), name="leaderboard"),
    path("players/<str:username>", ProfileView.as_view(), name="player"),
    path("players/<str:username>/ratings", RatingsView.as_view(), name="ratings"),
    path("players/<str:username>/versus/<str:other>", VersusView.as_view(), name="versus"),
]
