"""`make demo`: players sign up and play a whole game over HTTP, and the exported record is verified offline."""

import json
import logging
import secrets
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.live import Live
from rich.text import Text
from trey import Problem, Trey

from games import bots
from games.events import numbered
from games.rules import GAMES, notation

NAMES = ("ada", "bob", "cleo", "dan", "eve", "finn", "gus", "hana")


class Command(BaseCommand):
    help = "Let players sign up and play a whole game over HTTP on a running server (make run), and show the table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", default="threes", help=f"one of {', '.join(GAMES)}")
        parser.add_argument("--players", type=int, default=4)
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the server is")
        parser.add_argument("--pace", type=float, default=0.0, help="seconds to wait after each move")

    def handle(self, *, game: str, players: int, url: str, pace: float, **_: Any) -> None:
        if game not in GAMES:
            raise CommandError(f"There is no game {game}; there are {', '.join(GAMES)}.")
        rules = GAMES[game]
        if not rules.min_seats <= players <= min(rules.max_seats, len(NAMES)):
            most = min(rules.max_seats, len(NAMES))
            raise CommandError(f"{rules.title} is played here by {rules.min_seats} to {most} players, not {players}.")
        with people_at(url, NAMES[:players]) as people:
            Demo(game, pace, people, NAMES[:players]).run()


class Demo:
    """One game between players who know nothing but what the API tells each of them."""

    def __init__(self, game: str, pace: float, people: list[Trey], names: Sequence[str]) -> None:
        self.game, self.pace, self.people, self.names = game, pace, people, list(names)
        self.console = Console(highlight=False)

    def run(self) -> None:
        opener, *others = self.people
        asked: Any = {"game": self.game, "seats": len(self.people)}
        self.id = opener.open_room(**asked)["id"]
        for person in others:
            person.join_game(self.id)
        opener.start_game(self.id)
        self.console.print(f"{GAMES[self.game].title}: game {self.id}, {len(self.people)} players, over HTTP")
        tables = self.tables()
        self.console.print(notation.marks(tables[0]["view"]), soft_wrap=True)
        with Live(console=self.console, refresh_per_second=12, transient=True) as live:
            while tables[0]["status"] not in {"finished", "cancelled"}:
                self.next_move(tables)
                tables = self.tables()
                live.update(self.picture(tables))
                time.sleep(self.pace)
        self.console.print(self.picture(tables))
        self.show_places(tables[0])
        self.prove_record(tables[0])

    def tables(self) -> list[Any]:
        return [person.get_game(self.id) for person in self.people]

    def next_move(self, tables: list[dict[str, Any]]) -> None:
        asked = sorted(range(len(tables)), key=lambda seat: seat in tables[0]["to_act"])
        for seat in asked:
            view = tables[seat]["view"]
            if seat in {*view["to_act"], *view["may_interrupt"]}:
                answer = plays(self.people[seat], tables[seat])
                for event in answer["events"]:
                    self.console.print(numbered(event, self.names), soft_wrap=True)
                return
        raise CommandError(f"The game {self.id} is not waiting for anybody: {json.dumps(tables[0])}")

    def picture(self, tables: list[dict[str, Any]]) -> Text:
        players = [table["view"]["players"][seat] for seat, table in enumerate(tables)]
        shown = notation.table(tables[0]["view"] | {"players": players}, self.names)
        return Text(f"\nversion {tables[0]['version']} · {shown}")

    def show_places(self, table: dict[str, Any]) -> None:
        view = table["view"]
        self.console.print(f"\nThe game is over ({view['result']['ended_by']}):\n{notation.result(view, self.names)}")

    def prove_record(self, table: dict[str, Any]) -> None:
        record: Any = self.people[0].get_record(self.id)
        replayed, file = run_offline(record, f"trey-{self.id}.json", "games.rules", "replay")
        if replayed["view"]["result"] != table["view"]["result"]:
            raise CommandError(f"The record {file} replays to a different result.")
        self.console.print(
            f"\nThe record ({replayed['applied']} moves) replays offline to the same result:\n"
            f"  .venv/bin/python -m games.rules replay {file}",
            soft_wrap=True,
        )


def run_offline(record: dict[str, Any], name: str, module: str, command: str) -> tuple[dict[str, Any], Path]:
    """Write a record to a temporary file and have a rules module read it; return the answer and the file.

    Raises CommandError if the record is refused.
    """
    file = Path(tempfile.gettempdir()) / name
    file.write_text(json.dumps(record), encoding="utf-8")
    arguments = [sys.executable, "-m", module, command, str(file)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603 (our own module)
    if done.returncode:
        raise CommandError(f"The record is refused: {done.stderr.strip() or done.stdout.strip()}")
    return json.loads(done.stdout), file


def plays(person: Trey, game: Any) -> Any:
    """The answer to a move as the steady bot chooses it, or None where there is none to make."""
    listed = person.legal_moves(game["id"])["moves"]
    legal = [{key: value for key, value in entry.items() if key != "send"} for entry in listed]
    if not legal:
        return None
    view, seed = game["view"], f"{game['id']} {game['version']}"
    move: Any = bots.choose("steady", GAMES[view["game"]], view, legal, seed)
    return person.play_move(game["id"], move)


@contextmanager
def people_at(url: str, names: Sequence[str]) -> Iterator[list[Trey]]:
    """Players who have just signed up there. Raises CommandError if no server responds, or it refuses a call."""
    logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each request would bury the table
    suffix, password = secrets.token_hex(3), secrets.token_urlsafe(12)
    try:
        with ExitStack() as all_of_them:
            people = [all_of_them.enter_context(Trey(url)) for _ in names]
            for person, name in zip(people, names, strict=True):
                person.sign_up(username=f"{name}-{suffix}", password=password)
                person.log_in(f"{name}-{suffix}", password)
            yield people
    except Problem as no:
        raise CommandError(f"{no.detail} ({no.code})") from None
    except httpx.TransportError as error:
        raise CommandError(f"No server responds at {url} ({error}). Start one with make run.") from None
