"""Reading players: their ratings and standings, and whom they have met."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Sum

from core import clock
from core.accounts import services as accounts
from core.accounts.models import Player
from core.rows import fetch_all
from games.rules import GAMES, PLAYED
from games.selectors import GameRow, SeatRow, game_title, newest_ended, unrated_with_people
from tournaments import access
from tournaments.leaderboards.boards import BOARDS, Board, boards_of, why_unranked
from tournaments.leaderboards.models import Count, Entry, Point
from tournaments.leaderboards.selectors import BoardKey, around, decimal_text, percentile
from tournaments.leaderboards.store import tallies_of
from tournaments.leaderboards.tally import ALL, Rating, Tally
from tournaments.models import WAS_OPENED, Entrant, Tournament

NEWEST = 12
OPPONENTS = 10
# The number of newest rated games in a league that are searched for opponents.
LOOKED_THROUGH = 500

# The plot of ratings.
WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 8, 650, 10, 210
# More points than pixels would not be seen.
MOST_POINTS = 600
STEPS = (25, 50, 100, 200, 500)

_MET = """
SELECT other.player, count(*), count(*) FILTER (WHERE own.place < other.place),
       count(*) FILTER (WHERE own.place = other.place), count(*) FILTER (WHERE own.place > other.place)
FROM leaderboards_league league
CROSS JOIN LATERAL (
    SELECT * FROM leaderboards_point point
    WHERE point.player = %(player)s AND point.game = league.game
    ORDER BY point.number DESC LIMIT %(most)s
) own
JOIN leaderboards_point other ON other.game = own.game
    AND other.number = own.number AND other.player <> own.player AND NOT own.never_came AND NOT other.never_came
GROUP BY other.player ORDER BY 2 DESC, 1 LIMIT %(limit)s
"""


def shown_player(username: str, reader: Player | None = None) -> Player | None:
    """The player of that name, unless they ask to be left out of public pages; the reader sees their own."""
    player = accounts.named(username)
    if player is None or player.closed_at is not None:
        return None
    return None if _unlisted(player) and player != reader else player


def _unlisted(player: Player) -> bool:
    return player.preferences.get("unlisted") is True


@dataclass(frozen=True, slots=True)
class Standing:
    board: Board
    value: Fraction | int
    rank: int | None
    percentile: Decimal | None
    reason: str | None

    @property
    def decimal(self) -> str:
        return decimal_text(self.value)


def plot_of(points: Sequence[Point]) -> dict[str, Any] | None:
    """What the plot of a history shows, oldest first; None for fewer than two points."""
    if len(points) < 2:
        return None
    every = -(-len(points) // MOST_POINTS)
    shown = [*points[:-1:every], points[-1]]
    ratings = [Rating(point.mu, point.sigma) for point in shown]
    low = min(one.shown - one.deviation for one in ratings)
    high = max(one.shown + one.deviation for one in ratings)
    step = next((step for step in STEPS if (high - low) / step <= 6), STEPS[-1])
    low, high = low // step * step, -(-high // step) * step

    def x(index: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * index / (len(shown) - 1), 1)

    def y(rating: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low), 1)

    upper = [f"{x(index)},{y(one.shown + one.deviation)}" for index, one in enumerate(ratings)]
    lower = [f"{x(index)},{y(one.shown - one.deviation)}" for index, one in enumerate(ratings)]
    return {
        "grid": [(y(rating), rating) for rating in range(low, high + 1, step)],
        "line": " ".join(f"{x(index)},{y(one.shown)}" for index, one in enumerate(ratings)),
        "band": " ".join([*upper, *reversed(lower)]),
        "last": (x(len(shown) - 1), y(ratings[-1].shown)),
        "dates": (points[0].at, points[-1].at),
        "label": f"Rating from {ratings[0].shown} to {ratings[-1].shown} over {len(points)} games",
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": RIGHT,
    }


@dataclass(frozen=True)
class Rated:
    """A player in one league: totals, standings, and a point after each game."""

    game: str
    tally: Tally
    history: Sequence[Point]
    scores: Mapping[str, int]
    """The score on each board where the player has a rank."""
    totals: Mapping[str, int]

    @property
    def title(self) -> str:
        return GAMES[self.game].title

    @property
    def places(self) -> dict[int, int]:
        return dict(sorted(Counter(point.place for point in self.history).items()))

    @property
    def plot(self) -> dict[str, Any] | None:
        return plot_of(self.history)

    @cached_property
    def standing(self) -> Standing:
        return self.standing_on(BOARDS["rating"])

    @property
    def standings(self) -> list[Standing]:
        return [self.standing_on(board) for board in boards_of(GAMES[self.game].has_penalties)]

    def standing_on(self, board: Board) -> Standing:
        score, value = self.scores.get(board.name), board.value(self.tally)
        if score is None:
            reason = why_unranked(board, ALL, self.tally, clock.now())
            return Standing(board, value, None, None, reason or "The player has asked to be left out of leaderboards.")
        where = around(BoardKey(self.game, ALL, board.name), [score])[score]
        return Standing(board, value, where.rank, percentile(where, self.totals.get(board.name, 0)), None)


def ratings(player: Player) -> list[Rated]:
    """The player in all leagues. Four queries, and one for each standing that is looked at."""
    points: defaultdict[str, list[Point]] = defaultdict(list)
    scores: defaultdict[str, dict[str, int]] = defaultdict(dict)
    totals: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for point in Point.objects.filter(player=player.pk).order_by("game", "number"):
        points[point.game].append(point)
    for entry in Entry.objects.filter(period=ALL, player=player.pk):
        scores[entry.game][entry.board] = entry.score
    tallies = tallies_of(player.pk)
    counts = Count.objects.filter(game__in=tallies, period=ALL).values_list("game", "board")
    for game, board, total in counts.annotate(Sum("entries")):
        totals[game][board] = total
    return [Rated(game, tallies[game], points[game], scores[game], totals[game]) for game in GAMES if game in tallies]


class Meetings(NamedTuple):
    """How often a player was better, level and worse placed than another; `name` is the game's or the other's."""

    name: str
    games: int
    better: int
    level: int
    worse: int


_VERSUS = """
SELECT a.game, count(*), count(*) FILTER (WHERE a.place < b.place), count(*) FILTER (WHERE a.place = b.place),
       count(*) FILTER (WHERE a.place > b.place)
