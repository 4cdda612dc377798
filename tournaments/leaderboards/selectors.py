"""Reading boards and players."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from core import clock
from core.accounts.models import Player
from games.rules import GAMES
from tournaments.leaderboards import ranks
from tournaments.leaderboards.boards import BOARDS, Board, boards_of, why_unranked
from tournaments.leaderboards.models import BoardState, Entry, League, PlayerTally, Point
from tournaments.leaderboards.store import Key, read_tallies, tallies_of
from tournaments.leaderboards.tally import ALL, Tally

Position = tuple[int, int, int, UUID]
"""The position of an entry in the order of its board: score, games, number of the result, player."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board."""

    rank: int
    player: Player
    value: Fraction | int
    deviation: int
    games: int
    lost_on_time: int
    percentile: Decimal
    position: Position


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A part of a board.

    `as_of` and `counted` say which results it counts; `after` and `before` lead to the pages beside it.
    """

    rows: Sequence[Row]
    total: int
    as_of: datetime | None
    counted: int
    recomputing: bool
    after: Position | None
    before: Position | None


def board_page(
    game: str,
    board: str,
    period: str,
    *,
    limit: int,
    after: Position | None = None,
    before: Position | None = None,
    around: UUID | None = None,
) -> BoardPage:
    """Return a page of a board: from its top, after or before a position, or with a player in its middle.

    A page around a player who has no rank is empty.
    """
    league = League.objects.filter(pk=game).first()
    if league is None:
        return BoardPage((), 0, None, 0, False, None, None)
    key = ranks.BoardKey(game, league.generation, period, board)
    total = BoardState.objects.filter(**key.filters).values_list("entries", flat=True).first() or 0
    if around is not None:
        own = Entry.objects.filter(**key.filters, player=around)
        position = own.values_list("score", "games", "reached", "player").first()
        entries, more_before, more_after = _around(key, position, limit) if position else ([], False, False)
    elif before is not None:
        entries, more_before = _before(key, before, limit)
        more_after = True
    else:
        entries, more_after = _after(key, after, limit)
        more_before = after is not None
    return BoardPage(
        rows=_rows(key, entries, total),
        total=total,
        as_of=league.as_of,
        counted=league.counted,
        recomputing=league.recompute is not None,
        after=entries[-1] if entries and more_after else None,
        before=entries[0] if entries and more_before else None,
    )


_ORDER = "score * -1, games * -1, reached, player"
_HERE = f"({_ORDER})"
_FROM = """
SELECT score, games, reached, player FROM leaderboards_entry
WHERE game = %(game)s AND generation = %(generation)s AND period = %(period)s AND board = %(board)s
"""
_POSITION = "(%(score)s * -1, %(games)s * -1, %(reached)s, %(player)s)"
_TOP = f"{_FROM} ORDER BY {_ORDER} LIMIT %(limit)s"
_BEHIND = f"{_FROM} AND {_HERE} > {_POSITION} ORDER BY {_ORDER} LIMIT %(limit)s"
_AHEAD = (
    f"{_FROM} AND {_HERE} < {_POSITION}"
    " ORDER BY score * -1 DESC, games * -1 DESC, reached DESC, player DESC LIMIT %(limit)s"
)


def _after(key: ranks.BoardKey, position: Position | None, limit: int) -> tuple[list[Position], bool]:
    """The entries after a position (None: from the top), and whether there are more."""
    found = _positions(_TOP if position is None else _BEHIND, key, position, limit + 1)
    return found[:limit], len(found) > limit


def _before(key: ranks.BoardKey, position: Position, limit: int) -> tuple[list[Position], bool]:
    """The entries right before a position, and whether there are more."""
    found = _positions(_AHEAD, key, position, limit + 1)
    return found[:limit][::-1], len(found) > limit


def _around(key: ranks.BoardKey, own: Position, limit: int) -> tuple[list[Position], bool, bool]:
    """A page with a position in its middle, and whether there are more before and after it."""
    above, more_above = _before(key, own, (limit - 1) // 2)
    below, more_below = _after(key, own, limit - 1 - len(above))
    return [*above, own, *below], more_above, more_below


def _positions(sql: str, key: ranks.BoardKey, position: Position | None, limit: int) -> list[Position]:
    named: dict[str, Any] = dict(zip(("score", "games", "reached", "player"), position or (), strict=False))
    with connection.cursor() as cursor:
        cursor.execute(sql, {**key.filters, **named, "limit": limit})
        return [(row[0], row[1], row[2], row[3]) for row in cursor.fetchall()]


def _rows(key: ranks.BoardKey, entries: Sequence[Position], total: int) -> list[Row]:
    board = BOARDS[key.board]
    players = Player.objects.in_bulk([player for *_, player in entries])
    tallies = read_tallies(key.game, key.generation, [(key.period, player) for *_, player in entries])
    where = _where(key, [score for score, *_ in entries])
    return [
        Row(
            rank=where[score].rank,
            player=players[player],
            value=board.value(tally),
            deviation=tally.rating.deviation,
            games=tally.games,
            lost_on_time=tally.lost_on_time,
            percentile=percentile(where[score], total),
            position=(score, games, reached, player),
        )
        for score, games, reached, player in entries
        # The account was deleted a moment ago.
        if player in players and (tally := tallies.get((key.period, player))) is not None
    ]


def _where(key: ranks.BoardKey, scores: Sequence[int]) -> dict[int, ranks.Around]:
    """The ranks of a page. Only its ends are looked up; those in between follow from the page."""
    different = list(dict.fromkeys(scores))
    found = ranks.around(key, list(dict.fromkeys((*different[:2], *different[-1:]))))
    for higher, score in pairwise(different[1:-1]):
        above = found[higher]
        found[score] = ranks.Around(above.above + above.equal, scores.count(score))
    return found


def percentile(where: ranks.Around, total: int) -> Decimal:
    """The percentage of ranked players who stand strictly below, counting ties half (RA4); one decimal."""
    below = total - where.above - where.equal
    share = Decimal(2 * below + where.equal) * 50 / Decimal(max(total, 1))
    return share.quantize(Decimal("0.1"), ROUND_HALF_EVEN)


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
    """A player in one league and period."""

    game: str
    tally: Tally
    standings: Sequence[Standing]

    @property
    def rating(self) -> Standing:
        """The player's standing on the board of ratings."""
        return next(standing for standing in self.standings if standing.board.name == "rating")


