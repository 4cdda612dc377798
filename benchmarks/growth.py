"""How what people do most grows with the log: the same on a small database and on a large one.

    python -m benchmarks.growth [--games 1000000] [--small 1000] [--rounds 20] [--long 2000]

Two databases are filled by SQL with copies of two games that services played: one in four still runs, the others are
over, all with about ten events in the log, and each player sits in ten of them. Boards and ratings have an entry for
each player. Then both are measured in turn, several rounds of each: a move, lists, a page of a board, and a sweep of
turns that are due. A subscriber that catches up is measured beside paging and decoding the same rows, and the rebuild
of a long game beside reading and parsing its events.

Printed is the processor time that Python and PostgreSQL's backend spent on one of each (Linux, and a database on this
machine), the time by the wall, and the ratio of the two databases by processor time. The exit status is 1 when a ratio
misses its goal, or the sweep its rate. Statistics of both are fresh, and autovacuum is off while it is measured.
"""

import argparse
import io
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from msgspec.structs import replace

os.environ.setdefault("TREY_PROFILE", "growth")
os.environ.setdefault("TREY_LOG_LEVEL", "error")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

GAME, SEATS, GAMES_EACH = "threes", 3, 10
MOST, MOST_SWEEP, LEAST_TIMEOUTS = 1.2, 1.3, 300.0
TURN, BANK, BATCH, SWEPT = 86400, 3600, 50, 50
LEAST_CATCHING_UP, LEAST_REBUILDING = 0.6, 0.5


@dataclass(slots=True)
class Spent:
    """What one of something took, in milliseconds: of processor time (Python and PostgreSQL), and by the wall."""

    processor: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    @property
    def median(self) -> tuple[float, float]:
        """The medians."""
        return statistics.median(self.processor), statistics.median(self.wall)


@dataclass(slots=True)
class Filled:
    """A database: its name, the people with their tokens, and what its rounds took."""

    name: str
    games: int
    tokens: dict[UUID, str] = field(default_factory=dict)
    spent: dict[str, Spent] = field(default_factory=dict)


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--long", type=int, default=2000, help="events of the game that is rebuilt")
    wanted = parser.parse_args()

    from django.conf import settings

    from benchmarks.ground import servers

    # As the web has it.
    settings.DATABASES["default"] |= settings.TREY_WEB_DATABASE
    with servers():
        small, large = Filled("growth_small", wanted.small), Filled("growth_large", wanted.games)
        try:
            create(small, large)
            for each in (small, large):
                began = time.perf_counter()
                fill(each)
                print(f"{each.games:,} games filled in {time.perf_counter() - began:.0f} s", flush=True)
            for number in range(wanted.rounds + 1):
                for each in (small, large):
                    measure(each, counts=number > 0)
            met = report(small, large)
            with of(large):
                met = catching_up() & met
                met = rebuilding(wanted.long) & met
                sizes(large)
            print(f"load of the machine {os.getloadavg()[0]:.1f}")
        finally:
            for each in (small, large):
                drop(each)
    sys.exit(not met)


def _administer(statement: str) -> None:
    import psycopg
    from django.db import connection

    connection.close()
    parameters = connection.get_connection_params()
    keys = ("user", "password", "host", "port")
    with psycopg.connect(
        dbname="postgres", autocommit=True, **{key: parameters[key] for key in keys if parameters.get(key)}
    ) as database:
        database.execute(statement)


def create(first: Filled, *others: Filled) -> None:
    """Empty databases with Trey's tables."""
    from django.core.management import call_command

    drop(first)
    _administer(f"CREATE DATABASE {first.name}")
    with of(first):
        call_command("migrate", verbosity=0, stdout=io.StringIO())
    for other in others:
        drop(other)
        _administer(f"CREATE DATABASE {other.name} TEMPLATE {first.name}")


def drop(filled: Filled) -> None:
    """The database is gone."""
    _administer(f"DROP DATABASE IF EXISTS {filled.name} WITH (FORCE)")


