"""manage.py backup: dump the database, or the accounts alone, by pg_dump."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.ops import backups, upkeep


class Command(BaseCommand):
    help = "Back up the database by pg_dump, while the service runs. `restore` brings it back; docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        database = acts.add_parser("database", help="everything")
        accounts = acts.add_parser(
            "accounts", help="what an export of the log leaves out: accounts, tokens, the audit log"
        )
        for act in (database, accounts):
            act.add_argument("file", type=Path)
        note = acts.add_parser("note", help="tell `doctor` that a backup was made by other means")
        note.add_argument("detail", nargs="?", default="by other means")

    def handle(self, *_: Any, act: str, file: Path | None = None, detail: str = "", **options: Any) -> None:
        if file is None:
            upkeep.done(upkeep.BACKUP, detail)
            self.stdout.write("It is written down that a backup was made now.")
            return
        try:
            backups.dump(file, accounts_only=act == "accounts")
        except backups.BackupError as error:
            upkeep.failed(upkeep.BACKUP, str(error))
            raise CommandError(str(error)) from None
        if act == "database":
            upkeep.done(upkeep.BACKUP, f"the database to {file}")
        self.stdout.write(f"The {act} {'is' if act == 'database' else 'are'} in {file}.")
