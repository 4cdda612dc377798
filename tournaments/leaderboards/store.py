"""The rows of one generation of a league: read when needed, kept in memory, written together.

The live projection and a rebuild use the same store, so that both produce the same rows.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from core.accounts.models import Player
from games.rules import GAMES
from tournaments.leaderboards import boards
from tournaments.leaderboards.models import BoardState, Count, Entry, PlayerTally, Point
from tournaments.leaderboards.tally import ALL, Rating, Result, Tally, ratings_after

Key = tuple[str, UUID]
"""A period and a player."""


class Listing(NamedTuple):
    """An entry of a board: the values that order it."""

    score: int
    games: int
    reached: int
    expires_at: datetime | None


@dataclass
class Store:
    """The tallies, points and boards of one game and generation."""

    game: str
    generation: int
    tallies: dict[Key, Tally] = field(default_factory=dict)
    dirty: set[Key] = field(default_factory=set)
    points: list[tuple[Any, ...]] = field(default_factory=list)

    @cached_property
    def _boards(self) -> list[boards.Board]:
        return boards.boards_of(GAMES[self.game].has_penalties)

    def load(self, keys: Collection[Key]) -> None:
        """Load these tallies into memory; players without one get a new one."""
        missing = [key for key in keys if key not in self.tallies]
        if not missing:
            return
        for key, tally in read_tallies(self.game, self.generation, missing).items():
            self.tallies[key] = tally
        for key in missing:
            self.tallies.setdefault(key, Tally())

    def add(self, results: Iterable[Result]) -> None:
        results = list(results)
        self.load(
            list({(period, one.player) for result in results for period in result.periods for one in result.players})
        )
        for result in results:
            self._count(result)

    def refresh(self, keys: Collection[Key]) -> None:
        """Check again whether these players have a rank, after time has passed or a preference has changed."""
        self.load(keys)
        self.dirty.update(key for key in keys if self.tallies[key].games)

    def flush(self, now: datetime) -> None:
        if not self.dirty:
            return
        keys = sorted(self.dirty)
        _write_tallies(self.game, self.generation, {key: self.tallies[key] for key in keys})
        _write_points(self.points)
        self._write_entries(keys, now)
        self.dirty.clear()
        self.points.clear()

    def _count(self, result: Result) -> None:
        known: dict[UUID, Rating] = {}
        after: dict[UUID, Rating] = {}
        for period in result.periods:
            here = {one.player: self.tallies[period, one.player] for one in result.players}
            before = {player: tally.rating for player, tally in here.items()}
            if before != known:  # in a player's first year two periods have the same ratings
                known, after = before, ratings_after(result, before)
            for one in result.counted:
                here[one.player].add(result, one, after[one.player])
                boards.note_scores(here[one.player], self._boards, result.number)
                self.dirty.add((period, one.player))
        self.points += [
            (
                self.game, self.generation, result.number, one.player, result.game_id, result.finished_at,
                result.places[one.player], len(result.others(one)), *self.tallies[ALL, one.player].rating,
                one.never_came,
            )
            for one in result.counted
        ]  # fmt: skip

    def _write_entries(self, keys: list[Key], now: datetime) -> None:
        listed = listed_players({player for _, player in keys})
        old = _read_entries(self.game, self.generation, keys)
        put: list[tuple[Any, ...]] = []
        gone: list[tuple[Any, ...]] = []
        counts: Counter[tuple[str, str, int]] = Counter()
        for board in self._boards:
            for period, player in keys:
                was = old.get((period, board.name, player))
                new = self._listing(board, period, player, player in listed, now)
                if was == new:
                    continue
                if was is not None:
                    counts[period, board.name, was.score // board.width] -= 1
                if new is not None:
                    counts[period, board.name, new.score // board.width] += 1
                    put.append((period, board.name, player, *new))
                else:
                    gone.append((period, board.name, player))
        _put_entries(self.game, self.generation, put)
        _delete_entries(self.game, self.generation, gone)
        _add_counts(self.game, self.generation, counts)
        _count_boards(self.game, self.generation, counts)

    def _listing(
        self, board: boards.Board, period: str, player: UUID, is_listed: bool, now: datetime
    ) -> Listing | None:
        tally = self.tallies[period, player]
        if not is_listed or boards.why_unranked(board, period, tally, now) is not None:
            return None
        score, number = tally.reached[board.name]
        return Listing(score, tally.games, number, boards.expires_at(board, period, tally))


def listed_players(players: Collection[UUID]) -> set[UUID]:
    """The players who may be shown on boards: the account exists and has not opted out."""
    there = Player.objects.filter(pk__in=players, closed_at__isnull=True)
    there = there.exclude(preferences__contains={"unlisted": True})
    return set(there.values_list("pk", flat=True))


_COLUMNS = """
SELECT t.game, t.generation, t.period, t.player, mu, sigma, games, wins, beaten, streak, best_streak, penalty, rounds,
  lost_on_time, never_came, opponents::text, last_at, reached::text
