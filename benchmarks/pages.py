"""What the public page of a tournament costs, as multiples of `GET me`.

    python -m benchmarks.pages [--people 60] [--results 200] [--profile]

Services run a season of so many people until there are so many results, a tournament with rounds beside it, the same in
two stages, and the same before a cut. Then each page is asked for in turn with `GET me`: kept, as a 304, at a first
look (the seconds for which it is kept have passed), with a new name on it, and after a result. Printed is the processor
time that web and database spent on it (Linux, and a database on this machine), the median of several times, and what it
is of `GET me`. The exit status is 1 when a page that is kept takes more than 3 times that, a first look more than 10,
or a page has more than 150 kB. It runs in a database of its own, dropped at the end.
"""

import argparse
import cProfile
import os
import pstats
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

os.environ.setdefault("TREY_PROFILE", "looks")
os.environ.setdefault("TREY_LOG_LEVEL", "warning")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")

MOST_KEPT, MOST_FIRST, MOST_BYTES = 3.0, 10.0, 150_000
# A page's processor time is read from /proc in ticks of 10 ms, so many pages are counted together.
BATCH = 8


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--results", type=int, default=200)
    parser.add_argument("--times", type=int, default=7, help="of which the median counts")
    parser.add_argument("--profile", action="store_true", help="print where a first look spends its time")
    wanted = parser.parse_args()

    from benchmarks.ground import own_database

    with own_database():
        met = measure(wanted)
        print(f"load of the machine {os.getloadavg()[0]:.1f}")
    sys.exit(not met)


