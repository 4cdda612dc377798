"""What each page of the dashboard costs at 1,000,000 games: SQL statements and milliseconds.

    python benchmarks/dashboard.py [--games 1000000] [--players 5000] [--days 30]

A database is filled by SQL with so many games, opened in the last days, and with their seats, events, players, ratings
and audit log. Beside them services run a tournament of 12 and a season. Each page is then asked for six times. Printed
are its statements, the processor time that web and database spent on it (the mean of the last five times; Linux, and a
database on this machine), and by the wall the least and the median of those times and the first one. The exit status
is 1 when a page takes 20 statements or 300 ms of processor time, or of the least time where that is not known.
It runs in a database of its own, dropped at the end, in the embedded PostgreSQL of `make run` or at DATABASE_URL.
"""

import argparse
import os
import statistics
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

# The checkout, in place of this folder.
sys.path[0] = str(Path(__file__).resolve().parents[1])
os.environ.setdefault("TREY_PROFILE", "run")  # lasting: a query costs here what it costs in the service
os.environ.setdefault("TREY_LOG_LEVEL", "warning")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")

MOST_QUERIES, MOST_MS = 20, 300
TIMES = 5

# Rare values on purpose: 1 game in 100,000 is open, 1 in 20,000 private, 1 in 10,000 unrated.
_GAMES = """
UPDATE accounts_player SET is_staff = n %% 1000 = 0, is_active = n %% 500 <> 0
FROM (SELECT id, row_number() OVER () AS n FROM accounts_player WHERE username LIKE 'filler%%') picked
WHERE picked.id = accounts_player.id;

CREATE TEMP TABLE people AS
SELECT row_number() OVER () - 1 AS n, id FROM accounts_player WHERE username LIKE 'filler%%';
CREATE UNIQUE INDEX ON people (n);

CREATE TEMP TABLE fill AS
SELECT n, gen_random_uuid() AS id, now() - (%(days)s * interval '1 day') * (n::float / %(games)s) AS opened_at,
       (ARRAY['threes', 'three_card', 'tripp_jokes', 'castle'])[1 + n %% 4] AS game,
       CASE WHEN n %% 100000 = 7 THEN 'open' WHEN n %% 1000 = 1 THEN 'playing' WHEN n %% 50 = 2 THEN 'cancelled'
            ELSE 'finished' END AS status
FROM generate_series(1, %(games)s) n;

INSERT INTO games_game (id, game, ruleset, options, asked_options, seats, visibility, rated, plans, channels, clock,
                        invitation, status, version, opener_id, secret, commitment, shuffles, result, opened_at,
                        moved_at, started_at, finished_at)
SELECT f.id, f.game, t.ruleset, t.options, t.asked_options, 3,
       CASE WHEN n %% 20000 = 3 THEN 'private' ELSE 'public' END, n %% 10000 <> 5, true, '[]', t.clock,
       NULL, f.status, 3, NULL, t.secret, t.commitment, 1,
       CASE WHEN f.status = 'finished' THEN t.result END, f.opened_at, f.opened_at + interval '2 hours', f.opened_at,
       CASE WHEN f.status IN ('finished', 'cancelled') THEN f.opened_at + interval '2 hours' END
FROM fill f, (SELECT * FROM games_game WHERE id = %(like)s) t;

INSERT INTO games_seat (id, game_id, index, player_id, salt, joined_at, resigned, agrees_to_cancel, to_act, duty,
                        duty_since, duty_extra, due_at, bank, misses, timeouts, moved, lost_on_time, replaced)
SELECT gen_random_uuid(), f.id, s, p.id, 'x', f.opened_at, false, false, f.status = 'playing' AND s = 0,
       CASE WHEN f.status = 'playing' AND s = 0 THEN 'turn' END,
       CASE WHEN f.status = 'playing' AND s = 0 THEN f.opened_at END, 0,
       CASE WHEN f.status = 'playing' AND s = 0 THEN now() + interval '20 hours' END, 0, 0, 0, true, false, false
FROM fill f, generate_series(0, 2) s, people p WHERE p.n = (f.n * 7 + s * 13) %% %(players)s;
"""

