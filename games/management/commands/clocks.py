"""manage.py clocks: what is due, when the last sweep was, and the outages of the service."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.selectors import clock_status, recent_outages
from games.services.outages import SWEEPER, WEB


class Command(BaseCommand):
    help = "Show how many turns are overdue, the oldest of them, the last sweep and the latest outages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--alarm",
            type=int,
            metavar="SECONDS",
            help="exit status 1 if a turn has been late, or a part silent, for longer than this",
        )

    def handle(self, *_: Any, alarm: int | None = None, **options: Any) -> None:
        status = clock_status()
        self.stdout.write(f"due now         {status.due}")
        self.stdout.write(f"oldest overdue  {_length(status.oldest_overdue)}")
        self.stdout.write(f"last sweep      {_ago(status.age(SWEEPER))}")
        self.stdout.write(f"web last seen   {_ago(status.age(WEB))}")
        self.stdout.write(f"outages         {sum(status.outages.values())}")
        for outage in recent_outages():
            began, ended = (moment.isoformat(timespec="seconds") for moment in (outage.began_at, outage.ended_at))
            self.stdout.write(f"  {outage.part:8} {began} to {ended}, {_length(outage.ended_at - outage.began_at)}")
        if alarm is None:
            return
        ages = {"a turn": status.oldest_overdue, "the sweeper": status.age(SWEEPER), "the web": status.age(WEB)}
        late = [name for name, age in ages.items() if age is None or age > timedelta(seconds=alarm)]
        if late:
            raise CommandError(f"Nothing has been heard for more than {alarm} s from: {', '.join(late)}.")


def _length(length: timedelta) -> str:
    return str(timedelta(seconds=round(length.total_seconds())))


def _ago(age: timedelta | None) -> str:
    return "never" if age is None else f"{_length(age)} ago"
