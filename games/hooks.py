"""What features can hook into games; core/hooks.py says how.

A feature can also add a part of an account's export (`core.accounts.exporting`), what ends with a right
(`core.accounts.ending`), kinds of notification (`core.notifications.kinds`), components of the API
(`core.http.openapi`) and pages of the dashboard (`games.admin.site`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, LiteralString, Protocol
from uuid import UUID

from django.templatetags.static import static

from core import log
from core.accounts.models import Player
from core.hooks import Hook
from games.projections import Snapshot


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page of a table, under the hand of those who sit there.

    template: hidden, until the script shows it. script: a module that exports `join(page)`, called once the reader sits
    there; the page has `api`, `say`, `button`, the reader's id as `me`, and whether it is `dealt`. It returns what has
    `load()`, called then, and in a room whenever somebody comes or goes; and, if it hears the game's live stream,
    `hear(event, data)`. company: at a table only for those who sit there with other people. in_rooms: also in a room.
    data: what else `join` gets.
    """

    template: str
    script: str
    style: str
    company: bool = False
    in_rooms: bool = False
    data: Callable[[Snapshot, Player | None], object] | None = None

    def for_script(self, game: Snapshot, viewer: Player | None) -> dict[str, object]:
        return {"script": static(self.script), "company": self.company, "data": self.data and self.data(game, viewer)}


PANELS = Hook[Panel]()


@dataclass(slots=True)
class News:
    """What changes at a table beside its game, and live streams say to those who sit there.

    changes: the SQL of the game and the number of its newest change, of these games. of_players: of player, game and
    whatever differs once there is news, of these players. at_table: for the stream of a game, the number of the newest
    change, and what came since another one (None: the stream begins). to_player: for the stream of a player, of these
    games. data: the schemas of what the two streams hold.
    """

    event: str
    changes: LiteralString
    of_players: LiteralString
    at_table: Callable[[UUID, Player, int | None], tuple[int, list[dict[str, Any]]]]
    to_player: Callable[[Player, Sequence[UUID]], list[dict[str, Any]]]
    data: tuple[Mapping[str, Any], Mapping[str, Any]]


NEWS = Hook[News]()


class Step(Protocol):
    """A move that the server makes for a seat."""

    @property
    def actor(self) -> log.Actor: ...

    def events(self, before: Snapshot) -> Sequence[log.NewEvent]: ...


SAVED = Hook[Callable[[Player | None, str], Mapping[str, Any]]]()
"""The newest rules of the saved house game with this id, if the player (None: anybody) may see it. Raises NotFound."""
HIDING = Hook[Callable[[str], bool]]()
"""Returns whether the title of the house games by the rules with this digest is hidden. Asked for each title shown."""

Outlook = Literal["none", "plays", "waits", "silent"]


class Planner(Protocol):
    """What moves for players in their seats, as they have planned; nothing of it is an event before it moves."""

    def next_planned(self, game: Snapshot, now: datetime, *, seat: int | None = None) -> Step | None:
        """The next planned move in a game, or of that seat. It is called in the transaction that makes the move."""

    def planned_in(self, games: Collection[UUID]) -> set[tuple[UUID, int]]:
        """The seats of these games that have a plan."""

    def outlook(self, game: Snapshot, seat: int, *, now: datetime) -> Outlook:
        """Return what the seat's plan is about to do: `silent` if it does not say what to do here."""

    def plans_of(self, player: Player) -> Mapping[UUID, Any]:
        """What is kept for the player, by game."""


PLANNERS = Hook[Planner]()


def next_planned(game: Snapshot, now: datetime, *, seat: int | None = None) -> Step | None:
    steps = (one.next_planned(game, now, seat=seat) for one in PLANNERS)
    return next((step for step in steps if step is not None), None)


def planned_in(games: Collection[UUID]) -> dict[tuple[UUID, int], Planner]:
    return {seat: one for one in PLANNERS for seat in one.planned_in(games)}


class Figured(Protocol):
    """What simulated games say of some rules: how many of the `games` are played (None: nobody asked), and in HTML."""

    games: int

    @property
    def played(self) -> int | None: ...

    @property
    def html(self) -> str: ...

    def ask(self) -> None:
        """Have them played."""


FIGURES = Hook[Callable[[str, Mapping[str, Any], int], Figured]]()
"""Of house rules: their digest, themselves, and the number of seats."""


def figures_of(digest: str, rules: Mapping[str, Any], seats: int) -> Figured | None:
    return next((ask(digest, rules, seats) for ask in FIGURES), None)


SEASONS = Hook[Callable[[Player, Mapping[str, Any], int], str]]()
"""Sets up a private season of a house game, by its rules, at tables of so many, and returns its address.

Raises what setting up a tournament does.
"""