@contextmanager
def of(filled: Filled) -> Iterator[None]:
    """Connections of this process go to the database."""
    from django.db import connections

    connection: Any = connections["default"]
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.close_pool()
    connection.settings_dict["NAME"] = filled.name
    # Filling takes longer than a statement of the web may.
    connection.settings_dict["OPTIONS"]["options"] = ""
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()
        connection.settings_dict["NAME"] = usual


def fill(filled: Filled) -> None:
    """Two games by services, and copies of them by SQL."""
    from django.db import connection

    from benchmarks.filling import Copies, players, rated, vacuum
    from core import log
    from core.accounts.login import tokens
    from core.accounts.models import Player
    from games import services

    with of(filled):
        people = [Player.objects.create_user(f"model{number}") for number in range(SEATS)]
        models = []
        for over in (False, True):
            entries = [services.Entry(player=player) for player in people]
            clock = {"per_turn": TURN, "bank": BANK}
            game = services.open_table(
                uuid4(), entries, services.Terms(GAME, len(entries), clock=clock), actor=log.Actor("service")
            )
            for _ in range(4):
                _play_any(game.id, people)
            for player in people[1:] if over else ():
                services.play(game.id, player, {"move": "resign"})
            models.append(_loaded(game.id))
        number = filled.games * SEATS // GAMES_EACH
        players(number, "filler")
        ids = list(Player.objects.filter(username__startswith="filler").values_list("id", flat=True))
        sitting = ([ids[(n * 7 + seat * 13) % number] for seat in range(SEATS)] for n in range(filled.games))
        # One in four runs.
        games = ((models[n % 4 > 0], three) for n, three in enumerate(sitting))
        Copies(games, SEATS).append(0, filled.games, after=0, last=max(game.version for game in models))
        rated(GAME, "filler")
        vacuum()
        with connection.cursor() as cursor:
            for table in ("games_game", "games_seat", "log_event", "log_stream", "log_counter"):
                cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")
        some = Player.objects.filter(username__startswith="filler").order_by("id")[:200]
        filled.tokens = {player.pk: tokens.issue(player)[0] for player in some}


def _loaded(game_id: UUID) -> Any:
    from games.projections import load

    return load(game_id)


def _play_any(game_id: UUID, people: list[Any]) -> None:
    """A legal move that does not end the game, by whoever is to move."""
    from games import selectors, services

    for player in people:
        legal = selectors.legal_moves(player, selectors.game_for(player, game_id))
        if legal.moves:
            move = next(each["send"] for each in legal.moves if each["send"]["move"] != "resign")
            services.play(game_id, player, move)
            return
    raise SystemExit(f"nobody can move in game {game_id}")


def measure(filled: Filled, *, counts: bool) -> None:
    """One round of everything on one database. The first round only warms up."""
    with of(filled):
        for name, requests in _requests(filled):
            _timed(filled, name, requests, _ask, counts=counts)
        _timed(filled, "sweep, a turn", [_make_due(SWEPT)], _sweep, counts=counts, each=SWEPT)


def _timed(
    filled: Filled, name: str, what: list[Any], do: Callable[[Any], None], *, counts: bool, each: int | None = None
) -> None:
    from benchmarks.ground import backend, processor_seconds

    process = backend()
    used, began = processor_seconds(process), time.perf_counter()
    for one in what:
        do(one)
    wall, processor = time.perf_counter() - began, processor_seconds(process) - used
    if counts:
        spent = filled.spent.setdefault(name, Spent())
        number = each or len(what)
        spent.processor.append(processor / number * 1000)
        spent.wall.append(wall / number * 1000)


