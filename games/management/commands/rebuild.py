"""manage.py rebuild: drop the rows of games, tournaments and leagues, and make them again from the log."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core import log
from games.rules.words import counted
from games.services.rebuilding import behind, make_the_others

Kind = log.Rebuildable[Any]


class Command(BaseCommand):
    help = (
        "Rebuild the rows of games, tournaments and leagues from the log, each in one transaction; players notice "
        "nothing. Shows every difference byte for byte; exit status 1 if there was one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", type=UUID, metavar="ID", help="the games and tournaments to rebuild")
        parser.add_argument("--all", action="store_true", help="rebuild all of them")
        parser.add_argument(
            "--running",
            action="store_true",
            help="rebuild what is not over and has rows that are missing, behind, or older than an upgrade "
            "(`migrate` does this); the service rebuilds the others one by one",
        )
        parser.add_argument("--check", action="store_true", help="show the differences, and leave the rows as they are")

    def handle(self, *_: Any, **options: Any) -> None:
        ids, every, running = options["ids"], options["all"], options["running"]
        rebuild = log.differences if options["check"] else _rebuild
        if [bool(ids), every, running].count(True) != 1:
            raise CommandError("Name the games and tournaments to rebuild, or --all, or --running.")
        done: Counter[str] = Counter()
        events: Counter[str] = Counter()
        different: Counter[str] = Counter()
        for kind, stream_id in behind(running=True) if running else _all() if every else map(_named, ids):
            rebuilt = rebuild(kind, stream_id)
            done[kind.name] += 1
            events[kind.name] += rebuilt.events
            different[kind.name] += bool(rebuilt.differences)
            for difference in () if running else rebuilt.differences:
                self.stdout.write(f"{stream_id} {difference}")
        verb = "compared with" if options["check"] else "rebuilt from"
        for name in done or (() if running else ["game"]):
            what = f"{counted(done[name], name)} {verb} {counted(events[name], 'event')}"
            self.stdout.write(f"{what}, {different[name]} of them differed.")
        if running:
            make_the_others()
        elif different.total():
            raise SystemExit(1)


def _rebuild(kind: Kind, stream_id: Any) -> log.Rebuilt:
    return kind.rebuild(stream_id)


def _all() -> Iterator[tuple[Kind, Any]]:
    for kind in log.rebuildables():
        for stream_id in kind.ids():
            yield kind, stream_id


def _named(stream_id: UUID) -> tuple[Kind, UUID]:
    kinds = log.rebuildables()
    for kind in kinds:
        if log.head(f"{kind.name}-{stream_id}") is not None:
            return kind, stream_id
    for kind in kinds:
        if log.differences(kind, stream_id).differences:
            return kind, stream_id
    raise CommandError(f"There is no game or tournament {stream_id}.")
