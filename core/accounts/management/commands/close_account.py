from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.accounts import services
from core.accounts.models import Player


class Command(BaseCommand):
    help = "Close an account for good. It leaves open rooms and resigns running games, and its name is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="close it; without this, only show the account")

    def handle(self, *_: Any, username: str, yes: bool, **options: Any) -> None:
        try:
            player = Player.objects.get_by_natural_key(username)
        except Player.DoesNotExist:
            raise CommandError(f"There is no account {username!r}.") from None
        described = f"{player.username} ({player.pk}), since {player.date_joined:%Y-%m-%d}"
        if not yes:
            self.stdout.write(f"{described}. To close this account, add --yes.")
            return
        services.close(player)
        self.stdout.write(f"Closed: {described}.")