def _requests(filled: Filled) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """What is sent in one round, by name."""
    from django.db.models.functions import Now

    from core.accounts.models import Player
    from games import selectors
    from games.models import Seat

    waiting = Seat.objects.filter(to_act=True, due_at__gt=Now(), player__username__startswith="filler")
    moves = []
    for seat in waiting.filter(id__gte=_somewhere())[:BATCH]:
        player = Player.objects.get(sitting=seat)
        legal = selectors.legal_moves(player, selectors.game_for(player, seat.game_id))
        body = next(each["send"] for each in legal.moves if each["send"]["move"] != "resign")
        moves.append(_request(f"games/{seat.game_id}/moves", _token(filled, player), body))
    people = Player.objects.filter(username__startswith="filler", id__gte=_somewhere())
    asking = [_token(filled, player) for player in people[:BATCH]]
    yield "POST moves", moves
    yield "GET me/turns", [_request("me/turns?limit=10", token) for token in asking]
    yield "GET games", [_request("games?limit=20", token) for token in asking]
    board = f"leaderboards/{GAME}?board=rating"
    yield "a board's page", [_request(f"{board}&limit=50", token) for token in asking]
    yield "a board around me", [_request(f"{board}&around=me", token) for token in asking]


def _somewhere() -> UUID:
    """An id after which there are rows enough: it is in the first half of all."""
    return UUID(int=uuid4().int >> 1)


def _token(filled: Filled, player: Any) -> str:
    from core.accounts.login import tokens

    if player.pk not in filled.tokens:
        filled.tokens[player.pk] = tokens.issue(player)[0]
    return filled.tokens[player.pk]


def _request(path: str, token: str, body: object = None) -> dict[str, Any]:
    """The environment of a WSGI request (PEP 3333)."""
    content = b"" if body is None else json.dumps(body).encode()
    path, _, query = path.partition("?")
    return {
        "REQUEST_METHOD": "GET" if body is None else "POST",
        "PATH_INFO": f"/api/v1/{path}",
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_AUTHORIZATION": f"Bearer {token}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(content)),
        "wsgi.input": io.BytesIO(content),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
    }


def _ask(environ: dict[str, Any]) -> None:
    from config.wsgi import application

    found: list[str] = []
    response: Any = application(environ, lambda status, *_: found.append(status))  # type: ignore[arg-type]
    body = b"".join(response)
    response.close()
    if found[-1][:3] not in ("200", "201"):
        raise SystemExit(f"{environ['PATH_INFO']}: {found[-1]} {body[:300]!r}")


def _make_due(number: int) -> int:
    """That many turns ran out a while ago."""
    from django.db.models.functions import Now

    from core.log.rows import run
    from games.models import Seat
    from games.projections import GAME
    from games.services.outages import SWEEPER, WEB, beat

    beat(WEB)
    beat(SWEEPER)
    since = datetime.now(UTC) - timedelta(days=2)
    picked = Seat.objects.filter(due_at__gt=Now(), bot__isnull=True, id__gte=_somewhere())
    seats = list(picked.values_list("game", "index")[:number])
    for game_id, seat in seats:
        game = _loaded(game_id)
        duty = replace(game.players[seat].duty, since=since, due=since + timedelta(seconds=TURN + BANK))
        run(GAME.save(game, game.with_seat(seat, duty=duty)))
    return len(seats)


def _sweep(number: int) -> None:
    from games.services.timeouts import sweep

    swept = sweep(seconds=600)
    if swept.handled != number:
        raise SystemExit(f"{number} turns were due, and {swept} were handled")


def report(small: Filled, large: Filled) -> bool:
    """Print the table; return whether every ratio is within its goal, and the sweep at its rate."""
    met = True
    print(f"{'':22}{'processor ms':>24}{'wall ms':>20}   ratio (goal)")
    for name, spent in small.spent.items():
        most = MOST_SWEEP if name.startswith("sweep") else MOST
        (lesser, soon), (more, late) = spent.median, large.spent[name].median
        met = met and more / lesser <= most
        print(f"{name:22}{lesser:12.2f}{more:12.2f}{soon:10.2f}{late:10.2f}   {more / lesser:.2f} ({most})")
        if name.startswith("sweep"):
            met = met and 1000 / late >= LEAST_TIMEOUTS
            print(f"{'timeouts a second':22}{1000 / soon:34.0f}{1000 / late:20.0f}   ({LEAST_TIMEOUTS:.0f})")
    return met


