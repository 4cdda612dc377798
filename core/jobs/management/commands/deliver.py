"""`manage.py deliver`: the process that does outbound jobs: mails and webhooks."""

import signal
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.jobs import services as work


class Command(BaseCommand):
    help = "Send what waits in the queue (mails, webhooks) until told to stop. Any number may run at once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--poll", type=float, default=1.0, metavar="SECONDS", help="look this often without Redis")
        parser.add_argument(
            "--check",
            type=float,
            metavar="SECONDS",
            help="fail when something that is due has waited longer than this; then leave",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"] is not None:
            _check(options["check"])
            self.stdout.write("Nothing waits in the queue for longer than it should.")
            return
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write("delivering")
        work.Deliverer().run(stop, options["poll"])


def _check(seconds: float) -> None:
    for row in work.figures():
        if row.oldest.total_seconds() > seconds:
            raise CommandError(f"{row.due} pieces of {row.kind} are due, the oldest for {row.oldest}.")