_EVENTS = """
INSERT INTO log_event (bucket, stream_id, version, position, type, schema, data, meta, recorded_at, nonce, digest)
SELECT 0, 'game-' || f.id, v, (f.n - 1) * 3 + v + coalesce((SELECT head FROM log_counter WHERE bucket = 0), 0),
       (ARRAY['game.opened', 'game.joined', 'game.finished'])[v], 9, '{"reason": null}', '{}', f.opened_at, '', ''
FROM fill f, generate_series(1, 3) v WHERE f.n <= 300000;

UPDATE log_counter SET head = (SELECT max(position) FROM log_event WHERE bucket = 0) WHERE bucket = 0;

INSERT INTO accounts_audit (at, by, action, subject, reason)
SELECT now() - n * interval '1 minute', (SELECT id FROM people WHERE n = 0),
       CASE WHEN n %% 40000 = 1 THEN 'suspended' ELSE 'saw hidden cards' END, 'game ' || n, ''
FROM generate_series(1, 200000) n;
"""

_RATINGS = """
INSERT INTO leagues_playertally (game, generation, period, player, mu, sigma, games, wins, beaten, streak, best_streak,
                                 penalty, rounds, lost_on_time, opponents, last_at, reached)
SELECT %(game)s, 1, 'all', id, 25, 2.5, 600, 200, 0, 1, 4, 0, 0, 1, '[]', now(), '{}' FROM people;

INSERT INTO leagues_entry (game, generation, period, board, player, score, games, reached)
SELECT %(game)s, 1, 'all', b, id, 1000 + n, 600, n FROM people, unnest(%(boards)s::text[]) b;

INSERT INTO leagues_count (game, generation, period, board, bucket, entries)
SELECT game, 1, 'all', board, score, count(*) FROM leagues_entry WHERE game = %(game)s GROUP BY game, board, score;

INSERT INTO leagues_boardstate (game, generation, period, board, version, entries)
SELECT %(game)s, 1, 'all', b, 1, %(players)s FROM unnest(%(boards)s::text[]) b;

INSERT INTO leagues_league (game, version, counted, as_of, generation) VALUES (%(game)s, 1, 1, now(), 1)
ON CONFLICT (game) DO UPDATE SET counted = 1, as_of = now();

INSERT INTO leagues_point (game, generation, number, player, game_id, at, place, players, mu, sigma)
SELECT %(game)s, 1, 1000 + g, p.id, gen_random_uuid(), now() - (600 - g) * interval '1 hour', 1 + g %% 3, 3,
       25 + sin(g / 40.0), 2.5
FROM people p, generate_series(1, 600) g WHERE p.n < 3;
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the pages are about."""

    superuser: Any
    organiser: Any
    tournament: UUID
    season: UUID
    game: UUID
    player: UUID
    filled: UUID


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=5_000)
    parser.add_argument("--days", type=int, default=30)
    wanted = parser.parse_args()

    from benchmarks.ground import own_database

    with own_database():
        began = time.perf_counter()
        scene = fill(wanted.games, wanted.players, wanted.days)
        print(f"filled in {time.perf_counter() - began:.0f} s", flush=True)
        wrong = measure(scene)
        print(f"load of the machine {os.getloadavg()[0]:.1f}")
    if wrong:
        print(f"{MOST_QUERIES} statements or {MOST_MS} ms: {', '.join(wrong)}")
    sys.exit(bool(wrong))


