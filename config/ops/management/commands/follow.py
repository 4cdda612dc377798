import gc
import signal
from threading import Event, Thread
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from core import clock, log
from core.jobs import services as work


class Command(BaseCommand):
    help = (
        "Let projections and reactors follow the event log, and send emails and webhooks, until told to stop. "
        "Any number may run at once."
    )

    # `migrate` has just made them.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--poll", type=float, default=1.0, metavar="SECONDS", help="check this often without Redis")
        parser.add_argument(
            "--check",
            type=float,
            metavar="SECONDS",
            help="exit with an error if an event has waited longer than this for a subscriber that is not stuck",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        subscribers = log.subscribers()
        if options["check"] is not None:
            _check(subscribers, options["check"])
            self.stdout.write("All subscribers keep up with the log.")
            return
        stop = Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write("following the log: " + ", ".join(each.name for each in subscribers))
        # What was loaded so far stays, and is no garbage to look for: that takes a twelfth of the time under load.
        gc.collect()
        gc.freeze()
        # In a separate thread, so that a slow subscriber does not hold up mails, nor a slow receiver subscribers. If
        # either fails, the process ends and is started again: half of it would look as if all was well.
        deliverer = Thread(target=_deliver, args=(stop, options["poll"]), name="deliverer")
        deliverer.start()
        try:
            log.Follower(subscribers).follow(stop, options["poll"])
        finally:
            stop.set()
            deliverer.join()


def _deliver(stop: Event, poll_seconds: float) -> None:
    try:
        work.Deliverer().run(stop, poll_seconds)
    finally:
        stop.set()
        connections.close_all()


def _check(subscribers: list[log.Subscriber], seconds: float) -> None:
    now = clock.now()
    for lag in log.lags([subscriber.name for subscriber in subscribers]):
        # People have to mend a stuck bucket (there is an alarm); a restart would not help.
        if not lag.stuck and lag.age(now).total_seconds() > seconds:
            raise CommandError(f"{lag.subscriber} is {lag.events} events behind, {lag.age(now)} of time.")
