"""manage.py rebuild: the rows of games and tournaments, dropped and made again from the log."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games import log


class Command(BaseCommand):
    help = (
        "Drop the rows of games and tournaments and make them again from the log, each in one transaction; players "
        "notice nothing. Tells every difference byte for byte; exit status 1 when there was one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", type=UUID, metavar="ID", help="games and tournaments to rebuild")
        parser.add_argument("--all", action="store_true", help="all there are")

    def handle(self, *_: Any, **options: Any) -> None:
        ids, every = options["ids"], options["all"]
        if bool(ids) == every:
            raise CommandError("Name the games and tournaments to rebuild, or --all.")
        done: Counter[str] = Counter()
        events: Counter[str] = Counter()
        different: Counter[str] = Counter()
        for kind, stream_id, rebuilt in _all() if every else map(_named, ids):
            done[kind.name] += 1
            events[kind.name] += rebuilt.events
            different[kind.name] += bool(rebuilt.differences)
            for difference in rebuilt.differences:
                self.stdout.write(f"{stream_id} {difference}")
        for name in done or ["game"]:
            self.stdout.write(
                f"{done[name]} {name}s rebuilt from {events[name]} events, {different[name]} of them differed."
            )
        if different.total():
            raise SystemExit(1)


def _all() -> Iterator[tuple[log.Rebuildable, UUID, log.Rebuilt]]:
    for kind in log.rebuildables():
        for stream_id in kind.ids():
            yield kind, stream_id, kind.rebuild(stream_id)


def _named(stream_id: UUID) -> tuple[log.Rebuildable, UUID, log.Rebuilt]:
    """Rebuild what has this id: by its stream, or by rows that have none."""
    kinds = sorted(log.rebuildables(), key=lambda kind: not log.read(f"{kind.name}-{stream_id}", upto=1))
    for kind in kinds:
        rebuilt = kind.rebuild(stream_id)
        if rebuilt.events or rebuilt.differences:
            return kind, stream_id, rebuilt
    raise CommandError(f"There is no game or tournament {stream_id}.")
