"""manage.py heartbeat: is a part of the service alive? For health checks."""

from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from core import clock as service_clock
from games.selectors import heartbeats
from games.services.outages import Part


class Command(BaseCommand):
    help = "Say how long ago a part of the service was last alive. Exit status 1 if that is too long."
    # A health check runs it every minute.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("part", choices=get_args(Part), help="the sweeper is alive if beat and a worker are")
        parser.add_argument("--within", type=int, default=60, metavar="SECONDS", help="default 60")

    def handle(self, *_: Any, part: str, within: int, **options: Any) -> None:
        last = heartbeats().get(part)
        if last is None:
            raise CommandError(f"The {part} has had no heartbeat yet.")
        age = (service_clock.now() - last).total_seconds()
        if age > within:
            raise CommandError(f"The last heartbeat of the {part} was {age:.0f} seconds ago.")
        self.stdout.write(f"The last heartbeat of the {part} was {max(age, 0):.0f} seconds ago.")
