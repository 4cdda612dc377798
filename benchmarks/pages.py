"""What the public page of a tournament costs, as multiples of `GET me`.

    python -m benchmarks.pages [--people 60] [--results 200]

Services run a season of so many people until there are so many results, a tournament with rounds beside it, the same in
two stages, and the same before a cut. Then each page is asked for in turn with `GET me`: kept, as a 304, and at a first
look (the seconds for which it is kept have passed). Printed is the processor time that web and database spent on it
(the database is on this machine), the median of several times, and what it is of `GET me`. The exit status is 1 when a
page that is kept takes more than 3 times that, a first look more than 10, or a page has more than 150 kB. It runs in a
database of its own, dropped at the end.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import connection
from django.test import Client

from benchmarks.ground import backend, of, own_databases, people, spent_with
from core import clock
from core.accounts.models import Player
from games import services as rooms
from games.models import Seat
from tournaments import services
from tournaments.models import Tournament, TournamentGame
from tournaments.pages import kept

MOST_KEPT, MOST_FIRST, MOST_BYTES = 3.0, 10.0, 150_000
# A page's processor time is read from /proc in ticks of 10 ms, so many pages are counted together.
BATCH = 8


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--results", type=int, default=200)
    parser.add_argument("--times", type=int, default=7, help="of which the median counts")
    wanted = parser.parse_args()
    with own_databases("benchmark_pages"), of("benchmark_pages"):
        met = measure(wanted)
        print(f"load of the machine {os.getloadavg()[0]:.1f}")
    sys.exit(not met)


def season(organiser: Any, entrants: list[Any], results: int) -> UUID:
    """A season in which each game ended with a resignation."""
    ends = clock.now() + timedelta(days=30)
    asked = {"title": "Season", "game": "threes", "kind": "season", "opens_at": clock.now().isoformat()}
    done = services.set_up(organiser, {**asked, "closes_at": ends.isoformat()})
    assert done.tournament is not None
    pk = done.tournament.id
    services.open_registration(pk, organiser)
    for player in entrants:
        services.enter(pk, player)
    run()
    for number in range(results):
        turn = 1 + number // len(entrants)
        first, *others = (entrants[(number + step) % len(entrants)] for step in (0, turn, turn + len(entrants) // 2))
        room = services.open_game(pk, first, seats=3)
        for player in others:
            rooms.join(room.id, player)
        for player in others:
            rooms.play(room.id, player, {"move": "resign"})
    run()
    return pk


SETTINGS = {"rounds": 5, "tables": {"size": 4}}


def rounds(organiser: Any, entrants: list[Any], **asked: Any) -> UUID:
    """Three rounds, the last of which is open: of everybody, or of who goes on to a stage after two."""
    done = services.set_up(organiser, {"title": "Cup", "game": "threes", **asked})
    assert done.tournament is not None
    pk = done.tournament.id
    services.open_registration(pk, organiser)
    for player in entrants:
        services.enter(pk, player)
    services.start(pk, organiser)
    for number in (1, 2, 3):
        run()
        for game in TournamentGame.objects.filter(tournament=pk, outcome="open") if number < 3 else ():
            for seat in Seat.objects.filter(game=game.game, index__gt=0).select_related("player"):
                assert seat.player is not None
                rooms.play(game.game, seat.player, {"move": "resign"})
    return pk


def run() -> None:
    """Let the runner do what is due."""
    while services.follow_games.catch_up() + services.run().done:
        pass


def measure(wanted: argparse.Namespace) -> bool:
    """Print a line for each page and way to look at it; returns whether the goals are met."""
    organiser = Player.objects.create_user("organiser")
    entrants, bearers = people(wanted.people)
    began = time.perf_counter()
    first = {"kind": "rounds", "settings": {**SETTINGS, "rounds": 2}, "take": wanted.people // 2, "break": 0}
    made = {
        "season": season(organiser, entrants, wanted.results),
        "rounds": rounds(organiser, entrants, kind="rounds", settings=SETTINGS),
        "stages": rounds(organiser, entrants, stages=[first, {"kind": "rounds", "settings": SETTINGS}]),
        "cut": rounds(
            organiser, entrants, stages=[{**first, "settings": SETTINGS}, {"kind": "season", "lasts": 86_400}]
        ),
    }
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"filled in {time.perf_counter() - began:.0f} s", flush=True)
    client = Client(headers={"authorization": f"Bearer {bearers[0]}"}, SERVER_NAME="127.0.0.1")
    me = partial(client.get, "/api/v1/me")
    met = True
    print(f"{'page':<10} {'kB':>6} {'looked at':<14} {'processor ms':>12} {'times GET me':>13}")
    for name, pk in made.items():
        address, reader = f"/t/{Tournament.objects.get(pk=pk).slug}", Client(SERVER_NAME="127.0.0.1")
        look = partial(reader.get, address)
        found = look()
        again = partial(look, headers={"If-None-Match": found.headers["ETag"]})
        if (found.status_code, again().status_code) != (200, 304):
            sys.exit(f"{address}: {found.status_code}")
        size = len(found.content)
        for way, act, most in (("kept", look, MOST_KEPT), ("304", again, MOST_KEPT), ("first look", look, MOST_FIRST)):
            before = kept.draw.cache_clear if way == "first look" else None
            usual, cost = spent(wanted.times, me), spent(wanted.times, act, before)
            print(f"{name:<10} {size / 1000:>6.0f} {way:<14} {cost:>12.1f} {cost / usual:>13.1f}", flush=True)
            met = met and cost / usual <= most and size <= MOST_BYTES
    return met


def spent(times: int, act: Callable[[], Any], before: Callable[[], Any] | None = None) -> float:
    """The median processor time of an act, in ms."""
    took_each, process = [], backend()
    for _ in range(times):
        took = 0.0
        for _ in range(BATCH):
            if before is not None:
                before()
            began = spent_with(process)
            act()
            took += spent_with(process) - began
        took_each.append(took * 1000 / BATCH)
    return statistics.median(took_each)


if __name__ == "__main__":
    main()
