"""manage.py records: the records of finished games, for the lab."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.lab.runs import line_of
from games.models import Game
from games.rules import PLAYED
from games.selectors import records_of


class Command(BaseCommand):
    help = "Write the records of finished games, one per line, without names, in the order in which they finished."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", choices=PLAYED, help=", ".join(PLAYED))
        parser.add_argument("--since", type=_moment, help="only games that finished at this time or later")
        parser.add_argument("--until", type=_moment, help="only games that finished before this time")
        parser.add_argument("--tournament", type=_id, metavar="ID", help="only games of this tournament")
        parser.add_argument(
            "--people", action="store_true", help="only games without bots and without moves made by the clock"
        )

    def handle(
        self,
        *,
        game: str,
        since: datetime | None,
        until: datetime | None,
        tournament: UUID | None,
        people: bool,
        **_: Any,
    ) -> None:
        games = Game.objects.filter(game=game, status=Game.Status.FINISHED)
        if since:
            games = games.filter(finished_at__gte=since)
        if until:
            games = games.filter(finished_at__lt=until)
        if tournament:
            games = games.filter(tournament=tournament)
        written = 0
        for record in records_of(games.order_by("finished_at", "pk"), people=people):
            self.stdout.write(line_of(record), ending="")
            written += 1
        if not written:
            raise CommandError("No finished game matches.", returncode=2)
        sys.stderr.write(f"{written} records\n")


def _moment(text: str) -> datetime:
    """Return a day or a time, in UTC unless it names another zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is neither a day (2026-11-27) nor a time (2026-11-27T18:00Z)") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is not the id of a tournament") from None
