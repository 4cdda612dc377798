from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.ops import backups


class Command(BaseCommand):
    help = "Restore a backup into a database that has no accounts and no events. Stop the service first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_: Any, file: Path, **options: Any) -> None:
        try:
            backups.restore(file)
        except backups.BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"The database is restored from {file}.")
