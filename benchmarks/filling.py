"""Many rows like one, by SQL: what `benchmarks/growth.py` fills a database with, whatever columns a table has."""

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import Model

from core.accounts.models import Player
from core.log import bucket_of
from core.log.models import StoredEvent, StreamHead
from games.models import Game, Seat, seat_id, stream_of
from games.projections import Snapshot

# `named` has the ids of a copy and of its players, `model` those of what it is a copy of.
_TABLE = """
DROP TABLE IF EXISTS copies;

CREATE UNLOGGED TABLE copies (n int, bucket smallint, stream_id text, named uuid[], model uuid[], seats uuid[]);
"""
_ROWS = """
INSERT INTO games_game (id, state, opened_at, {game})
SELECT copies.named[1], {state}::jsonb, one.opened_at - copies.n * interval '1 second', {one_game}
FROM copies JOIN games_game one ON one.id = copies.model[1];

INSERT INTO games_seat (id, game_id, player_id, {seat})
SELECT copies.seats[one.index + 1], copies.named[1], copies.named[one.index + 2], {one_seat}
FROM copies JOIN games_seat one ON one.game_id = copies.model[1];

INSERT INTO log_stream (bucket, stream_id, {stream})
SELECT copies.bucket, copies.stream_id, {one_stream}
FROM copies JOIN log_stream one ON one.stream_id = 'game-' || copies.model[1];

INSERT INTO log_event (bucket, stream_id, position, recorded_at, data, meta, {event})
SELECT copies.bucket, copies.stream_id,
       counter.head + row_number() OVER (PARTITION BY copies.bucket ORDER BY copies.n, one.version), now(),
       {data}::json, {meta}::json, {one_event}
FROM copies JOIN log_event one ON one.stream_id = 'game-' || copies.model[1]
     JOIN log_counter counter ON counter.bucket = copies.bucket;

UPDATE log_counter SET head = last.position
FROM (SELECT bucket, max(position) AS position FROM log_event GROUP BY bucket) last
WHERE last.bucket = log_counter.bucket AND last.position > log_counter.head;
"""

_RATED = """
INSERT INTO leaderboards_playertally (game, period, player, mu, sigma, games, wins, beaten, streak,
    best_streak, penalty, rounds, lost_on_time, never_came, opponents, last_at, reached)
SELECT '{game}', 'all', id, 25 + 5 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()), 2.5,
       10 + (random() * 90)::int, (random() * 10)::int, 0, 0, 1, 0, 0, 0, 0, '[]', now(), '{{}}'
FROM accounts_player WHERE username LIKE '{prefix}%';

INSERT INTO leaderboards_entry (game, period, board, player, score, games, reached)
SELECT game, 'all', 'rating', player, round(1500 + 24 * (mu - 25)), games, (random() * 1000000)::int
FROM leaderboards_playertally WHERE game = '{game}';

INSERT INTO leaderboards_count (game, period, board, bucket, entries)
SELECT game, 'all', 'rating', score, count(*) FROM leaderboards_entry WHERE game = '{game}' GROUP BY game, score;

INSERT INTO leaderboards_league (game, version, counted, as_of) VALUES ('{game}', 1, 1, now());
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


def copies(games: Iterable[tuple[Snapshot, Sequence[UUID]]], seats: int) -> None:
    """Copies of games, with their events: the model of each, and the players who sit in it, as many as `seats`."""
    tables: dict[str, tuple[type[Model], set[str]]] = {
        "game": (Game, {"id", "state", "opened_at"}),
        "seat": (Seat, {"id", "game_id", "player_id"}),
        "stream": (StreamHead, {"bucket", "stream_id"}),
        "event": (StoredEvent, {"bucket", "stream_id", "position", "recorded_at", "data", "meta"}),
    }
    values = {name: columns(model, without=own) for name, (model, own) in tables.items()}
    values |= {f"one_{name}": columns(model, without=own, alias="one") for name, (model, own) in tables.items()}
    for column in ("state", "data", "meta"):
        text = f"one.{column}::text"
        for at in range(1, seats + 2):
            text = f"replace({text}, copies.model[{at}]::text, copies.named[{at}]::text)"
        values[column] = text
    run(_TABLE)
    with connection.cursor() as cursor, cursor.copy("COPY copies FROM STDIN") as rows:
        for n, (model, players) in enumerate(games):
            game, replaced = uuid4(), [model.id, *(seat.player for seat in model.players)]
            stream, ids = stream_of(game), [seat_id(game, index) for index in range(seats)]
            rows.write_row([n, bucket_of(stream), stream, [game, *players], replaced, ids])
    run(_ROWS.format(**values))


def rated(game: str, prefix: str) -> None:
    """A board of ratings with the players of that prefix."""
    run(_RATED.format(game=game, prefix=prefix))


def run(script: str) -> None:
    """The statements of a script one by one. Each ends with its line."""
    with connection.cursor() as cursor:
        for statement in script.split(";\n"):
            if statement.strip():
                cursor.execute(statement)
