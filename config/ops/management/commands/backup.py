from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.ops import backups, models


class Command(BaseCommand):
    help = "Back up the database with pg_dump, at any time. `restore` restores it; see docs/operate/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        database = acts.add_parser("database", help="everything")
        database.add_argument("file", type=Path)
        note = acts.add_parser("note", help="tell `doctor` that a backup was made in another way")
        note.add_argument("detail", nargs="?", default="in another way")

    def handle(self, *_: Any, file: Path | None = None, detail: str = "", **options: Any) -> None:
        if file is None:
            models.done(models.BACKUP, detail)
            self.stdout.write("Recorded that a backup has just been made.")
            return
        try:
            backups.dump(file)
        except backups.BackupError as error:
            models.failed(models.BACKUP, str(error))
            raise CommandError(str(error)) from None
        models.done(models.BACKUP, f"the database to {file}")
        self.stdout.write(f"The database is in {file}.")