def catching_up() -> bool:
    """A subscriber that handles what is there, beside paging and decoding the same rows."""
    from django.db import connection, transaction

    from core import log

    with connection.cursor() as cursor:
        cursor.execute("SELECT bucket, head FROM log_counter ORDER BY bucket LIMIT 4")
        buckets = dict(cursor.fetchall())
    ratios = []
    for turn in range(3):
        rows = 0
        began = time.process_time()
        for bucket, head in buckets.items():
            position = 0
            while position < head:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT position, type, seat, data::text, meta::text FROM log_event"
                        " WHERE bucket = %s AND position > %s ORDER BY position LIMIT 500",
                        [bucket, position],
                    )
                    page = [(row[0], json.loads(row[3]), json.loads(row[4])) for row in cursor.fetchall()]
                position, rows = page[-1][0], rows + len(page)
        bare = time.process_time() - began
        subscriber = log.Projection(name=f"growth-{turn}", handler=lambda _: None)
        began = time.process_time()
        look = subscriber.look(leave_out=set(range(256)) - set(buckets))
        took = time.process_time() - began
        if look.failures or look.handled != rows:
            raise SystemExit(f"{rows} rows, and {look}")
        ratios.append(bare / took)
    ratio = statistics.median(ratios)
    print(f"catching up: {ratio:.2f} of paging and decoding {rows:,} rows ({LEAST_CATCHING_UP})")
    return ratio >= LEAST_CATCHING_UP


def rebuilding(events: int) -> bool:
    """A long game out of its events, beside reading and parsing them."""
    from django.db import connection

    from core import log
    from core.accounts.models import Player
    from games import services
    from games.projections.snapshot import evolve_all

    people = [Player.objects.create_user(f"long{number}") for number in range(6)]
    entries = [services.Entry(player=player) for player in people]
    game = services.open_table(
        uuid4(), entries, services.Terms("three_thirteen", len(entries)), actor=log.Actor("service")
    )
    while game.version < events and game.is_running:
        # Nobody goes out, so a round lasts until there is nothing left to draw.
        seat = game.state.turn
        if game.state.step == "draw":
            move = {"move": "draw", "from": "stock" if game.state.stock else "discard"}
        else:
            move = {"move": "discard", "card": game.state.hands[seat][0]}
        played = services.play(game.id, people[seat], move)
        assert isinstance(played, services.Played)
        game = played.game
    bucket = log.bucket_of(game.stream)
    ratios = []
    for _ in range(7):
        began = time.process_time()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT version, data::text, meta::text FROM log_event WHERE bucket = %s AND stream_id = %s"
                " ORDER BY version",
                [bucket, game.stream],
            )
            rows = [(version, json.loads(data), json.loads(meta)) for version, data, meta in cursor.fetchall()]
        bare = time.process_time() - began
        began = time.process_time()
        again = evolve_all(log.read(game.stream))
        took = time.process_time() - began
        if again is None or again.version != len(rows):
            raise SystemExit("the game did not come back")
        ratios.append(bare / took)
    ratio = statistics.median(ratios)
    print(f"rebuilding a game of {len(rows):,} events: {took * 1000:.0f} ms, {ratio:.2f} of bare ({LEAST_REBUILDING})")
    return ratio >= LEAST_REBUILDING


def sizes(filled: Filled) -> None:
    """What the tables take."""
    from django.db import connection

    with connection.cursor() as cursor:
        for table in ("log_event", "log_stream", "games_game", "games_seat"):
            cursor.execute("SELECT pg_relation_size(%s), pg_indexes_size(%s)", [table, table])
            rows, indexes = cursor.fetchone()
            print(f"{table}: {rows / filled.games:,.0f} bytes a game, and {indexes / filled.games:,.0f} of indexes")


if __name__ == "__main__":
    main()
