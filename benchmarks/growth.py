"""How what people do most grows with the log: the same on a small database and on a large one.

    python -m benchmarks.growth [--games 1000000] [--small 1000] [--rounds 20]

Two databases are filled by SQL with copies of two games that services played: one in four still runs, the others are
over, all with about ten events in the log, and each player sits in ten of them. Boards and ratings have an entry for
each player. Then both are measured in turn, several rounds of each: a move, lists, a page of a board, and a sweep of
turns that are due.

Printed is the processor time that Python and PostgreSQL's backend spent on one of each (the database is on this
machine), the time by the wall, and the ratio of the two databases by processor time. The exit status is 1 when a ratio
misses its goal, or the sweep its rate. Statistics of both are fresh, and autovacuum is off while it is measured.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.db.models.functions import Now
from django.test import RequestFactory
from msgspec.structs import replace

from benchmarks.ground import backend, of, own_databases, people, spent_with

# Django is set up by now.
from benchmarks.filling import copies, players, rated  # isort: skip
from config.wsgi import application  # isort: skip
from core import log  # isort: skip
from core.accounts.login import tokens  # isort: skip
from core.accounts.models import Player  # isort: skip
from core.log.rows import run  # isort: skip
from games import selectors, services  # isort: skip
from games.models import Seat  # isort: skip
from games.projections import GAME as GAMES, load  # isort: skip
from games.services.outages import SWEEPER, WEB, beat  # isort: skip
from games.services.timeouts import sweep  # isort: skip

GAME, SEATS, GAMES_EACH = "threes", 3, 10
MOST, MOST_SWEEP, LEAST_TIMEOUTS = 1.2, 1.3, 300.0
TURN, BANK, BATCH, SWEPT = 86400, 3600, 50, 50


@dataclass(slots=True)
class Filled:
    """A database, and what each round took: milliseconds of processor time (Python and PostgreSQL), and by the wall."""

    name: str
    games: int
    spent: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def median(self, name: str) -> tuple[float, float]:
        """The medians of both."""
        processor, wall = zip(*self.spent[name], strict=True)
        return statistics.median(processor), statistics.median(wall)


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=20)
    wanted = parser.parse_args()
    # As the web has it, but filling takes longer than a statement of the web may.
    settings.DATABASES["default"] |= settings.TREY_WEB_DATABASE
    settings.DATABASES["default"]["OPTIONS"]["options"] = ""
    small, large = Filled("growth_small", wanted.small), Filled("growth_large", wanted.games)
    with own_databases(small.name, large.name):
        for each in (small, large):
            began = time.perf_counter()
            fill(each)
            print(f"{each.games:,} games filled in {time.perf_counter() - began:.0f} s", flush=True)
        for number in range(wanted.rounds + 1):
            for each in (small, large):
                measure(each, counts=number > 0)
        met = report(small, large)
        sizes(large)
        print(f"load of the machine {os.getloadavg()[0]:.1f}")
    sys.exit(not met)


def fill(filled: Filled) -> None:
    """Two games by services, and copies of them by SQL."""
    with of(filled.name):
        seated, _ = people(SEATS)
        models: list[Any] = []
        for over in (False, True):
            entries = [services.Entry(player=player) for player in seated]
            terms = services.Terms(GAME, SEATS, clock={"per_turn": TURN, "bank": BANK})
            game = services.open_table(uuid4(), entries, terms, actor=log.Actor("service"))
            for _ in range(4):
                player, move = next((each, move) for each in seated if (move := _legal(each, game.id)))
                services.play(game.id, player, move)
            for player in seated[1:] if over else ():
                services.play(game.id, player, {"move": "resign"})
            models.append(load(game.id))
        number = filled.games * SEATS // GAMES_EACH
        players(number, "filler")
        ids = list(Player.objects.filter(username__startswith="filler").values_list("id", flat=True))
        sitting = ([ids[(n * 7 + seat * 13) % number] for seat in range(SEATS)] for n in range(filled.games))
        # One in four runs.
        games = ((models[n % 4 > 0], three) for n, three in enumerate(sitting))
        copies(games, SEATS)
        rated(GAME, "filler")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
            for table in ("games_game", "games_seat", "log_event", "log_stream", "log_counter"):
                cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")


def _legal(player: Player, game_id: UUID) -> Any:
    """A legal move that does not end the game; None without one."""
    moves = selectors.legal_moves(player, selectors.game_for(player, game_id)).moves
    return next((each["send"] for each in moves if each["send"]["move"] != "resign"), None)


def measure(filled: Filled, *, counts: bool) -> None:
    """One round of everything on one database. The first round only warms up."""
    with of(filled.name):
        for name, requests in _requests():
            _timed(filled, name, requests, _ask, counts=counts)
        _timed(filled, "sweep, a turn", [_make_due(SWEPT)], _sweep, counts=counts, each=SWEPT)


def _timed(
    filled: Filled, name: str, what: list[Any], do: Callable[[Any], None], *, counts: bool, each: int | None = None
) -> None:
    process = backend()
    used, began = spent_with(process), time.perf_counter()
    for one in what:
        do(one)
    wall, processor = time.perf_counter() - began, spent_with(process) - used
    if counts:
        number = each or len(what)
        filled.spent.setdefault(name, []).append((processor / number * 1000, wall / number * 1000))


def _requests() -> Iterator[tuple[str, list[WSGIRequest]]]:
    """What is sent in one round, by name."""
    waiting = Seat.objects.filter(to_act=True, due_at__gt=Now(), player__username__startswith="filler")
    moves = []
    for seat in waiting.filter(id__gte=_somewhere())[:BATCH]:
        player = Player.objects.get(sitting=seat)
        body = _legal(player, seat.game_id)
        moves.append(_request(f"games/{seat.game_id}/moves", tokens.issue(player)[0], body))
    some = Player.objects.filter(username__startswith="filler", id__gte=_somewhere())[:BATCH]
    asking = [tokens.issue(player)[0] for player in some]
    yield "POST moves", moves
    yield "GET me/turns", [_request("me/turns?limit=10", token) for token in asking]
    yield "GET games", [_request("games?limit=20", token) for token in asking]
    board = f"leaderboards/{GAME}?board=rating"
    yield "a board's page", [_request(f"{board}&limit=50", token) for token in asking]
    yield "a board around me", [_request(f"{board}&around=me", token) for token in asking]


def _somewhere() -> UUID:
    """An id after which there are rows enough: it is in the first half of all."""
    return UUID(int=uuid4().int >> 1)


def _request(path: str, token: str, body: object = None) -> WSGIRequest:
    factory = RequestFactory(SERVER_NAME="127.0.0.1", HTTP_AUTHORIZATION=f"Bearer {token}")
    path = f"/api/v1/{path}"
    return factory.get(path) if body is None else factory.post(path, body, content_type="application/json")


def _ask(request: WSGIRequest) -> None:
    found: list[str] = []
    response: Any = application(request.environ, lambda status, *_: found.append(status))  # type: ignore[arg-type]
    body = b"".join(response)
    response.close()
    if found[-1][:3] not in ("200", "201"):
        raise SystemExit(f"{request.path}: {found[-1]} {body[:300]!r}")


def _make_due(number: int) -> int:
    """Let that many turns run out a while ago."""
    beat(WEB)
    beat(SWEEPER)
    since = datetime.now(UTC) - timedelta(days=2)
    picked = Seat.objects.filter(due_at__gt=Now(), bot__isnull=True, id__gte=_somewhere())
    seats = list(picked.values_list("game", "index")[:number])
    for game_id, seat in seats:
        game: Any = load(game_id)
        duty = replace(game.players[seat].duty, since=since, due=since + timedelta(seconds=TURN + BANK))
        run(GAMES.save(game, game.with_seat(seat, duty=duty)))
    return len(seats)


def _sweep(number: int) -> None:
    swept = sweep(seconds=600)
    if swept.handled != number:
        raise SystemExit(f"{number} turns were due, and {swept} were handled")


def report(small: Filled, large: Filled) -> bool:
    """Print the table; return whether every ratio is within its goal, and the sweep at its rate."""
    met = True
    print(f"{'':22}{'processor ms':>24}{'wall ms':>20}   ratio (goal)")
    for name in small.spent:
        most = MOST_SWEEP if name.startswith("sweep") else MOST
        (lesser, soon), (more, late) = small.median(name), large.median(name)
        met = met and more / lesser <= most
        print(f"{name:22}{lesser:12.2f}{more:12.2f}{soon:10.2f}{late:10.2f}   {more / lesser:.2f} ({most})")
        if name.startswith("sweep"):
            met = met and 1000 / late >= LEAST_TIMEOUTS
            print(f"{'timeouts a second':22}{1000 / soon:34.0f}{1000 / late:20.0f}   ({LEAST_TIMEOUTS:.0f})")
    return met


def sizes(filled: Filled) -> None:
    """What the tables take."""
    with of(filled.name), connection.cursor() as cursor:
        for table in ("log_event", "log_stream", "games_game", "games_seat"):
            cursor.execute("SELECT pg_relation_size(%s), pg_indexes_size(%s)", [table, table])
            rows, indexes = cursor.fetchone()
            print(f"{table}: {rows / filled.games:,.0f} bytes a game, and {indexes / filled.games:,.0f} of indexes")


if __name__ == "__main__":
    main()