FROM leaderboards_playertally t
"""
_BY_KEYS = f"""
{_COLUMNS} JOIN unnest(%s::text[], %s::uuid[]) AS k (period, player) ON t.period = k.period AND t.player = k.player
WHERE t.game = %s AND t.generation = %s
"""
_BY_PLAYER = f"{_COLUMNS} WHERE t.player = %s AND t.period = %s"


def read_tallies(game: str, generation: int, keys: Collection[Key]) -> dict[Key, Tally]:
    periods, players = [period for period, _ in keys], [player for _, player in keys]
    with connection.cursor() as cursor:
        cursor.execute(_BY_KEYS, [periods, players, game, generation])
        return {(row[2], row[3]): _tally(row[4:]) for row in cursor.fetchall()}


def tallies_of(player: UUID, period: str) -> dict[tuple[str, int], Tally]:
    """A player's tallies of a period in all leagues, by game and generation. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BY_PLAYER, [player, period])
        return {(row[0], row[1]): _tally(row[4:]) for row in cursor.fetchall()}


def _tally(row: tuple[Any, ...]) -> Tally:
    mu, sigma, games, wins, beaten, streak, best, penalty, rounds, lost, absent, opponents, last_at, reached = row
    return Tally(
        rating=Rating(mu, sigma),
        games=games,
        wins=wins,
        beaten=int(beaten),
        streak=streak,
        best_streak=best,
        penalty=penalty,
        rounds=rounds,
        lost_on_time=lost,
        never_came=absent,
        opponents=tuple(UUID(opponent) for opponent in json.loads(opponents)),
        last_at=last_at,
        reached={board: (score, number) for board, (score, number) in json.loads(reached).items()},
    )


_PUT_TALLIES = """
INSERT INTO leaderboards_playertally (game, generation, period, player, mu, sigma, games, wins, beaten, streak,
                                      best_streak, penalty, rounds, lost_on_time, never_came, opponents,
                                      last_at, reached)
SELECT %s, %s, period, player, mu, sigma, games, wins, beaten, streak, best_streak, penalty, rounds, lost_on_time,
       never_came, opponents::jsonb, last_at, reached::jsonb
FROM unnest(%s::text[], %s::uuid[], %s::float8[], %s::float8[], %s::int[], %s::int[], %s::numeric[], %s::int[],
            %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::text[], %s::timestamptz[], %s::text[])
  AS new (period, player, mu, sigma, games, wins, beaten, streak, best_streak, penalty, rounds, lost_on_time,
          never_came, opponents, last_at, reached)
ON CONFLICT (game, generation, period, player) DO UPDATE SET
  mu = EXCLUDED.mu, sigma = EXCLUDED.sigma, games = EXCLUDED.games, wins = EXCLUDED.wins, beaten = EXCLUDED.beaten,
  streak = EXCLUDED.streak, best_streak = EXCLUDED.best_streak, penalty = EXCLUDED.penalty, rounds = EXCLUDED.rounds,
  lost_on_time = EXCLUDED.lost_on_time, never_came = EXCLUDED.never_came, opponents = EXCLUDED.opponents,
  last_at = EXCLUDED.last_at, reached = EXCLUDED.reached
"""