def season(organiser: Any, people: list[Any], results: int) -> UUID:
    """A season in which each game ended with a resignation."""
    from core import clock
    from games import services as rooms
    from tournaments import services

    ends = clock.now() + timedelta(days=30)
    asked = {"title": "Season", "game": "threes", "kind": "season", "opens_at": clock.now().isoformat()}
    done = services.set_up(organiser, {**asked, "closes_at": ends.isoformat()})
    assert done.tournament is not None
    pk = done.tournament.id
    services.open_registration(pk, organiser)
    for player in people:
        services.enter(pk, player)
    run()
    for number in range(results):
        turn = 1 + number // len(people)
        first, *others = (people[(number + step) % len(people)] for step in (0, turn, turn + len(people) // 2))
        room = services.open_game(pk, first, seats=3)
        for player in others:
            rooms.join(room.id, player)
        for player in others:
            rooms.play(room.id, player, {"move": "resign"})
    run()
    return pk


SETTINGS = {"rounds": 5, "tables": {"size": 4}}


def rounds(organiser: Any, people: list[Any], **asked: Any) -> UUID:
    """Three rounds, the last of which is open: of everybody, or of who goes on to a stage after two."""
    from games import services as rooms
    from games.models import Seat
    from tournaments import services
    from tournaments.models import TournamentGame

    done = services.set_up(organiser, {"title": "Cup", "game": "threes", **asked})
    assert done.tournament is not None
    pk = done.tournament.id
    services.open_registration(pk, organiser)
    for player in people:
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
    from tournaments import services

    while services.follow_games.catch_up() + services.run().done:
        pass


def measure(wanted: argparse.Namespace) -> bool:
    """Print a line for each page and way to look at it; returns whether the goals are met."""
    from django.db import connection
    from django.test import Client

    from benchmarks.ground import backend
    from core.accounts.login import tokens
    from core.accounts.models import Player
    from tournaments.models import Tournament

    organiser = Player.objects.create_user("organiser")
    people = [Player.objects.create_user(f"player{number}") for number in range(wanted.people)]
    began = time.perf_counter()
    first = {"kind": "rounds", "settings": {**SETTINGS, "rounds": 2}, "take": wanted.people // 2, "break": 0}
    made = {
        "season": season(organiser, people, wanted.results),
        "rounds": rounds(organiser, people, kind="rounds", settings=SETTINGS),
        "stages": rounds(organiser, people, stages=[first, {"kind": "rounds", "settings": SETTINGS}]),
        "cut": rounds(organiser, people, stages=[{**first, "settings": SETTINGS}, {"kind": "season", "lasts": 86_400}]),
    }
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"filled in {time.perf_counter() - began:.0f} s", flush=True)
    client = Client(headers={"authorization": f"Bearer {tokens.issue(people[0])[0]}"})
    me = partial(client.get, "/api/v1/me")
    process = backend()
    met = True
    print(f"{'page':<10} {'kB':>6} {'looked at':<14} {'processor ms':>12} {'times GET me':>13}")
    for name, pk in made.items():
        page = Page(f"/t/{Tournament.objects.get(pk=pk).slug}", pk, organiser, people[1], Client())
        size, etag = page.size_and_etag()
        ways: list[tuple[str, Callable[[], Any], Callable[[], Any] | None, float | None]] = [
            ("kept", page.look, None, MOST_KEPT),
            ("304", partial(page.look, etag), None, MOST_KEPT),
            ("first look", page.look, page.forget, MOST_FIRST),
            ("a new name", page.look, page.rename, None),
            ("after a result", page.look, page.rule, None),
        ]
        for way, act, before, most in ways:
            usual, cost = spent(wanted.times, process, me), spent(wanted.times, process, act, before)
            print(f"{name:<10} {size / 1000:>6.0f} {way:<14} {cost:>12.1f} {cost / usual:>13.1f}", flush=True)
            met = met and (most is None or cost / usual <= most) and size <= MOST_BYTES
        if wanted.profile:
            page.profile()
    return met


@dataclass
class Page:
    """The page of a tournament, and what changes it."""

    address: str
    pk: UUID
    organiser: Any
    player: Any
    reader: Any
    named: int = 0

    def look(self, etag: str | None = None) -> Any:
        """Ask for it as a browser does that has it (its ETag) or not."""
        return self.reader.get(self.address, headers={} if etag is None else {"If-None-Match": etag})

    def size_and_etag(self) -> tuple[int, str]:
        """Its bytes, and its ETag."""
        found = self.look()
        if found.status_code != 200 or self.look(found.headers["ETag"]).status_code != 304:
            sys.exit(f"{self.address}: {found.status_code}")
        return len(found.content), found.headers["ETag"]

    def forget(self) -> None:
        """The seconds for which it is kept have passed."""
        from tournaments.pages.kept import draw

        draw.cache_clear()

    def rename(self) -> None:
        """Somebody on it gets another name, and it is kept no more."""
        self.forget()
        self.named += 1
        type(self.player).objects.filter(pk=self.player.pk).update(username=f"renamed{self.named}")

    def rule(self) -> None:
        """The standings change."""
        from tournaments import services
        from tournaments.models import Tournament

        row = Tournament.objects.get(pk=self.pk)
        entrant = row.state.begun[-1].seeds[0] if row.state.begun else "e1"
        services.rule(
            self.pk, self.organiser, {"ruling": "adjust", "entrant": entrant, "points": "1", "reason": "a prize"}
        )

    def profile(self) -> None:
        """Print where ten first looks spend their time."""
        profile = cProfile.Profile()
        for _ in range(10):
            self.forget()
            profile.enable()
            self.look()
            profile.disable()
        pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def spent(times: int, process: Path, act: Callable[[], Any], before: Callable[[], Any] | None = None) -> float:
    """The median processor time of an act, in ms."""
    from benchmarks.ground import processor_seconds

    took_each = []
    for _ in range(times):
        took = 0.0
        for _ in range(BATCH):
            if before is not None:
                before()
            began = processor_seconds(process)
            act()
            took += processor_seconds(process) - began
        took_each.append(took * 1000 / BATCH)
    return statistics.median(took_each)


if __name__ == "__main__":
    main()
