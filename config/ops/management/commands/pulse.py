"""`manage.py pulse`: do beat and a worker work?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from redis import RedisError

from config.ops.tasks import pulse_age


class Command(BaseCommand):
    help = "Says how long ago beat and a worker last showed that they work; fails when it is too long."
    # It is asked every minute by a health check.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--within", type=float, default=60, help="seconds that may have passed (default 60)")

    def handle(self, *args: Any, within: float, **options: Any) -> None:
        try:
            age = pulse_age()
        except (RedisError, OSError):
            raise CommandError("Redis does not answer.") from None
        if age is None:
            raise CommandError("There was no pulse yet.")
        if age > within:
            raise CommandError(f"The last pulse was {age:.0f} seconds ago.")
        self.stdout.write(f"The last pulse was {age:.0f} seconds ago.")
