"""Reading players: their ratings and standings, and whom they have met."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Q

from core import clock
from core.accounts.models import Player
from core.rows import fetch_all
from games.rules import GAMES
from games.selectors import GameRow, newest_ended
from tournaments import access
from tournaments.leaderboards.boards import BOARDS, Board, boards_of, why_unranked
from tournaments.leaderboards.models import BoardState, Entry, League, Point
from tournaments.leaderboards.selectors import BoardKey, around, percentile
from tournaments.leaderboards.store import read_tallies, tallies_of
from tournaments.leaderboards.tally import ALL, Rating, Tally
from tournaments.models import WAS_OPENED, Entrant, Tournament

NEWEST = 12
OPPONENTS = 10
# The number of newest rated games in a league that are searched for opponents.
LOOKED_THROUGH = 500

_MET = """
SELECT other.player, count(*), count(*) FILTER (WHERE own.place < other.place),
       count(*) FILTER (WHERE own.place = other.place), count(*) FILTER (WHERE own.place > other.place)
FROM leaderboards_league league
CROSS JOIN LATERAL (
    SELECT * FROM leaderboards_point point
    WHERE point.player = %(player)s AND point.game = league.game AND point.generation = league.generation
    ORDER BY point.number DESC LIMIT %(most)s
) own
JOIN leaderboards_point other ON other.game = own.game AND other.generation = own.generation
    AND other.number = own.number AND other.player <> own.player AND NOT own.never_came AND NOT other.never_came
GROUP BY other.player ORDER BY 2 DESC, 1 LIMIT %(limit)s
"""


def shown_player(username: str, reader: Player | None = None) -> Player | None:
    """The player of that name, unless they ask to be left out of public pages; the reader sees their own."""
    try:
        player = Player.objects.get_by_natural_key(Player.normalize_username(username))
    except Player.DoesNotExist:
        return None
    hidden = player.preferences.get("unlisted") is True and player != reader
    return None if hidden or player.closed_at is not None else player


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing on one board: the rank, or the reason why there is none."""

    board: Board
    value: Fraction | int
    rank: int | None
    percentile: Decimal | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Profile:
    game: str
    tally: Tally
    standings: Sequence[Standing]

    @property
    def rating(self) -> Standing:
        return next(standing for standing in self.standings if standing.board.name == "rating")


def profile(player: Player, game: str, period: str = ALL) -> Profile | None:
    """A player's numbers in a league and period; None without a rated game."""
    league = League.objects.filter(pk=game).first()
    if league is None:
        return None
    tally = read_tallies(game, league.generation, [(period, player.pk)]).get((period, player.pk))
    if tally is None:
        return None
    boards = boards_of(GAMES[game].has_penalties)
    return Profile(game, tally, [_standing(league, board, period, player, tally) for board in boards])


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating of all times in one league: its standing among the ratings, and a point after each game."""

    game: str
    tally: Tally
    standing: Standing
    history: Sequence[Point]

    @property
    def places(self) -> dict[int, int]:
        return dict(sorted(Counter(point.place for point in self.history).items()))


def ratings(player: Player) -> list[Rated]:
    """The player's ratings in all leagues. Five queries, and one for each league."""
    leagues = League.objects.in_bulk()
    if not leagues:
        return []
    live = Q()
    for league in leagues.values():
        live |= Q(game=league.game, generation=league.generation)
    points: dict[str, list[Point]] = {game: [] for game in leagues}
    for point in Point.objects.filter(live, player=player.pk).order_by("game", "number"):
        points[point.game].append(point)
    tallies = tallies_of(player.pk, ALL)
    on_board = Entry.objects.filter(live, period=ALL, board="rating", player=player.pk)
    scores = dict(on_board.values_list("game", "score"))
    states = {state.game: state for state in BoardState.objects.filter(live, period=ALL, board="rating")}
    found = []
    for league in (leagues[game] for game in GAMES if game in leagues):
        tally = tallies.get((league.game, league.generation))
        if tally is None:
            continue
        standing = _standing_at(
            league, BOARDS["rating"], ALL, tally, score=scores.get(league.game), state=states.get(league.game)
        )
        found.append(Rated(league.game, tally, standing, points[league.game]))
    return found