def fill(games: int, players: int, days: int) -> Scene:
    """A tournament of 12 and a season by services, everything else by SQL."""
    from django.db import connection

    from benchmarks import filling
    from core.accounts.models import Player
    from games.models import Game
    from games.rules import GAMES
    from tournaments.leaderboards.boards import boards_of

    organiser = Player.objects.create_user("organiser")
    people = [Player.objects.create_user(f"player{number}") for number in range(12)]
    tournament, season = _rounds(organiser, people), _season(organiser, people)
    like = Game.objects.filter(status="finished").latest("opened_at")
    filling.players(players, "filler")
    with connection.cursor() as cursor:
        filling.run(_GAMES, {"games": games, "players": players, "days": days, "like": like.pk})
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")
        filling.run(_EVENTS, {})
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER USER")
        for game, rules in GAMES.items():
            boards = [board.name for board in boards_of(rules.has_penalties)]
            filling.run(_RATINGS, {"game": game, "players": players, "boards": boards})
        cursor.execute("SELECT id FROM people WHERE n = 1")
        player = cursor.fetchone()[0]
        cursor.execute("SELECT id FROM fill WHERE n = 5")
        filled = cursor.fetchone()[0]
        cursor.execute("VACUUM ANALYZE")
    return Scene(Player.objects.create_superuser("superuser"), organiser, tournament, season, like.pk, player, filled)


def _rounds(organiser: Any, people: list[Any]) -> UUID:
    """A tournament with three rounds, the last of which is open."""
    from tournaments import services
    from tournaments.models import TournamentGame

    settings = {"rounds": 5, "tables": {"size": 4}}
    done = services.set_up(organiser, {"title": "Cup", "game": "threes", "kind": "rounds", "settings": settings})
    pk = _opened(organiser, done, people)
    services.start(pk, organiser)
    for number in (1, 2, 3):
        _run()
        for game in TournamentGame.objects.filter(tournament=pk, outcome="open") if number < 3 else ():
            _end(game.game)
    return pk


