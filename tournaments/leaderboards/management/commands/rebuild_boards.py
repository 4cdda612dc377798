"""manage.py rebuild_boards [GAME]: rebuild ratings and boards from the league's stream."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from games.rules.words import counted
from tournaments.leaderboards import rebuilding
from tournaments.leaderboards.models import League


class Command(BaseCommand):
    help = "Rebuild ratings and boards from their league's stream, while results keep coming in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="?", help="one game (default: all)")
        parser.add_argument(
            "--check", action="store_true", help="show the differences, and leave the boards as they are"
        )

    def handle(self, *, game: str | None, check: bool, **_: Any) -> None:
        games = sorted(League.objects.values_list("game", flat=True))
        if game is not None and game not in games:
            raise CommandError(f"There is no league of {game}. Choose from: {', '.join(games) or 'none'}.")
        if check:
            self._check([game] if game else games)
            return
        with Progress(console=Console(stderr=True)) as progress:
            for name in [game] if game else games:
                task = progress.add_task(name, total=None)

                def report(counted: int, events: int, task: Any = task) -> None:
                    progress.update(task, completed=counted, total=events)

                events = rebuilding.rebuild(name, report=report)
                self.stdout.write(f"{name}: {counted(events, 'event')} read")

    def _check(self, games: list[str]) -> None:
        different = 0
        for game in games:
            found = rebuilding.differences(game)
            different += len(found)
            for line in found:
                self.stdout.write(f"{game}, {line}")
            self.stdout.write(f"{game}: {len(found)} rows differ from the league's stream.")
        if different:
            raise CommandError("Rebuild them with `manage.py rebuild_boards`.")