def _standing(league: League, board: Board, period: str, player: Player, tally: Tally) -> Standing:
    key = BoardKey(league.game, league.generation, period, board.name)
    score = Entry.objects.filter(**key.filters, player=player.pk).values_list("score", flat=True).first()
    state = BoardState.objects.filter(**key.filters).first() if score is not None else None
    return _standing_at(league, board, period, tally, score=score, state=state)


def _standing_at(
    league: League, board: Board, period: str, tally: Tally, *, score: int | None, state: BoardState | None
) -> Standing:
    if score is None:
        reason = why_unranked(board, period, tally, clock.now()) or "The player has asked to be left out of boards."
        return Standing(board, board.value(tally), None, None, reason)
    key = BoardKey(league.game, league.generation, period, board.name)
    where = around(key, [score])[score]
    share = percentile(where, state.entries if state else 0)
    return Standing(board, board.value(tally), where.rank, share, None)


@dataclass(frozen=True, slots=True)
class Meetings:
    """Two players' rated games together in one league: how often the first one was better, level, worse."""

    game: str
    games: int
    better: int
    level: int
    worse: int


_VERSUS = """
SELECT a.game, count(*), count(*) FILTER (WHERE a.place < b.place), count(*) FILTER (WHERE a.place = b.place),
       count(*) FILTER (WHERE a.place > b.place)
FROM leaderboards_league l
JOIN leaderboards_point a ON a.game = l.game AND a.generation = l.generation AND a.player = %s AND NOT a.never_came
JOIN leaderboards_point b ON b.game = a.game AND b.generation = a.generation AND b.number = a.number AND b.player = %s
    AND NOT b.never_came
GROUP BY a.game ORDER BY a.game
"""


def versus(player: Player, other: Player) -> list[Meetings]:
    """The rated games to which both players came, by game (RA1)."""
    return [Meetings(*row) for row in fetch_all(_VERSUS, [player.pk, other.pk])]


@dataclass(frozen=True, slots=True)
class Played:
    id: UUID
    title: str
    place: int | None
    others: Sequence[str]
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Met:
    username: str
    games: int
    better: int
    level: int
    worse: int


def newest_games(player: Player) -> list[Played]:
    return [_played(game, player) for game in newest_ended(player, NEWEST)]


def tournaments_of(player: Player) -> list[Tournament]:
    entries = Entrant.objects.filter(player=player, entered_at__isnull=False).exclude(standing__in=access.OUTSIDE)
    rows = Tournament.objects.filter(WAS_OPENED, pk__in=entries.values("tournament"), visibility="public")
    return list(rows.only("slug", "title", "status", "kind", "game").order_by("-set_up_at", "-id")[:NEWEST])


def met_most(player: Player) -> list[Met]:
    """The opponents in most of the player's rated games, without closed accounts and those who want no page."""
    rows = fetch_all(_MET, {"player": player.pk, "most": LOOKED_THROUGH, "limit": 2 * OPPONENTS})
    shown = Player.objects.filter(pk__in=[row[0] for row in rows], closed_at=None)
    names = {one.pk: one.username for one in shown if one.preferences.get("unlisted") is not True}
    return [Met(names[row[0]], *row[1:]) for row in rows if row[0] in names][:OPPONENTS]


def _played(game: GameRow, player: Player) -> Played:
    seats = game.seat_rows()
    own = next(seat.index for seat in seats if seat.player_id == player.pk)
    places = {row["seat"]: row["place"] for row in (game.result or {}).get("placements", ())}
    names = [
        seat.player.username
        if seat.player is not None and seat.player.closed_at is None
        else "a bot"
        if seat.player_id is None
        else "a deleted player"
        for seat in seats
        if seat.index != own
    ]
    return Played(game.pk, GAMES[game.game].title, places.get(own), names, game.finished_at)


def ratings_of(player: Player) -> Iterator[dict[str, Any]]:
    """The player's rating after every rated game, league by league, oldest first."""
    for rated in ratings(player):
        for point in rated.history:
            rating = Rating(point.mu, point.sigma)
            yield {
                "game": rated.game,
                "game_id": point.game_id,
                "at": point.at,
                "place": point.place,
                "players": point.players,
                "rating": str(rating.shown),
                "deviation": str(rating.deviation),
            }
