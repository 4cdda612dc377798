"""`make demo TOURNAMENT=rounds`: people and bots play a tournament over HTTP, and its record proves the standings."""

import time
from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text
from trey import Trey

from games.management.commands.demo import people_at, plays, run_offline

Json = dict[str, Any]
NAMES = ("ada", "bob", "cleo", "dan")
BOTS = 8
LIMIT_SECONDS = 600
SEASON_GAMES = 2  # opened by each person
KINDS: dict[str, Json] = {
    "rounds": {"settings": {"rounds": 2, "tables": {"size": 4}}},
    "knockout": {"settings": {"tables": {"size": 4}, "advance": 2}},
    "season": {"settings": {}},
}


class Command(BaseCommand):
    help = "Play a tournament of Threes between people and bots over HTTP on a running server (make run)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--kind", default="rounds", choices=sorted(KINDS))
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the server is")

    def handle(self, *, kind: str, url: str, **_: Any) -> None:
        with people_at(url, ("olga", *NAMES)) as (organiser, *people):
            Demo(kind, organiser, people).run()


class Demo:
    """One tournament, from its set-up to the proof of its standings."""

    def __init__(self, kind: str, organiser: Trey, people: list[Trey]) -> None:
        self.kind, self.organiser, self.people = kind, organiser, people
        self.console = Console(highlight=False)
        self.ends = time.monotonic() + LIMIT_SECONDS
        self.moves = 0
        self.told = self.version = 0
        self.rows: list[Json] = []

    def run(self) -> None:
        self.set_up()
        with Live(console=self.console, refresh_per_second=4, transient=True) as live:
            self.open_rooms()
            while (tournament := self.now())["status"] == "running":
                self.look(tournament)
                live.update(self.picture(tournament))
                if not self.play_turns() and self.kind == "season" and self.is_season_played():
                    self.organiser.finish_tournament(self.id)
                if time.monotonic() > self.ends:
                    raise CommandError(f"The tournament {self.id} is not over after {LIMIT_SECONDS} seconds.")
        self.look(tournament)
        self.console.print(self.picture(tournament))
        self.prove(tournament)

    def set_up(self) -> None:
        asked: Any = {
            "title": f"Demo: {self.kind}",
            "game": "threes",
            "kind": self.kind,
            "rated": False,
            **KINDS[self.kind],
        }
        if self.kind == "season":
            now = datetime.now(UTC)
            asked |= {"opens_at": now.isoformat(), "closes_at": (now + timedelta(days=1)).isoformat()}
        tournament = self.organiser.set_up_tournament(**asked)
        self.id = tournament["id"]
        self.organiser.open_registration(self.id)
        for person in self.people:
            person.enter_tournament(self.id)
        self.bots = [self.organiser.enter_tournament(self.id, bot="steady")["entrant"] for _ in range(BOTS)]
        if self.kind != "season":
            self.organiser.start_tournament(self.id)
        while self.now()["status"] != "running":
            time.sleep(0.2)  # a season begins by itself
        self.console.print(
            f"{asked['title']}: {len(self.people)} people and {BOTS} bots, {tournament['share_url']}\n"
            "decided by: what sets an entrant apart from the one above",
            soft_wrap=True,
        )

    def open_rooms(self) -> None:
        """In a season people open games whenever they like: here some with bots, different ones each time."""
        if self.kind != "season":
            return
        for number in range(SEASON_GAMES):
            for index, person in enumerate(self.people):
                first = (3 * (index + len(self.people) * number)) % BOTS
                chosen = [self.bots[(first + step) % BOTS] for step in range(3)]
                person.open_season_game(self.id, seats=4, bots=chosen)

    def now(self) -> Json:
        return dict(self.organiser.get_tournament(self.id))

    def is_season_played(self) -> bool:
        games = self.organiser.pages(self.organiser.list_tournament_games, self.id, limit=100)
        wanted = SEASON_GAMES * len(self.people)
        return sum(1 for game in games if game["status"] == "counted") == wanted

    def play_turns(self) -> bool:
        played = False
        for person in self.people:
            for game in person.list_my_turns()["results"]:
                played |= self.move(person, game["id"])
        if not played:
            time.sleep(0.2)  # the bots are playing
        return played

    def move(self, person: Trey, game_id: str) -> bool:
        played = plays(person, person.get_game(game_id)) is not None
        self.moves += played
        return played

    def look(self, tournament: Json) -> None:
        """Read the standings again, and say what happened, if anything did."""
        if tournament["version"] != self.version:
            self.version = tournament["version"]
            rows: list[Any] = list(self.organiser.pages(self.organiser.get_standings, self.id))
            self.rows = rows
            self.tell()

    def tell(self) -> None:
        """Say what has been recorded since the last time: rounds and results."""
        record: Any = self.organiser.get_tournament_record(self.id)
        names = {line["entrant"]: f"{line['name']} ({line['entrant']})" for line in record["log"] if "name" in line}
        for line in record["log"][self.told :]:
            if line["type"] == "seated":
                self.console.print(f"Round {line['round']} is seated; tables: {len(line['tables'])}.")
            elif line["type"] == "result":
                where = "A game" if line.get("round") is None else f"Round {line['round']}, table {line['table']}"
                ranked = sorted(line["players"], key=lambda row: int(row["place"]))
                places = ", ".join(f"{row['place']}. {names[row['entrant']]}" for row in ranked)
                self.console.print(f"{where}: {places}", soft_wrap=True)
        self.told = len(record["log"])

    def picture(self, tournament: Json) -> Group:
        shown = Table("", "entrant", "total", "games", "decided by", box=None)
        for row in self.rows:
            place = "" if row["place"] is None else str(row["place"])
            name = f"{row['name']} ({row['entrant']})"
            shown.add_row(place, name, row["total"] or "", str(row["games"]), row["decided_by"] or "")
        rounds = f"round {tournament['round']}" + (f" of {tournament['rounds']}" if tournament["rounds"] else "")
        state = f"{tournament['status']}, {rounds if self.kind != 'season' else 'season'}"
        return Group(Text(f"{state}; people have made {self.moves} moves over HTTP"), shown)

    def prove(self, tournament: Json) -> None:
        record: Any = self.organiser.get_tournament_record(self.id)
        computed, file = run_offline(record, f"trey-tournament-{self.id}.json", "tournaments.rules", "standings")
        served = list(self.organiser.pages(self.organiser.get_standings, self.id))
        if computed["standings"] != served:
            raise CommandError(f"The record {file} gives different standings.")
        self.console.print(
            f"\nThe record ({len(record['log'])} lines) gives the same standings offline:\n"
            f"  .venv/bin/python -m tournaments.rules standings {file}\nThe page: {tournament['share_url']}",
            soft_wrap=True,
        )