def profile(player: Player, game: str, period: str = ALL) -> Profile | None:
    """A player's numbers in a league and period; None without a rated game."""
    league = League.objects.filter(pk=game).first()
    if league is None:
        return None
    tally = read_tallies(game, league.generation, [(period, player.pk)]).get((period, player.pk))
    if tally is None:
        return None
    return Profile(game, tally, [_standing(league, board, period, player, tally) for board in _boards(game)])


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating of all times in one league: its standing among the ratings, and a point after each game."""

    game: str
    tally: Tally
    standing: Standing
    history: Sequence[Point]


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
    key = ranks.BoardKey(league.game, league.generation, period, board.name)
    score = Entry.objects.filter(**key.filters, player=player.pk).values_list("score", flat=True).first()
    state = BoardState.objects.filter(**key.filters).first() if score is not None else None
    return _standing_at(league, board, period, tally, score=score, state=state)


def _standing_at(
    league: League, board: Board, period: str, tally: Tally, *, score: int | None, state: BoardState | None
) -> Standing:
    if score is None:
        reason = why_unranked(board, period, tally, clock.now()) or "The player has asked to be left out of boards."
        return Standing(board, board.value(tally), None, None, reason)
    key = ranks.BoardKey(league.game, league.generation, period, board.name)
    where = ranks.around(key, [score])[score]
    share = percentile(where, state.entries if state else 0)
    return Standing(board, board.value(tally), where.rank, share, None)


def _boards(game: str) -> list[Board]:
    return boards_of(GAMES[game].has_penalties)


def history(player: Player, game: str) -> list[Point]:
    """A player's ratings of all times in a league, oldest first: a point after each rated game."""
    return list(_points(game).filter(player=player.pk).order_by("number"))


def places(player: Player, game: str) -> Counter[int]:
    """Return how often the player took each place in the rated games of a league."""
    return Counter(_points(game).filter(player=player.pk).values_list("place", flat=True))


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
    with connection.cursor() as cursor:
        cursor.execute(_VERSUS, [player.pk, other.pk])
        return [Meetings(*row) for row in cursor.fetchall()]


def _points(game: str) -> Any:
    live = League.objects.filter(pk=game).values_list("generation", flat=True).first()
    return Point.objects.filter(game=game, generation=live if live is not None else 0)


def refreshed_keys(player: UUID) -> dict[str, list[Key]]:
    """The periods in which a player has results, by league."""
    leagues = dict(League.objects.values_list("game", "generation"))
    found: dict[str, list[Key]] = {}
    wanted = Q()
    for game, generation in leagues.items():
        wanted |= Q(game=game, generation=generation)
    for game, period in PlayerTally.objects.filter(wanted, player=player).values_list("game", "period"):
        found.setdefault(game, []).append((period, player))
    return found