def _season(organiser: Any, people: list[Any]) -> UUID:
    """A season with 60 finished games."""
    from core import clock
    from tournaments import services

    ends = clock.now() + timedelta(days=30)
    asked = {"title": "Season", "game": "threes", "kind": "season", "opens_at": clock.now().isoformat()}
    pk = _opened(organiser, services.set_up(organiser, {**asked, "closes_at": ends.isoformat()}), people)
    _run()
    for number in range(60):
        from games import services as rooms

        first, second = people[number % 12], people[(number + 1 + number // 12) % 12]
        room = services.open_game(pk, first, seats=2)
        rooms.join(room.id, second)
        rooms.start(room.id, first)
        _end(room.id)
    _run()
    return pk


def _opened(organiser: Any, done: Any, people: list[Any]) -> UUID:
    from tournaments import services

    pk: UUID = done.tournament.id
    services.open_registration(pk, organiser)
    for player in people:
        services.enter(pk, player)
    return pk


def _run() -> None:
    from tournaments import services

    while services.follow_games.catch_up() + services.run().done:
        pass


def _end(game: UUID) -> None:
    """All but the first resign."""
    from games import services
    from games.models import Seat

    for seat in Seat.objects.filter(game=game, index__gt=0).select_related("player"):
        assert seat.player is not None
        services.play(game, seat.player, {"move": "resign"})


def measure(scene: Scene) -> list[str]:
    """Print a line for each page; returns those that cost too much."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from benchmarks.ground import backend, processor_seconds

    wrong = []
    process = backend()
    print(f"{'page':<52} {'statements':>10} {'processor ms':>12} {'least ms':>9} {'median ms':>10} {'first ms':>9}")
    for who in ("superuser", "organiser"):
        client = Client()
        client.force_login(getattr(scene, who))
        for name, address in pages(scene).items():
            times, worked = [], 0.0
            for time_number in range(1 + TIMES):
                if time_number == 1:
                    worked = processor_seconds(process)
                with CaptureQueriesContext(connection) as queries:
                    began = time.perf_counter()
                    response = client.get(address)
                    times.append((time.perf_counter() - began) * 1000)
            if response.status_code == 404 or (response.status_code == 403 and who == "organiser"):
                continue
            if response.status_code != 200:
                sys.exit(f"{address}: {response.status_code}")
            worked = (processor_seconds(process) - worked) * 1000 / TIMES
            first, least, middle = times[0], min(times[1:]), statistics.median(times[1:])
            figures = f"{len(queries):>10} {worked:>12.0f} {least:>9.0f} {middle:>10.0f} {first:>9.0f}"
            print(f"{who + ': ' + name:<52} {figures}", flush=True)
            if len(queries) >= MOST_QUERIES or (worked if process.exists() else least) >= MOST_MS:
                wrong.append(f"{who}: {name}")
                for query in queries:
                    if float(query["time"]) > 0.05:
                        print(f"    {query['time']} s: {query['sql'][:500]}")
    return wrong


def pages(scene: Scene) -> dict[str, str]:
    """The pages by name."""
    from urllib.parse import quote

    from core import clock

    before = quote((clock.now() - timedelta(days=20)).isoformat())
    games, players = "/admin/games/game/", "/admin/accounts/player/"
    tournaments = "/admin/tournaments/tournament/"
    found = {
        "home": "/admin/",
        "games": games,
        "games, far back": f"{games}?p=behind~{before}~{scene.game}",
        "games, far back, castle": f"{games}?game=castle&p=behind~{before}~{scene.game}",
        "games, far back, the page before": f"{games}?p=before~{before}~{scene.game}",
        "games, CSV of 1,000": f"{games}csv/",
        "games, castle": f"{games}?game=castle",
        "games, three_thirteen: none": f"{games}?game=three_thirteen",
        "games, open: rare": f"{games}?status__exact=open",
        "games, setup: none": f"{games}?status__exact=setup",
        "games, private: rare": f"{games}?visibility__exact=private",
        "games, unrated: rare": f"{games}?rated__exact=0",
        "games, castle, cancelled, private, unrated": (
            f"{games}?game=castle&status__exact=cancelled&visibility__exact=private&rated__exact=0"
        ),
        "games, by id": f"{games}?q={scene.game}",
        "games, of a player": f"{games}?q=filler7",
        "games, of nobody": f"{games}?q=nobody",
        "game": f"{games}{scene.game}/change/",
        "game, a version": f"{games}{scene.game}/table/3/",
        "players": players,
        "players, far back": f"{players}?p=behind~filler8",
        "players, by the beginning of the name": f"{players}?q=filler49",
        "players, by address": f"{players}?q=a@b.c",
        "players, staff": f"{players}?is_staff__exact=1",
        "players, suspended": f"{players}?is_active__exact=0",
        "player with ratings in all leagues": f"{players}{scene.player}/change/",
        "event log": "/admin/log/",
        "event log, a bucket far back": "/admin/log/?bucket=0&before=1000",
        "event log, by type: none": "/admin/log/?bucket=0&type=game.voided",
        "event log, a game": f"/admin/log/?stream=game-{scene.game}",
        "event log, a tournament": f"/admin/log/?stream=tournament-{scene.tournament}",
        "audit log": "/admin/accounts/audit/",
        "audit log, far back": f"/admin/accounts/audit/?p=behind~{before}~1",
        "audit log, by action: rare": "/admin/accounts/audit/?action=suspended",
        "audit log, by subject": "/admin/accounts/audit/?q=game 7",
        "tournaments": tournaments,
        "tournaments, by title": f"{tournaments}?q=cu",
        "tournaments, by status": f"{tournaments}?status__exact=running",
    }
    for title, pk in (("tournament", scene.tournament), ("season", scene.season)):
        for page in ("change", "standings", "entrants", "draft", "rulings", "settings", "rulings/void"):
            found[f"{title}, {page}"] = f"{tournaments}{pk}/{page}/"
    return found


if __name__ == "__main__":
    main()
