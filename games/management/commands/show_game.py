"""manage.py show_game: a game in notation, as a seat sees it or with all cards shown."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core import log
from core.accounts.models import Player
from games.events import numbered
from games.models import stream_of
from games.projections import Snapshot, evolve_all
from games.rules import notation
from games.selectors import events_seen


class Command(BaseCommand):
    help = "Print a game in notation: its events, and the table after the last one (or after --version)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", type=UUID, metavar="ID")
        parser.add_argument("--version", type=int, metavar="N", dest="at", help="the game as it was at version N")
        parser.add_argument("--seat", type=int, metavar="N", help="what seat N sees; without it, everything is shown")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Our --version is the game's version; Django's own is removed."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def handle(self, *_: Any, **options: Any) -> None:
        game_id, at, seat = options["id"], options["at"], options["seat"]
        events = log.read(stream_of(game_id), upto=at)
        snapshot = evolve_all(events)
        if snapshot is None or (at is not None and snapshot.version != at):
            raise CommandError(f"There is no game {game_id}" + (f" at version {at}." if at is not None else "."))
        people = _people(events)
        names = [_name(people, snapshot, index) for index in range(len(snapshot.players))]
        if seat is not None and not 0 <= seat < len(names):
            raise CommandError(f"The game has the seats 0 to {len(names) - 1}.")
        self.stdout.write(f"game {game_id}, version {snapshot.version}, {snapshot.status}")
        for event in events_seen(events, seat):
            # In the lobby seats change hands: its events name the player.
            self.stdout.write(numbered(event, names, who=people.get(event["data"].get("player"))))
        if snapshot.state is not None:
            view = snapshot.rules.view(snapshot.state, seat)
            self.stdout.write("\n" + notation.table(view, names))
            places = notation.result(view, names)
            if places:
                self.stdout.write("\n" + places)


def _people(events: Sequence[log.Event]) -> dict[str, str]:
    """The names of all who ever sat there, by id; for a deleted account, the beginning of its id."""
    ids = {event.data["player"] for event in events if event.data.get("player")}
    names = {str(player.pk): player.username for player in Player.objects.filter(pk__in=ids)}
    return {player: names.get(player, f"player {player[:8]}") for player in ids}


def _name(people: dict[str, str], snapshot: Snapshot, index: int) -> str:
    seat = snapshot.players[index]
    if seat.player is not None:
        return people[str(seat.player)]
    return f"{seat.bot['level']} bot" if seat.bot is not None else f"seat {index}"
