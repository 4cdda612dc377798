"""Boards and players' results. Nothing is sent that is not named here."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated
from uuid import UUID

from core.accounts.models import Player
from core.http.bodies import Body, Moment, Url, doc, made_from
from tournaments.leaderboards.models import Point
from tournaments.leaderboards.profiles import Rated, Standing
from tournaments.leaderboards.selectors import BoardPage, Row
from tournaments.leaderboards.tally import Rating
from tournaments.rules.exact import exact_text


class PlayerReferenceBody(Body):
    """A player as others see it."""

    id: UUID
    username: str


class BoardRowBody(Body):
    """One line of a board."""

    rank: Annotated[int, doc("1, 2, 2, 4: a shared value shares the rank.")]
    player: PlayerReferenceBody
    value: Annotated[str, doc("An exact number: a whole one, or a fraction in lowest terms.")]
    decimal: Annotated[str, doc("The value with two decimals, for people.")]
    deviation: Annotated[str, doc("Of the player's rating in the period.")]
    games: Annotated[int, doc("Rated games in the period.")]
    lost_on_time: Annotated[int, doc("The number of those in which the player was timed out.")]
    percentile: Annotated[str, doc("The share of ranked players below, halves for ties; one decimal.")]


class BoardBody(Body):
    """A part of a board."""

    game: str
    board: str
    period: str
    results: Sequence[BoardRowBody]
    total: Annotated[int, doc("The number of players with a rank.")]
    as_of: Annotated[Moment | None, doc("The time at which the last result that counts was recorded.")]
    as_of_result: Annotated[int, doc("Its number in the league's order.")]
    recomputing: Annotated[bool, doc("A voided result still counts; the board is being made again.")]
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
    places: Annotated[Mapping[str, int], doc("The number of times that the player took each place.")]
    lost_on_time: int
    never_came: Annotated[int, doc("Games rated for this player alone: it never moved in play.")]
    rating: str
    deviation: str
    provisional: Annotated[bool, doc("The rating has no rank; `reason` says why.")]
    reason: str | None
    boards: Sequence[RankBody]


class PublicProfileBody(Body):
    """A player as everybody may see them."""

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
    better: Annotated[int, doc("The number of times that the first player had the better place.")]
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
    """A page of a board; `url_of` is the address of a cursor."""
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
