"""`manage.py log`: prove the log, publish its heads, export it."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import log

_HEAD = re.compile(r"([a-z][a-z0-9_-]*) ([1-9][0-9]*) ([0-9a-f]{64})")


class Command(BaseCommand):
    help = "Verify the event log, print its heads to publish them, or export its events."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        verify = acts.add_parser("verify", help="say what is wrong with the log; exit 1 if anything is")
        verify.add_argument("stream", nargs="?", help="this stream only, such as game-<id>")
        verify.add_argument("--heads", type=Path, help="a file of heads published earlier: they must still be there")
        verify.add_argument("--export", type=Path, help="verify this export instead of the database")
        acts.add_parser("heads", help="print the head of every stream: name, version, digest; gives nothing away")
        export = acts.add_parser("export", help="print events as JSON, a line each; HIDDEN CARDS AND NONCES INCLUDED")
        export.add_argument("stream", nargs="?", help="this stream only")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "heads":
            for head in log.heads():
                self.stdout.write(f"{head.stream} {head.version} {head.digest}")
        elif options["act"] == "export":
            for line in log.export(options["stream"]):
                self.stdout.write(line)
        else:
            self._verify(options["stream"], options["heads"], options["export"])

    def _verify(self, stream: str | None, heads: Path | None, export: Path | None) -> None:
        if stream and export:
            raise CommandError("Name a stream or an export, not both.")
        published = list(_heads(heads)) if heads else []
        problems: Iterable[str]
        if export:
            try:
                problems = log.verify_export(_lines(export), published)
            except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
                raise CommandError(f"{export} is no export of the log: {error}") from None
        else:
            problems = log.verify(stream, published) if stream else log.verify_all(published)
        sound = True
        for problem in problems:
            sound = False
            self.stdout.write(problem)
        if not sound:
            raise CommandError("The log is not what was recorded.")
        self.stdout.write("The log is sound.")


def _heads(path: Path) -> Iterator[log.Head]:
    for number, line in enumerate(_lines(path), 1):
        match = _HEAD.fullmatch(line)
        if match is None:
            raise CommandError(f"{path}, line {number}: not a head (name, version, digest).")
        yield log.Head(match[1], int(match[2]), match[3])


def _lines(path: Path) -> list[str]:
    try:
        # Not splitlines: canonical JSON holds other separators of lines, such as U+2028, as they are.
        return [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
