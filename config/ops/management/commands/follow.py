import signal
from threading import Event, Thread
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from core import clock, log
from core.jobs import services as work


class Command(BaseCommand):
    help = (
        "Let projections and reactors follow the event log, and send mails and webhooks, until told to stop. "
        "Any number may run at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--only", action="append", metavar="NAME", help="this subscriber only, and send nothing; may be repeated"
        )
        parser.add_argument("--poll", type=float, default=1.0, metavar="SECONDS", help="look this often without Redis")
        parser.add_argument(
            "--check",
            type=float,
            metavar="SECONDS",
            help="fail when an event waits longer than this for a subscriber that is not stuck; then leave",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = _chosen(options["only"])
        if options["check"] is not None:
            _check(chosen, options["check"])
            self.stdout.write("All subscribers keep up with the log.")
            return
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write("following the log: " + (", ".join(each.name for each in chosen) or "no subscribers"))
        if options["only"]:
            log.Follower(chosen).follow(stop, options["poll"])
            return
        # In a separate thread, so that a slow subscriber does not hold up mails, nor a slow receiver subscribers. If
        # either fails, the process ends and is started again: half of it would look as if all was well.
        deliverer = Thread(target=_deliver, args=(stop, options["poll"]), name="deliverer")
        deliverer.start()
        try:
            log.Follower(chosen).follow(stop, options["poll"])
        finally:
            stop.set()
            deliverer.join()


def _deliver(stop: Event, poll_seconds: float) -> None:
    try:
        work.Deliverer().run(stop, poll_seconds)
    finally:
        stop.set()
        connections.close_all()


def _chosen(names: list[str] | None) -> list[log.Subscriber]:
    known = {subscriber.name: subscriber for subscriber in log.subscribers()}
    if unknown := [name for name in names or () if name not in known]:
        raise CommandError(f"There is no subscriber {unknown[0]!r}. There are: {', '.join(known) or 'none'}.")
    return [known[name] for name in names or known]


def _check(chosen: list[log.Subscriber], seconds: float) -> None:
    now = clock.now()
    for lag in log.lags([subscriber.name for subscriber in chosen]):
        # People have to mend a stuck bucket (there is an alarm); a restart would not help.
        if not lag.stuck and lag.age(now).total_seconds() > seconds:
            raise CommandError(f"{lag.subscriber} is {lag.events} events behind, {lag.age(now)} of time.")
