"""What a page of a board costs at 1,000,000 players against 1,000, and how long a league takes to be counted again.

    python benchmarks/boards.py [--players 1000000] [--games 100000]

Pages are read through `selectors.board_page`, in the middle of the board and around a player; each figure is the median
of many pages, in milliseconds, and the ratio is what counts. Then a league of `--games` games of four is counted, its
first result is voided, and the league is counted again from its stream. Last, results of 10,000 games are followed by
two workers at once, and then delivered once more: each must count once.
It runs in a database of its own, dropped at the end, in the embedded PostgreSQL of `make run` or at DATABASE_URL.
"""

import argparse
import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("TREY_PROFILE", "run")  # lasting: a commit costs here what it costs in the service
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")

PAGES = 200
POOL = 2000  # players of the league that is counted again


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=100_000)
    wanted = parser.parse_args()

    from benchmarks.ground import own_database

    with own_database():
        pages(wanted.players)
        counting(wanted.games)
        delivering(min(wanted.games, 10_000))


def pages(players: int) -> None:
    """Pages of a small board (castle) and of a large one (threes)."""
    from benchmarks.filling import players as fill_players
    from benchmarks.filling import rated, vacuum

    sizes = {"castle": 1000, "threes": players}
    for game, size in sizes.items():
        fill_players(size, f"{game}-")
        rated(game, f"{game}-", size)
    vacuum()
    for name, read in (("page", page), ("around me", around_me)):
        small, large = (median(read, game) for game in sizes)
        print(f"{name:<10} {small:6.2f} ms  {large:6.2f} ms  ratio {large / small:.2f}", flush=True)


def median(read: Callable[[str], None], game: str) -> float:
    """The median of some reads, in milliseconds."""
    read(game)
    taken = []
    for _ in range(PAGES):
        began = time.perf_counter()
        read(game)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def page(game: str) -> None:
    """A page that begins somewhere in the middle of the board."""
    from tournaments.leaderboards import selectors

    score = 1500 + random.randrange(-120, 120)
    selectors.board_page(game, "rating", "all", limit=50, after=(score, 50, 0, UUID(int=0)))


def around_me(game: str) -> None:
    """The page with a player in its middle."""
    from django.db import connection

    from tournaments.leaderboards import selectors

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player FROM leagues_entry WHERE game = %s AND generation = 1 AND period = 'all'"
            " AND board = 'rating' AND player > %s ORDER BY player LIMIT 1",
            [game, UUID(int=random.getrandbits(127))],
        )
        (player,) = cursor.fetchone()
    selectors.board_page(game, "rating", "all", limit=50, around=player)


def counting(games: int) -> None:
    """A league is filled, counted, voided at its start, and counted again."""
    from django.db import connection, transaction

    from core import log
    from tournaments.leaderboards import rebuilding
    from tournaments.leaderboards.models import League
    from tournaments.leaderboards.projection import update_boards
    from tournaments.leaderboards.stream import LEAGUE, RESULT, VOIDED

    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_player LIMIT %s", [POOL])
        pool = [row[0] for row in cursor.fetchall()]
    start, first = datetime(2026, 1, 1, tzinfo=UTC), str(uuid4())

    def event(number: int) -> log.NewEvent:
        people = [
            {"player": str(player), "place": place, "score": None, "lost_on_time": False}
            for place, player in enumerate(random.sample(pool, 4), 1)
        ]
        data = {
            "game_id": str(uuid4()) if number else first,
            "finished_at": log.time_text(start + timedelta(minutes=5 * number)),
            "rounds": None,
            "players": people,
        }
        return log.NewEvent(RESULT, data)

    def append(events: list[log.NewEvent]) -> None:
        actor = log.Actor("reactor", "benchmark")
        log.execute(LEAGUE, "tripp_jokes", lambda _: log.Decided(events, None), actor=actor, now=datetime.now(UTC))

    for number in range(0, games, 1000):
        with transaction.atomic():
            append([event(index) for index in range(number, min(number + 1000, games))])
    began = time.perf_counter()
    update_boards.catch_up()
    print(f"{games:,} results counted as they come: {time.perf_counter() - began:.1f} s", flush=True)
    append([log.NewEvent(VOIDED, {"game_id": first})])
    update_boards.catch_up()
    began = time.perf_counter()
    rebuilding.rebuild("tripp_jokes")
    print(f"the first of {games:,} results voided, all counted again: {time.perf_counter() - began:.1f} s")
    assert League.objects.get(pk="tripp_jokes").recompute is None


def delivering(games: int) -> None:
    """Finished games go into their league by two workers at once, and are then delivered a second time."""
    from django.db import connection, transaction

    from core import log
    from tournaments.leaderboards import rebuilding
    from tournaments.leaderboards.models import League, PlayerTally

    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_player LIMIT %s", [POOL])
        pool = [row[0] for row in cursor.fetchall()]
    for _ in range(games):
        people = random.sample(pool, 4)
        seats = [{"seat": seat, "player": str(player), "lost_on_time": False} for seat, player in enumerate(people)]
        placements = [{"seat": seat, "place": seat + 1, "score": seat} for seat in range(4)]
        data = {
            "game": "three_card",
            "rated": True,
            "rounds": None,
            "seats": seats,
            "result": {"ended_by": "out", "placements": placements},
        }
        with transaction.atomic():
            log.append(f"game-{uuid4()}", 0, [log.NewEvent("game.finished", data)], recorded_at=datetime.now(UTC))
    name = connection.settings_dict["NAME"]
    connection.close()
    for round_ in ("delivered to two workers", "delivered once more"):
        began = time.perf_counter()
        workers = [multiprocessing.get_context("spawn").Process(target=follow, args=(name,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        league = League.objects.get(pk="three_card")
        played = PlayerTally.objects.filter(game="three_card", period="all", generation=league.generation)
        counted = sum(played.values_list("games", flat=True))
        assert (league.counted, counted) == (games, 4 * games), (league.counted, counted)
        print(f"{games:,} results {round_}: each counted once, {time.perf_counter() - began:.1f} s", flush=True)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM log_checkpoint WHERE subscriber IN ('leagues', 'boards')")
    tallies = sorted(played.values_list("player", "mu", "sigma", "games", "beaten"))
    rebuilding.rebuild("three_card")
    again = PlayerTally.objects.filter(game="three_card", period="all", generation=league.generation + 1)
    assert sorted(again.values_list("player", "mu", "sigma", "games", "beaten")) == tallies
    print("the league read again from its start: the same")


def follow(database: str) -> None:
    """Follow the log until there is nothing left, as one of two workers."""
    import django

    django.setup()
    from django.db import connection

    from tournaments.leaderboards.projection import update_boards
    from tournaments.leaderboards.recording import record_result

    connection.settings_dict["NAME"] = database
    while record_result.lag() or update_boards.lag():
        record_result.catch_up()
        update_boards.catch_up()


if __name__ == "__main__":
    main()
