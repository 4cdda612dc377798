"""What the service takes: disk for a thousand games of each kind, and memory of each process.

    python benchmarks/footprint.py disk [--games 10] [--seats 4] [GAME ...]
    python benchmarks/footprint.py memory

The first form plays so many games of each kind to their end, between people who choose as a steady bot would, through
the service, in a database of its own. After VACUUM FULL it tells what the tables and their indexes have grown by, as
for a thousand games: the log, the rows of games, ratings and boards. Answers kept for Idempotency-Keys come on top.

The second form reads the memory of the processes of `make run`, which must be running: resident (RSS), and the share
that is the process's own (PSS), in which what several processes share counts once. It reads PSS on Linux only, for the
same user or as root.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

if TYPE_CHECKING:
    from core.accounts.models import Player

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

GROUPS = {"log": ("log_",), "rows": ("games_",), "ratings": ("leagues_",)}
_SIZES = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def disk(kinds: list[str], games: int, seats: int) -> None:
    """Play, and print megabytes as of a thousand games."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    from config.running import embedded
    from core.accounts.models import Player
    from games.rules import GAMES

    given = bool(os.environ.get("DATABASE_URL")), bool(os.environ.get("REDIS_URL"))
    with embedded.started(settings.PLACE, with_postgres=not given[0], with_redis=not given[1]):
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            people = [Player.objects.create_user(f"player-{number}") for number in range(50)]
            print(f"{'a thousand games of':<20}{'moves':>8}{'events':>8}{'log':>9}{'rows':>9}{'ratings':>9}  (MB)")
            # The first pages of tables are no part of a game.
            played("castle", 1, seats, people)
            for game in kinds or GAMES:
                before = sizes()
                moves, events = played(game, games, seats, people)
                grown = {group: after - before[group] for group, after in sizes().items()}
                figures = "".join(f"{grown[group] * 1000 / games / 2**20:9.1f}" for group in GROUPS)
                print(f"{game:<20}{moves / games:8.0f}{events / games:8.0f}{figures}", flush=True)
        finally:
            connection.creation.destroy_test_db(settings.DATABASES["default"]["NAME"], verbosity=0)


def played(game: str, count: int, seats: int, people: list[Any]) -> tuple[int, int]:
    """Play so many games to their end; return how many moves and events they had."""
    from core import log
    from games import services
    from games.projections import GAME
    from games.projections.loading import load
    from games.services.bots import choice_of
    from tournaments.leaderboards.projection import update_boards
    from tournaments.leaderboards.recording import record_result

    moves = events = 0
    for number in range(count):
        game_id = uuid4()
        at_table = [services.Entry(player=people[(number * seats + seat) % len(people)]) for seat in range(seats)]
        services.open_table(game_id, at_table, game=game, actor=log.Actor("service"))
        while (game_now := load(game_id)) is not None and game_now.is_running:
            index = next(index for index, seat in enumerate(game_now.players) if seat.duty is not None)
            player = cast("Player", game_now.account_of(game_now.players[index]))
            services.play(game_id, player, choice_of(game_now, index, "steady"))
            moves += 1
        head = log.head(f"{GAME.name}-{game_id}")
        events += head.version if head is not None else 0
    record_result.catch_up()
    update_boards.catch_up()
    return moves, events


def sizes() -> Counter[str]:
    """Bytes of the groups of tables, without dead rows."""
    from django.db import connection

    found: Counter[str] = Counter()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(_SIZES)
        for name, size in cursor.fetchall():
            for group, prefixes in GROUPS.items():
                if name.startswith(prefixes):
                    found[group] += size
    return found


def memory() -> None:
    """Print the memory of each process of `make run`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import psutil
    from django.conf import settings

    total: Counter[str] = Counter()
    print(f"{'process':<40}{'RSS':>8}{'PSS':>8}  (MB)")
    for name, process in processes(settings.PLACE):
        try:
            full = process.memory_full_info()
        except psutil.Error:
            continue
        total.update(rss=full.rss, pss=full.pss)
        print(f"{name:<40}{full.rss / 2**20:8.0f}{full.pss / 2**20:8.0f}")
    print(f"{'all':<40}{'':>8}{total['pss'] / 2**20:8.0f}")


def processes(place: Any) -> Iterator[tuple[str, Any]]:
    """The supervisor and what it has started, PostgreSQL and Redis, each with a name."""
    import psutil

    from config.running.embedded import remains

    supervisor = psutil.Process(int((place.root / "run.lock").read_text(encoding="ascii")))
    yield "supervisor", supervisor
    for child in sorted(supervisor.children(), key=lambda each: each.pid):
        name = next((part for part in ("granian", "worker", "follow", "beat") if part in child.cmdline()), child.name())
        yield name, child
        for grandchild in child.children(recursive=True):
            yield f"  {name}, child", grandchild
    for process in remains.of(place.postgres, "postgres"):
        yield f"postgres: {' '.join(process.cmdline())[10:38]}" if process.ppid() != 1 else "postgres", process
    for process in remains.of(place.redis):
        yield "redis", process


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    acts = parser.add_subparsers(dest="what", required=True)
    playing = acts.add_parser("disk")
    playing.add_argument("kinds", nargs="*", metavar="GAME")
    playing.add_argument("--games", type=int, default=10)
    playing.add_argument("--seats", type=int, default=4)
    acts.add_parser("memory")
    wanted = parser.parse_args()
    if wanted.what == "memory":
        memory()
        return
    begun = time.monotonic()
    disk(wanted.kinds, wanted.games, wanted.seats)
    print(f"({time.monotonic() - begun:.0f} s)")


if __name__ == "__main__":
    main()
