"""The rows of one generation of a league: read when needed, kept in memory, written together.

The live projection and a rebuild use the same store, so that both produce the same rows.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Subquery

from core.accounts.services import listed_players
from core.rows import execute
from games.rules import GAMES
from tournaments.leaderboards import boards
from tournaments.leaderboards.models import BoardState, Count, Entry, League, PlayerTally, Point
from tournaments.leaderboards.tally import ALL, Rating, Result, Tally, ratings_after

Key = tuple[str, UUID]


@dataclass
class Store:
    game: str
    generation: int
    tallies: dict[Key, Tally] = field(default_factory=dict)
    dirty: set[Key] = field(default_factory=set)
    points: list[Point] = field(default_factory=list)

    @cached_property
    def _boards(self) -> list[boards.Board]:
        return boards.boards_of(GAMES[self.game].has_penalties)

    def load(self, keys: Collection[Key]) -> None:
        missing = [key for key in keys if key not in self.tallies]
        found = read_tallies(self.game, self.generation, missing)
        self.tallies |= {key: found.get(key) or Tally() for key in missing}

    def add(self, results: Iterable[Result]) -> None:
        results = list(results)
        self.load({(period, one.player) for result in results for period in result.periods for one in result.players})
        for result in results:
            self._count(result)

    def refresh(self, keys: Collection[Key]) -> None:
        self.load(keys)
        self.dirty.update(key for key in keys if self.tallies[key].games)

    def flush(self, now: datetime) -> None:
        if not self.dirty:
            return
        keys = sorted(self.dirty)
        _write_tallies(self.game, self.generation, {key: self.tallies[key] for key in keys})
        Point.objects.bulk_create(self.points, BATCH)
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
            Point(
                game=self.game,
                generation=self.generation,
                number=result.number,
                player=one.player,
                game_id=result.game_id,
                at=result.finished_at,
                place=result.places[one.player],
                players=len(result.others(one)),
                never_came=one.never_came,
                **self.tallies[ALL, one.player].rating._asdict(),
            )
            for one in result.counted
        ]

    def _write_entries(self, keys: list[Key], now: datetime) -> None:
        listed = listed_players({player for _, player in keys})
        old = {(row.period, row.board, row.player): row for row in _of_keys(Entry, self.game, self.generation, keys)}
        put: list[Entry] = []
        gone: list[Any] = []
        counts: Counter[tuple[str, str, int]] = Counter()
        for board in self._boards:
            for period, player in keys:
                was = old.get((period, board.name, player))
                if was is not None:
                    counts[period, board.name, was.score // board.width] -= 1
                tally = self.tallies[period, player]
                if player in listed and boards.why_unranked(board, period, tally, now) is None:
                    score, number = tally.reached[board.name]
                    counts[period, board.name, score // board.width] += 1
                    put.append(
                        Entry(
                            game=self.game,
                            generation=self.generation,
                            period=period,
                            board=board.name,
                            player=player,
                            score=score,
                            games=tally.games,
                            reached=number,
                            expires_at=boards.expires_at(board, period, tally),
                        )
                    )
                elif was is not None:
                    gone.append(was.pk)
        Entry.objects.bulk_create(
            put,
            BATCH,
            update_conflicts=True,
            unique_fields=["game", "generation", "period", "board", "player"],
            update_fields=["score", "games", "reached", "expires_at"],
        )
        Entry.objects.filter(pk__in=gone).delete()
        _add_counts(self.game, self.generation, counts)
        _count_boards(self.game, self.generation, counts)


# What a tally and its row have under the same name.
_TOTALS = ("games", "wins", "streak", "best_streak", "penalty", "rounds", "lost_on_time", "never_came", "last_at")
BATCH = 5000


def read_tallies(game: str, generation: int, keys: Collection[Key]) -> dict[Key, Tally]:
    found = _of_keys(PlayerTally, game, generation, keys)
    return {(row.period, row.player): _tally(row) for row in found}


def ratings_in(game: str, players: Collection[UUID]) -> dict[UUID, float]:
    """The ratings of players in the league of a game, as they are shown."""
    league = League.objects.filter(pk=game).first()
    tallies = read_tallies(game, league.generation, [(ALL, player) for player in players]) if league else {}
    return {player: tally.rating.shown for (_, player), tally in tallies.items()}


LIVE = Subquery(League.objects.filter(pk=OuterRef("game")).values("generation"))
"""The generation of the rows that are live."""


def tallies_of(player: UUID) -> dict[str, tuple[int, Tally]]:
    """A player's tallies of all times in all leagues, by game, each with its generation. One query."""
    rows = PlayerTally.objects.filter(generation=LIVE, player=player, period=ALL)
    return {row.game: (row.generation, _tally(row)) for row in rows}


def _of_keys(model: Any, game: str, generation: int, keys: Collection[Key]) -> Iterator[Any]:
    """The rows of these keys. One query, which finds more: all periods of all players."""
    wanted, periods, players = set(keys), {period for period, _ in keys}, {player for _, player in keys}
    rows = model.objects.filter(game=game, generation=generation, period__in=periods, player__in=players)
    return (row for row in rows.iterator() if (row.period, row.player) in wanted)


def _tally(row: PlayerTally) -> Tally:
    return Tally(
        rating=Rating(row.mu, row.sigma),
        beaten=int(row.beaten),
        opponents=tuple(UUID(opponent) for opponent in row.opponents),
        reached={board: (score, number) for board, (score, number) in row.reached.items()},
        **{name: getattr(row, name) for name in _TOTALS},
    )


def _write_tallies(game: str, generation: int, tallies: dict[Key, Tally]) -> None:
    PlayerTally.objects.bulk_create(
        (
            PlayerTally(
                game=game,
                generation=generation,
                period=period,
                player=player,
                mu=one.rating.mu,
                sigma=one.rating.sigma,
                beaten=one.beaten,
                opponents=[str(opponent) for opponent in one.opponents],
                reached=one.reached,
                **{name: getattr(one, name) for name in _TOTALS},
            )
            for (period, player), one in tallies.items()
        ),
        BATCH,
        update_conflicts=True,
        unique_fields=["game", "generation", "period", "player"],
        update_fields=["mu", "sigma", "beaten", "opponents", "reached", *_TOTALS],
    )


def _add_counts(game: str, generation: int, counts: Counter[tuple[str, str, int]]) -> None:
    rows = [(*key, change) for key, change in sorted(counts.items()) if change]
    if rows:
        execute(
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
        execute(
            "INSERT INTO leaderboards_boardstate (game, generation, period, board, entries)"
            " SELECT %s, %s, period, board, more"
            " FROM unnest(%s::text[], %s::text[], %s::int[]) AS k (period, board, more)"
            " ON CONFLICT (game, generation, period, board) DO UPDATE"
            " SET entries = leaderboards_boardstate.entries + EXCLUDED.entries",
            [game, generation, *_columns(rows)],
        )


def drop(game: str, **generations: int) -> None:
    for model in (PlayerTally, Entry, Count, BoardState, Point):
        model.objects.filter(game=game, **generations).delete()


def _columns(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
