"""manage.py rebuild: the rows of games, dropped and made again from the log."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.projections import game_ids, rebuild


class Command(BaseCommand):
    help = (
        "Drop the rows of games and make them again from the log, each in one transaction; players notice "
        "nothing. Tells every difference byte for byte; exit status 1 when there was one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", type=UUID, metavar="ID", help="games to rebuild")
        parser.add_argument("--all", action="store_true", help="every game there is")

    def handle(self, *_: Any, **options: Any) -> None:
        ids, every = options["ids"], options["all"]
        if bool(ids) == every:
            raise CommandError("Name the games to rebuild, or --all.")
        games = events = different = 0
        for game_id in game_ids() if every else ids:
            rebuilt = rebuild(game_id)
            if not rebuilt.events and not rebuilt.differences:
                raise CommandError(f"There is no game {game_id}.")
            games += 1
            events += rebuilt.events
            different += bool(rebuilt.differences)
            for difference in rebuilt.differences:
                self.stdout.write(f"{game_id} {difference}")
        self.stdout.write(f"{games} games rebuilt from {events} events, {different} of them differed.")
        if different:
            raise SystemExit(1)
