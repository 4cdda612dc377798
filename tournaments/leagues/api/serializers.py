"""Boards and players' results as JSON."""

from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any

from rest_framework import serializers

from tournaments.leagues.models import Point
from tournaments.leagues.rating import Rating
from tournaments.leagues.selectors import BoardPage, Meetings, Profile, Row, Standing
from tournaments.rules.exact import exact_text


class PlayerReferenceSerializer(serializers.Serializer[Any]):
    """Who a player is to others."""

    id = serializers.UUIDField()
    username = serializers.CharField()


class BoardRowSerializer(serializers.Serializer[Any]):
    """One line of a board."""

    rank = serializers.IntegerField(help_text="1, 2, 2, 4: a shared value shares the rank.")
    player = PlayerReferenceSerializer()
    value = serializers.CharField(help_text="An exact number: a whole one, or a fraction in lowest terms.")
    decimal = serializers.CharField(help_text="The value with two decimals, for people.")
    deviation = serializers.CharField(help_text="Of the player's rating in the period.")
    games = serializers.IntegerField(help_text="Rated games in the period.")
    lost_on_time = serializers.IntegerField(help_text="How many of them the player was timed out of.")
    percentile = serializers.CharField(help_text="The share of ranked players below, halves for ties; one decimal.")


class BoardSerializer(serializers.Serializer[Any]):
    """A part of a board."""

    game = serializers.CharField()
    board = serializers.CharField()
    period = serializers.CharField()
    results = BoardRowSerializer(many=True)
    total = serializers.IntegerField(help_text="How many players have a rank.")
    as_of = serializers.DateTimeField(allow_null=True, help_text="When the last result that counts was recorded.")
    as_of_result = serializers.IntegerField(help_text="Its number in the league's order.")
    recomputing = serializers.BooleanField(help_text="A voided result still counts; the board is being made again.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class RankSerializer(serializers.Serializer[Any]):
    """How a player stands on one board."""

    board = serializers.CharField()
    value = serializers.CharField()
    decimal = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    percentile = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True, help_text="Why there is no rank.")


class LeagueProfileSerializer(serializers.Serializer[Any]):
    """A player's rated games of one game."""

    game = serializers.CharField()
    games = serializers.IntegerField()
    places = serializers.DictField(child=serializers.IntegerField(), help_text="How often the player took each place.")
    lost_on_time = serializers.IntegerField()
    rating = serializers.CharField()
    deviation = serializers.CharField()
    provisional = serializers.BooleanField(help_text="The rating has no rank; `reason` says why.")
    reason = serializers.CharField(allow_null=True)
    boards = RankSerializer(many=True)


class PublicProfileSerializer(serializers.Serializer[Any]):
    """A player as everybody may see them."""

    id = serializers.UUIDField()
    username = serializers.CharField()
    joined_at = serializers.DateTimeField()
    leagues = LeagueProfileSerializer(many=True)


class PointSerializer(serializers.Serializer[Any]):
    """A rating after one game."""

    at = serializers.DateTimeField(help_text="When the game finished.")
    game_id = serializers.UUIDField()
    place = serializers.IntegerField()
    players = serializers.IntegerField()
    rating = serializers.CharField()
    deviation = serializers.CharField()


class RatingSerializer(serializers.Serializer[Any]):
    """A player's rating in one game."""

    game = serializers.CharField()
    rating = serializers.CharField()
    deviation = serializers.CharField()
    games = serializers.IntegerField()
    provisional = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    percentile = serializers.CharField(allow_null=True)
    history = PointSerializer(many=True, help_text="A point after each rated game, oldest first.")


class RatingsSerializer(serializers.Serializer[Any]):
    """A player's ratings."""

    results = RatingSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class MeetingsSerializer(serializers.Serializer[Any]):
    """Rated games of two players together in one game."""

    game = serializers.CharField()
    games = serializers.IntegerField()
    better = serializers.IntegerField(help_text="How often the first player had the better place.")
    level = serializers.IntegerField()
    worse = serializers.IntegerField()


class VersusSerializer(serializers.Serializer[Any]):
    """Two players head to head."""

    player = PlayerReferenceSerializer()
    other = PlayerReferenceSerializer()
    results = MeetingsSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


def decimal_text(value: Fraction | int) -> str:
    """Two decimals; whole numbers stay whole."""
    if isinstance(value, int):
        return str(value)
    return str((Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def reference(player: Any) -> dict[str, Any]:
    """A player as a reference."""
    return {"id": player.pk, "username": player.username}


def board_body(game: str, board: str, period: str, page: BoardPage) -> dict[str, Any]:
    """A page of a board, but for its links."""
    return {
        "game": game,
        "board": board,
        "period": period,
        "results": [_row(row) for row in page.rows],
        "total": page.total,
        "as_of": page.as_of,
        "as_of_result": page.counted,
        "recomputing": page.recomputing,
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "player": reference(row.player),
        "value": exact_text(Fraction(row.value)),
        "decimal": decimal_text(row.value),
        "deviation": str(row.deviation),
        "games": row.games,
        "lost_on_time": row.lost_on_time,
        "percentile": str(row.percentile),
    }


def league_body(profile: Profile, places: dict[int, int]) -> dict[str, Any]:
    """A player's numbers in one league."""
    tally, rating = profile.tally, profile.rating
    return {
        "game": profile.game,
        "games": tally.games,
        "places": {str(place): places[place] for place in sorted(places)},
        "lost_on_time": tally.lost_on_time,
        "rating": str(tally.rating.shown),
        "deviation": str(tally.rating.deviation),
        "provisional": rating.rank is None,
        "reason": rating.reason,
        "boards": [_rank(standing) for standing in profile.standings],
    }


def _rank(standing: Standing) -> dict[str, Any]:
    return {
        "board": standing.board.name,
        "value": exact_text(Fraction(standing.value)),
        "decimal": decimal_text(standing.value),
        "rank": standing.rank,
        "percentile": None if standing.percentile is None else str(standing.percentile),
        "reason": standing.reason,
    }


def rating_body(profile: Profile, history: list[Point]) -> dict[str, Any]:
    """A player's rating in one league, with its history."""
    tally, standing = profile.tally, profile.rating
    return {
        "game": profile.game,
        "rating": str(tally.rating.shown),
        "deviation": str(tally.rating.deviation),
        "games": tally.games,
        "provisional": standing.rank is None,
        "reason": standing.reason,
        "rank": standing.rank,
        "percentile": None if standing.percentile is None else str(standing.percentile),
        "history": [_point(point) for point in history],
    }


def _point(point: Point) -> dict[str, Any]:
    rating = Rating(point.mu, point.sigma)
    return {
        "at": point.at,
        "game_id": point.game_id,
        "place": point.place,
        "players": point.players,
        "rating": str(rating.shown),
        "deviation": str(rating.deviation),
    }


def meetings_body(meetings: Meetings) -> dict[str, Any]:
    """Two players' games together in one league."""
    return {
        "game": meetings.game,
        "games": meetings.games,
        "better": meetings.better,
        "level": meetings.level,
        "worse": meetings.worse,
    }
