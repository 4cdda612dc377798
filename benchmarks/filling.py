"""Many rows like one, by SQL: what the benchmarks fill a database with, whatever columns a table has by now."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import Model

from core.accounts.models import Player
from core.log.models import StoredEvent, StreamHead
from games.models import Game, Seat

# A stream's bucket is the first two bytes of SHA-256 of its name, modulo 256: the second of them.
_COPIES = """
CREATE TEMP TABLE people AS
SELECT row_number() OVER () - 1 AS n, id FROM accounts_player WHERE username LIKE %(prefix)s || '%%';
CREATE UNIQUE INDEX ON people (n);

CREATE TEMP TABLE fill AS
SELECT n, id, 'game-' || id AS stream_id, get_byte(sha256(convert_to('game-' || id, 'UTF8')), 1) AS bucket,
       CASE WHEN n %% 4 = 0 THEN %(running)s::uuid ELSE %(over)s::uuid END AS model
FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, %(games)s) n) numbered;

INSERT INTO games_game (id, opened_at, {game})
SELECT fill.id, one.opened_at - fill.n * interval '1 second', {one_game}
FROM fill JOIN games_game one ON one.id = fill.model;

INSERT INTO games_seat (id, game_id, player_id, {seat})
SELECT gen_random_uuid(), fill.id, people.id, {one_seat}
FROM fill JOIN games_seat one ON one.game_id = fill.model
     JOIN people ON people.n = (fill.n * 7 + one.index * 13) %% %(players)s;

INSERT INTO log_stream (bucket, stream_id, {stream})
SELECT fill.bucket, fill.stream_id, {one_stream}
FROM fill JOIN log_stream one ON one.stream_id = 'game-' || fill.model;

INSERT INTO log_event (bucket, stream_id, position, {event})
SELECT fill.bucket, fill.stream_id,
       counter.head + row_number() OVER (PARTITION BY fill.bucket ORDER BY fill.n, one.version), {one_event}
FROM fill JOIN log_event one ON one.stream_id = 'game-' || fill.model
     JOIN log_counter counter ON counter.bucket = fill.bucket;

UPDATE log_counter SET head = last.position
FROM (SELECT bucket, max(position) AS position FROM log_event GROUP BY bucket) last
WHERE last.bucket = log_counter.bucket;
"""

_RATED = """
INSERT INTO leaderboards_playertally (game, generation, period, player, mu, sigma, games, wins, beaten, streak,
    best_streak, penalty, rounds, lost_on_time, never_came, opponents, last_at, reached)
SELECT %(game)s::text, 1, 'all', id, 25 + 5 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()), 2.5,
       10 + (random() * 90)::int, (random() * 10)::int, 0, 0, 1, 0, 0, 0, 0, '[]', now(), '{}'
FROM accounts_player WHERE username LIKE %(prefix)s || '%%';

INSERT INTO leaderboards_entry (game, generation, period, board, player, score, games, reached)
SELECT game, 1, 'all', 'rating', player, round(1500 + 24 * (mu - 25)), games, (random() * 1000000)::int
FROM leaderboards_playertally WHERE game = %(game)s;

INSERT INTO leaderboards_count (game, generation, period, board, bucket, entries)
SELECT game, 1, 'all', 'rating', score, count(*) FROM leaderboards_entry WHERE game = %(game)s GROUP BY game, score;

INSERT INTO leaderboards_boardstate (game, generation, period, board, entries)
VALUES (%(game)s, 1, 'all', 'rating', %(players)s);

INSERT INTO leaderboards_league (game, version, counted, as_of, generation) VALUES (%(game)s, 1, 1, now(), 1);
"""


def columns(model: type[Model], *, without: Collection[str], alias: str = "") -> str:
    """The columns of a model's table that a copy takes over, for SQL; each `alias`.column if there is one."""
    prefix = f"{alias}." if alias else ""
    names = (field.column for field in model._meta.concrete_fields)  # noqa: SLF001
    return ", ".join(f'{prefix}"{name}"' for name in names if name and name not in without)


def players(count: int, prefix: str) -> None:
    """So many players, called like "filler1"; one more is made by the ORM, whose columns they copy."""
    like = Player.objects.create_user(f"{prefix}-model")
    own = {"id", "username"}
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO accounts_player (id, username, {columns(Player, without=own)})"
            f" SELECT gen_random_uuid(), %s || n, {columns(Player, without=own, alias='one')}"
            " FROM accounts_player one, generate_series(1, %s) n WHERE one.id = %s",
            [prefix, count, like.pk],
        )
    like.delete()


def copies(count: int, prefix: str, number: int, *, running: UUID, over: UUID) -> None:
    """So many games with their events: each fourth like the one that runs, the others like the one that is over.

    The `number` players of that prefix sit in them, one after the other.
    """
    tables: dict[str, tuple[type[Model], set[str]]] = {
        "game": (Game, {"id", "opened_at"}),
        "seat": (Seat, {"id", "game_id", "player_id"}),
        "stream": (StreamHead, {"bucket", "stream_id"}),
        "event": (StoredEvent, {"bucket", "stream_id", "position"}),
    }
    names = {name: columns(model, without=own) for name, (model, own) in tables.items()}
    names |= {f"one_{name}": columns(model, without=own, alias="one") for name, (model, own) in tables.items()}
    values = {"games": count, "players": number, "prefix": prefix, "running": running, "over": over}
    run(_COPIES.format(**names), values)


def rated(game: str, prefix: str, number: int) -> None:
    """A board of ratings with the `number` players of that prefix."""
    run(_RATED, {"game": game, "players": number, "prefix": prefix})