FROM leaderboards_point a
JOIN leaderboards_point b ON b.game = a.game AND b.number = a.number
WHERE a.player = %s AND b.player = %s AND NOT a.never_came AND NOT b.never_came
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


def newest_games(player: Player) -> list[Played]:
    return [_played(game, player) for game in newest_ended(player, NEWEST)]


def unrated(player: Player, reader: Player | None) -> list[tuple[str, int]]:
    """How many unrated games with people the player finished, by title; private ones only for themselves."""
    counts = unrated_with_people(player, private=player == reader)
    return [(rules.title, counts[game]) for game, rules in PLAYED.items() if game in counts]


def tournaments_of(player: Player) -> list[Tournament]:
    entries = Entrant.objects.filter(player=player, entered_at__isnull=False).exclude(standing__in=access.OUTSIDE)
    rows = Tournament.objects.filter(WAS_OPENED, pk__in=entries.values("tournament"), visibility="public")
    return list(rows.only("slug", "title", "status", "kind", "game").order_by("-set_up_at", "-id")[:NEWEST])


def met_most(player: Player) -> list[Meetings]:
    rows = fetch_all(_MET, {"player": player.pk, "most": LOOKED_THROUGH, "limit": 2 * OPPONENTS})
    names = accounts.listed_players([row[0] for row in rows])
    return [Meetings(names[row[0]], *row[1:]) for row in rows if row[0] in names][:OPPONENTS]


def _played(game: GameRow, player: Player) -> Played:
    seats = game.seat_rows()
    own = next(seat.index for seat in seats if seat.player_id == player.pk)
    places = {row["seat"]: row["place"] for row in (game.result or {}).get("placements", ())}
    names = [_named(seat) for seat in seats if seat.index != own]
    return Played(game.pk, game_title(game), places.get(own), names, game.finished_at)


def _named(seat: SeatRow) -> str:
    if seat.player_id is None:
        return "a bot"
    if seat.player is None or seat.player.closed_at is not None:
        return "a deleted player"
    return "somebody" if _unlisted(seat.player) else seat.player.username


def ratings_of(player: Player) -> Iterator[dict[str, Any]]:
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
