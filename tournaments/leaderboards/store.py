"""The rows of a league's ratings and boards: read when needed, kept in memory, written together.

Counting results as they come and a rebuild use the same store, so that both produce the same rows.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg.types.json import Jsonb

from core import log
from core.accounts.services import listed_players
from core.rows import execute
from games.rules import GAMES
from tournaments.leaderboards import boards
from tournaments.leaderboards.models import Count, Entry, PlayerTally, Point
from tournaments.leaderboards.tally import ALL, Rating, Result, Tally, ratings_after

Key = tuple[str, UUID]


@dataclass
class Made:
    """Rows as they are to be: written over those of before, but for points, which are new; `gone` goes.

    counts: by how much the entries of each (period, board, bucket) change.
    """

    tallies: list[PlayerTally]
    points: list[Point]
    entries: list[Entry]
    gone: list[Any]
    counts: Counter[tuple[str, str, int]]


@dataclass
class Store:
    """from_scratch: the results that are added are all there are, and their rows replace those that are stored."""

    game: str
    from_scratch: bool = False
    tallies: dict[Key, Tally] = field(default_factory=dict)
    dirty: set[Key] = field(default_factory=set)
    points: list[Point] = field(default_factory=list)

    @cached_property
    def _boards(self) -> list[boards.Board]:
        return boards.boards_of(GAMES[self.game].has_penalties)

    def load(self, keys: Collection[Key]) -> None:
        missing = [key for key in keys if key not in self.tallies]
        found = {} if self.from_scratch else read_tallies(self.game, missing)
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
        """Write what has changed, or from scratch everything."""
        if self.from_scratch:
            for model in ROWS:
                model.objects.filter(game=self.game).delete()
        made, put = self.made(now), _copy if self.from_scratch else _put
        put(PlayerTally, made.tallies)
        put(Entry, made.entries)
        _copy(Point, made.points)
        Entry.objects.filter(pk__in=made.gone).delete()
        _add_counts(self.game, made.counts)
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

    def made(self, now: datetime) -> Made:
        """The rows of what has changed. Who is listed, and ranked as of `now`, is looked at in this moment."""
        keys = sorted(self.dirty)
        players = list({player for _, player in keys})
        # A statement can name 65,535 values at most.
        batches = (players[start : start + BATCH] for start in range(0, len(players), BATCH))
        listed = {player for batch in batches for player in listed_players(batch)}
        old = () if self.from_scratch else _of_keys(Entry, self.game, keys)
        before = {(row.period, row.board, row.player): row for row in old}
        put: list[Entry] = []
        gone: list[Any] = []
        counts: Counter[tuple[str, str, int]] = Counter()
        for board in self._boards:
            for period, player in keys:
                was = before.get((period, board.name, player))
                if was is not None:
                    counts[period, board.name, was.score // board.width] -= 1
                tally = self.tallies[period, player]
                if player in listed and boards.why_unranked(board, period, tally, now) is None:
                    score, number = tally.reached[board.name]
                    counts[period, board.name, score // board.width] += 1
                    put.append(
                        Entry(
                            game=self.game,
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
        tallies = [_row(self.game, *key, self.tallies[key]) for key in keys]
        return Made(tallies, self.points, put, gone, counts)


# What a tally and its row have under the same name.
_TOTALS = ("games", "wins", "streak", "best_streak", "penalty", "rounds", "lost_on_time", "never_came", "last_at")
BATCH = 5000


def read_tallies(game: str, keys: Collection[Key]) -> dict[Key, Tally]:
    found = _of_keys(PlayerTally, game, keys)
    return {(row.period, row.player): _tally(row) for row in found}


def ratings_in(game: str, players: Collection[UUID]) -> dict[UUID, float]:
    """The ratings of players in the league of a game, as they are shown."""
    tallies = read_tallies(game, [(ALL, player) for player in players])
    return {player: tally.rating.shown for (_, player), tally in tallies.items()}


def tallies_of(player: UUID) -> dict[str, Tally]:
    """A player's tallies of all times in all leagues, by game. One query."""
    return {row.game: _tally(row) for row in PlayerTally.objects.filter(player=player, period=ALL)}


def _of_keys(model: Any, game: str, keys: Collection[Key]) -> Iterator[Any]:
    """The rows of these keys. One query, which finds more: all periods of all players."""
    wanted, periods, players = set(keys), {period for period, _ in keys}, {player for _, player in keys}
    rows = model.objects.filter(game=game, period__in=periods, player__in=players)
    return (row for row in rows.iterator() if (row.period, row.player) in wanted)


def _tally(row: PlayerTally) -> Tally:
    return Tally(
        rating=Rating(row.mu, row.sigma),
        beaten=int(row.beaten),
        opponents=tuple(UUID(opponent) for opponent in row.opponents),
        reached={board: (score, number) for board, (score, number) in row.reached.items()},
        **{name: getattr(row, name) for name in _TOTALS},
    )


def _row(game: str, period: str, player: UUID, tally: Tally) -> PlayerTally:
    return PlayerTally(
        game=game,
        period=period,
        player=player,
        mu=tally.rating.mu,
        sigma=tally.rating.sigma,
        beaten=Decimal(tally.beaten),
        opponents=[str(opponent) for opponent in tally.opponents],
        reached=tally.reached,
        **{name: getattr(tally, name) for name in _TOTALS},
    )


ROWS: Sequence[Any] = (PlayerTally, Entry, Count, Point)


def columns_of(model: Any) -> list[str]:
    return [field.name for field in model._meta.concrete_fields if field.column]  # noqa: SLF001  Django's public way


def _put(model: Any, rows: list[Any]) -> None:
    key = [field.name for field in model._meta.pk_fields]  # noqa: SLF001  Django's public way
    rest = [name for name in columns_of(model) if name not in key]
    model.objects.bulk_create(rows, BATCH, update_conflicts=True, unique_fields=key, update_fields=rest)


def _copy(model: Any, rows: list[Any]) -> None:
    """New rows, of which there may be hundreds of thousands, while others wait."""
    names = columns_of(model)
    values_of = attrgetter(*names)
    copying = f"COPY {log.table_of(model)} ({', '.join(names)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(copying) as copy:
        for row in rows:
            copy.write_row([Jsonb(value) if isinstance(value, dict | list) else value for value in values_of(row)])


def _add_counts(game: str, counts: Counter[tuple[str, str, int]]) -> None:
    rows = [(*key, change) for key, change in sorted(counts.items()) if change]
    if rows:
        execute(
            "INSERT INTO leaderboards_count (game, period, board, bucket, entries)"
            " SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::int[])"
            " ON CONFLICT (game, period, board, bucket) DO UPDATE"
            " SET entries = leaderboards_count.entries + EXCLUDED.entries",
            [game, *(list(column) for column in zip(*rows, strict=True))],
        )