def vacuum() -> None:
    """Fresh statistics, and no dead rows."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def run(script: str, values: Mapping[str, Any]) -> None:
    """The statements of a script one by one, since a prepared statement is only one. Each ends with its line."""
    with connection.cursor() as cursor:
        for statement in script.split(";\n"):
            if statement.strip():
                cursor.execute(statement, {name: each for name, each in values.items() if f"%({name})s" in statement})


# What the log has of a game before the move that begins the turn, and all rows as of after it.
_BURST = """
CREATE UNLOGGED TABLE burst AS
SELECT n, id, 'game-' || id AS stream_id, get_byte(sha256(convert_to('game-' || id, 'UTF8')), 1) AS bucket,
       (%(players)s::uuid[])[2 * n - 1] AS one, (%(players)s::uuid[])[2 * n] AS two
FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, %(games)s) n) numbered;

INSERT INTO games_game (id, {game}) SELECT burst.id, {one_game} FROM burst, games_game one WHERE one.id = %(model)s;

INSERT INTO games_seat (id, game_id, player_id, {seat})
SELECT gen_random_uuid(), burst.id, CASE one.index WHEN 0 THEN burst.one ELSE burst.two END, {one_seat}
FROM burst, games_seat one WHERE one.game_id = %(model)s;

INSERT INTO log_stream (bucket, stream_id, {stream})
SELECT burst.bucket, burst.stream_id, {one_stream}
FROM burst, log_stream one WHERE one.stream_id = 'game-' || %(model)s::text;
"""
_EVENTS = """
INSERT INTO log_event (bucket, stream_id, position, recorded_at, data, meta, {event})
SELECT burst.bucket, burst.stream_id,
       counter.head + row_number() OVER (PARTITION BY burst.bucket ORDER BY burst.n, one.version), %(at)s,
       replace(replace(one.data::text, %(first)s, burst.one::text), %(second)s, burst.two::text)::json,
       replace(replace(one.meta::text, %(first)s, burst.one::text), %(second)s, burst.two::text)::json, {one_event}
FROM burst JOIN log_event one ON one.stream_id = 'game-' || %(model)s::text
     JOIN log_counter counter ON counter.bucket = burst.bucket
WHERE burst.n > %(from)s AND burst.n <= %(upto)s AND one.version > %(after)s AND one.version <= %(last)s;

UPDATE log_counter SET head = last.position
FROM (SELECT bucket, max(position) AS position FROM log_event GROUP BY bucket) last
WHERE last.bucket = log_counter.bucket AND last.position > log_counter.head;
"""

# What came before is told to nobody.
_PASSED = """
UPDATE log_checkpoint SET position = counter.head FROM log_counter counter WHERE counter.bucket = log_checkpoint.bucket;
"""


class Burst:
    """So many games of two players each; `begin` has the turn of `awaited` begin in some of them, with `version`."""

    def __init__(self, players: list[UUID]) -> None:
        pair = [Player.objects.create_user(f"model-{uuid4().hex[:8]}") for _ in range(2)]
        self._model, self._before, self.version, waits = _played(pair)
        self.awaited = players[waits::2]
        own = {"game": (Game, {"id"}), "seat": (Seat, {"id", "game_id", "player_id"})} | {
            "stream": (StreamHead, {"bucket", "stream_id"}),
            "event": (StoredEvent, {"bucket", "stream_id", "position", "recorded_at", "data", "meta"}),
        }
        self._columns = {name: columns(model, without=without) for name, (model, without) in own.items()}
        self._columns |= {
            f"one_{name}": columns(model, without=without, alias="one") for name, (model, without) in own.items()
        }
        games = len(players) // 2
        self._values: dict[str, Any] = {"model": self._model, "first": str(pair[0].pk), "second": str(pair[1].pk)}
        run(_BURST.format(**self._columns), {**self._values, "players": players, "games": games})
        self._append(0, games, after=0, last=self._before, and_then=_PASSED)

    def begin(self, start: int, upto: int) -> datetime:
        """The moves that begin the turns in the games after `start` up to `upto`; returns when."""
        return self._append(start, upto, after=self._before, last=self.version)

    def _append(self, start: int, upto: int, *, after: int, last: int, and_then: str = "") -> datetime:

        at = datetime.now(UTC)
        with transaction.atomic():
            run(
                "SELECT head FROM log_counter ORDER BY bucket FOR UPDATE;\n"
                + _EVENTS.format(**self._columns)
                + and_then,
                {**self._values, "at": at, "from": start, "upto": upto, "after": after, "last": last},
            )
        return at


def _played(pair: list[Any]) -> tuple[UUID, int, int, int]:
    """A game whose last move began a turn: its id, its versions before and after, and the seat that waits."""
    from core import log
    from games import selectors, services
    from games.projections import load

    entries = [services.Entry(player=player) for player in pair]
    game = services.open_table(
        uuid4(),
        entries,
        services.Terms("three_card", len(entries), clock={"per_turn": 86_400}),
        actor=log.Actor("service"),
    )
    while True:
        waiting = _waiting(game)
        mover = pair[waiting[0]]
        legal = selectors.legal_moves(mover, game)
        move = next(each["send"] for each in legal.moves if each["send"]["move"] != "resign")
        services.play(game.id, mover, move)
        before, after = game.version, load(game.id)
        assert after is not None
        assert after.is_running
        if len(waiting) == 1 and _waiting(after) == [1 - waiting[0]]:
            return game.id, before, after.version, 1 - waiting[0]
        game = after


def _waiting(game: Any) -> list[int]:
    return [seat for seat, place in enumerate(game.players) if place.duty is not None]
