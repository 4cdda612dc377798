"""What the tests of tournaments' services share: people, tournaments, and games that end as the test wants."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core import log
from core.accounts.models import Player
from games import services as games
from games.models import Game, Seat
from games.projections import rebuild
from tests.scenes import remembered
from tests.tournaments.moment import services
from tournaments import models, selectors
from tournaments.projections import TOURNAMENT
from tournaments.rules import Record, read_record
from tournaments.stream import Tournament

NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal", "ivy", "jo", "kim", "lee")
ASKED = {"title": "Threes 2026", "game": "threes", "kind": "rounds"}


class Club:
    """Olga's club: she organises, the others play. `now` is the clock of all that is done here."""

    def __init__(self, now: datetime, people: int = 6) -> None:
        self.now = now
        names = ("olga", *NAMES[:people])
        self.olga, *self.people = remembered(
            f"olga and {people}", lambda: [Player.objects.create_user(name) for name in names]
        )
        self.id = UUID(int=0)

    def player(self, name: str) -> Player:
        return Player.objects.get(username=name)

    def set_up(self, **asked: Any) -> "Club":
        """Olga sets a tournament up."""
        return self._remembered(f"set up {asked}", lambda: self._set_up(asked))

    def _set_up(self, asked: dict[str, Any]) -> None:
        kind = None if "stages" in asked else ASKED["kind"]
        done = services.set_up(self.olga, {**ASKED, "kind": kind, **asked}, now=self.now)
        assert done.tournament is not None
        self.id = done.tournament.id

    def open(self, *players: Player, **asked: Any) -> "Club":
        """Olga opens the registration, and people enter: all of them, if none are named."""
        return self._remembered(f"opened {asked} {_names(players)}", lambda: self._open(players, asked))

    def _open(self, players: Sequence[Player], asked: dict[str, Any]) -> None:
        self._set_up(asked)
        services.open_registration(self.id, self.olga, now=self.now)
        for player in players or self.people:
            services.enter(self.id, player, invitation=self.t.invitation, now=self.now)

    def start(self, *players: Player, **asked: Any) -> "Club":
        """Olga opens, people enter, she starts, and the runner does what is due."""

        def start() -> None:
            self._open(players, asked)
            services.start(self.id, self.olga, now=self.now)
            self.run()

        return self._remembered(f"started {asked} {_names(players)}", start)

    def _remembered(self, what: str, do: Callable[[], object]) -> "Club":
        """What is done to the club, or what it came to before."""

        def done() -> dict[str, Any]:
            do()
            return vars(self)

        vars(self).update(remembered(f"{what} at {self.now}", done))
        return self

    def organise(self, player: Player) -> "Club":
        """Olga asks somebody to organise it, too, and they accept."""
        services.add_organiser(self.id, self.olga, player.username, now=self.now)
        services.accept_to_organise(self.id, player, now=self.now)
        return self

    def replace(self, entrant: str, player: Player) -> None:
        """Olga asks somebody to play on for an entrant, and they accept."""
        asked = {"ruling": "replace", "entrant": entrant, "player": player.username, "reason": "ill"}
        services.rule(self.id, self.olga, asked, now=self.now)
        services.accept(self.id, player, entrant, now=self.now)

    def run(self, **later: float) -> "Club":
        """Time goes on; the log is followed, and the runner does all that is due."""
        self.now += timedelta(**later)
        while services.follow_games.catch_up() + services.run(now=self.now).done:
            pass
        return self

    @property
    def t(self) -> Tournament:
        """The tournament as it is now."""
        found = TOURNAMENT.load(self.id, log.Lock.NONE)
        assert found is not None
        return found

    def types(self) -> list[str]:
        return [event.type.removeprefix("tournament.") for event in log.read(models.stream_of(self.id))]

    def record(self) -> Record:
        return read_record(selectors.record_for(self.id))

    def standings(self) -> dict[str, Any]:
        return {row["entrant"]: row for row in selectors.standings_for(self.id, self.t.version)["standings"]}

    def game_id(self, table: int, number: int = 1, round: int | None = None) -> UUID:  # noqa: A002  the word of the page
        return UUID(self.t.tables[round or self.t.seated, table].games[number - 1])

    def game(self, table: int, number: int = 1, round: int | None = None) -> Game:  # noqa: A002
        return Game.objects.prefetch_related("players__player").get(pk=self.game_id(table, number, round))

    def finish(self, table: int, *order: str, number: int = 1, round: int | None = None) -> "Club":  # noqa: A002
        """A table's game ends: those behind the first resign, the last one first. Without an order as they sit."""
        what = f"table {table} {order} game {number} round {round}"
        return self._remembered(what, lambda: self._finish(table, order, number, round))

    def _finish(self, table: int, order: Sequence[str], number: int, round: int | None) -> None:  # noqa: A002
        game = self.game(table, number, round)
        entrants = self.t.tables[round or self.t.seated, table].entrants
        end_game(game.id, [entrants.index(key) for key in order or entrants], self.now)
        self.run()

    def finish_round(self) -> "Club":
        """All open tables of the newest round end, in the order in which people sit."""
        return self._remembered("the round is over", self._finish_round)

    def _finish_round(self) -> None:
        number = self.t.seated
        for table in range(1, self.t.rounds[number].tables + 1):
            for count, key in enumerate(self.t.tables[number, table].games, 1):
                if self.t.games[key].is_open:
                    self._finish(table, (), count, number)


def _names(players: Sequence[Player]) -> list[str]:
    return [player.username for player in players]


def end_game(game_id: UUID, order: Sequence[int], now: datetime) -> None:
    """Let a running game end with its seats in this order, by resignations.

    Who resigns unmoved is absent (PT8). That all have moved is written into the rows: moves would take most of the time
    of these tests.
    """
    row = Game.objects.get(pk=game_id)
    for player in row.state["players"]:
        player["played"] = True
    row.save(update_fields=["state"])
    players = {seat.index: seat.player for seat in Seat.objects.filter(game=game_id).select_related("player")}
    for seat in reversed(order[1:]):
        player = players[seat]
        assert player is not None
        games.play(game_id, player, {"move": "resign"}, now=now)
    rebuild(game_id)  # the rows are again what the log says