def _write_tallies(game: str, generation: int, tallies: dict[Key, Tally]) -> None:
    rows = [
        (
            period, player, one.rating.mu, one.rating.sigma, one.games, one.wins, one.beaten, one.streak,
            one.best_streak, one.penalty, one.rounds, one.lost_on_time, one.never_came,
            json.dumps([str(opponent) for opponent in one.opponents]), one.last_at, json.dumps(one.reached),
        )
        for (period, player), one in tallies.items()
    ]  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_PUT_TALLIES, [game, generation, *_columns(rows)])


_COPY_POINTS = (
    "COPY leaderboards_point (game, generation, number, player, game_id, at, place, players, mu, sigma, never_came)"
    " FROM STDIN"
)


def _write_points(points: list[tuple[Any, ...]]) -> None:
    if not points:
        return
    with connection.cursor() as cursor, cursor.copy(_COPY_POINTS) as copy:
        for point in points:
            copy.write_row(point)


def _read_entries(game: str, generation: int, keys: list[Key]) -> dict[tuple[str, str, UUID], Listing]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.period, e.board, e.player, e.score, e.games, e.reached, e.expires_at"
            " FROM leaderboards_entry e JOIN unnest(%s::text[], %s::uuid[]) AS k (period, player)"
            " ON e.period = k.period AND e.player = k.player"
            " WHERE e.game = %s AND e.generation = %s AND e.board = ANY(%s)",
            [
                [period for period, _ in keys],
                [player for _, player in keys],
                game,
                generation,
                list(boards.BOARDS),
            ],
        )
        return {(row[0], row[1], row[2]): Listing(*row[3:]) for row in cursor.fetchall()}


def _put_entries(game: str, generation: int, rows: list[tuple[Any, ...]]) -> None:
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO leaderboards_entry (game, generation, period, board, player, score, games, reached,"
                " expires_at)"
                " SELECT %s, %s, * FROM unnest(%s::text[], %s::text[], %s::uuid[], %s::bigint[], %s::int[], %s::int[],"
                " %s::timestamptz[])"
                " ON CONFLICT (game, generation, period, board, player) DO UPDATE"
                " SET score = EXCLUDED.score, games = EXCLUDED.games, reached = EXCLUDED.reached,"
                " expires_at = EXCLUDED.expires_at",
                [game, generation, *_columns(rows)],
            )


def _delete_entries(game: str, generation: int, rows: list[tuple[Any, ...]]) -> None:
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM leaderboards_entry e"
                " USING unnest(%s::text[], %s::text[], %s::uuid[]) AS k (period, board, player)"
                " WHERE e.game = %s AND e.generation = %s"
                " AND e.period = k.period AND e.board = k.board AND e.player = k.player",
                [*_columns(rows), game, generation],
            )


def _add_counts(game: str, generation: int, counts: Counter[tuple[str, str, int]]) -> None:
    rows = [(*key, change) for key, change in sorted(counts.items()) if change]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO leaderboards_count (game, generation, period, board, bucket, entries)"
                " SELECT %s, %s, * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::int[])"
                " ON CONFLICT (game, generation, period, board, bucket) DO UPDATE"
                " SET entries = leaderboards_count.entries + EXCLUDED.entries",
                [game, generation, *_columns(rows)],
            )


def _count_boards(game: str, generation: int, counts: Counter[tuple[str, str, int]]) -> None:
    more: Counter[tuple[str, str]] = Counter()
    for (period, board, _), change in counts.items():
        more[period, board] += change
    rows = [(period, board, more[period, board]) for period, board in sorted(more)]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO leaderboards_boardstate (game, generation, period, board, entries)"
                " SELECT %s, %s, period, board, more"
                " FROM unnest(%s::text[], %s::text[], %s::int[]) AS k (period, board, more)"
                " ON CONFLICT (game, generation, period, board) DO UPDATE"
                " SET entries = leaderboards_boardstate.entries + EXCLUDED.entries",
                [game, generation, *_columns(rows)],
            )


def drop_all_but(game: str, generation: int) -> None:
    """Delete the rows of all other generations of a league."""
    for model in (PlayerTally, Entry, Count, BoardState, Point):
        model.objects.filter(game=game).exclude(generation=generation).delete()


def _columns(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
