"""A game's stream, folded for notifications: who sits where, and whose turn began with which append (TU1). Pure.

A turn of a seat begins with the append after which it must act, and ends with the first append after which it need
not, or with a new deal. The last event of each append to a running game carries the `timing`, which has a duty for
each seat that must act; that event's version names the turn.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from core import log
from games.projections import vocabulary as stored
from games.projections.timing import TIMING


@dataclass(frozen=True, slots=True)
class Place:
    """A seat: its player, and whether a bot plays there."""

    player: UUID | None
    bot: bool

    @property
    def owner(self) -> UUID | None:
        """The player who is told of the seat's turns: None while a bot plays."""
        return None if self.bot else self.player


@dataclass(frozen=True, slots=True)
class Turn:
    """A running turn: the version with which it began, and its present deadline (without outages)."""

    seat: int
    version: int
    owner: UUID | None
    since: datetime
    due: datetime | None

    def name(self, game_id: UUID) -> str:
        """The turn's name (TU1)."""
        return f"turn:{game_id}:{self.seat}:{self.version}"


@dataclass(frozen=True, slots=True)
class Table:
    """What notifications need of a game, as of a version."""

    game_id: UUID
    version: int
    opener: UUID | None
    places: tuple[Place, ...] = ()
    turns: Mapping[int, Turn] = field(default_factory=dict)
    over: bool = False
    # The channels that the room posts to (NT7), and its tournament, which may post to channels of its own.
    channels: tuple[UUID, ...] = ()
    tournament: UUID | None = None
    # About the append that is being folded, or was folded last: whether it is complete, dealt cards, or was made by a
    # plan.
    complete: bool = True
    dealt: bool = False
    planned: bool = False
    # The turns that the last append ended and began.
    ended: tuple[Turn, ...] = ()
    begun: tuple[Turn, ...] = ()

    @property
    def people(self) -> tuple[UUID, ...]:
        """The players who sit here, those for whom a bot plays included."""
        return tuple(place.player for place in self.places if place.player is not None)

    def turn_of(self, player: UUID) -> Turn | None:
        """The turn that the player has now."""
        return next((turn for turn in self.turns.values() if turn.owner == player), None)


def fold(table: Table | None, event: log.Happened) -> Table:
    """The table after one more event. Raises ValueError for one that does not follow."""
    if event.version != (table.version if table is not None else 0) + 1:
        raise ValueError(f"{event.stream}: event {event.version} does not follow the table")
    if table is None:
        opener = event.data["opener"]
        game_id = UUID(event.stream.removeprefix("game-"))
        belongs_to = event.data["belongs_to"]
        tournament = UUID(belongs_to["tournament"]) if belongs_to is not None else None
        return Table(game_id, event.version, _id(opener), tournament=tournament)
    change = _BY_TYPE.get(event.type)
    planned = event.data.get(stored.PLANNED) is True or (table.planned and not table.complete)
    after = replace(table, version=event.version, ended=(), begun=(), planned=planned, complete=False)
    if change is not None:
        after = change(after, event)
    elif event.type.endswith(".dealt"):
        after = replace(after, dealt=True)
    if TIMING in event.data:
        return _with_turns(after, event)
    return after


def folded(events: Iterable[log.Event], table: Table | None = None) -> Table | None:
    """The table after a stream's events."""
    for event in events:
        table = fold(table, event)
    return table


def _with_turns(table: Table, event: log.Happened) -> Table:
    """The turns after an append: its last event says who must act."""
    duties = event.data[TIMING]["duties"]
    turns: dict[int, Turn] = {}
    begun = []
    for key, duty in duties.items():
        seat = int(key)
        due = datetime.fromisoformat(duty["due"]) if duty["due"] is not None else None
        owner = table.places[seat].owner
        was = None if table.dealt else table.turns.get(seat)
        if was is None:
            turns[seat] = Turn(seat, event.version, owner, event.recorded_at, due)
            begun.append(turns[seat])
        else:
            turns[seat] = replace(was, owner=owner, due=due)
            if was.owner != owner:
                begun.append(turns[seat])
    ended = tuple(
        turn
        for seat, turn in table.turns.items()
        if (now := turns.get(seat)) is None or (now.version, now.owner) != (turn.version, turn.owner)
    )
    return replace(table, turns=turns, ended=ended, begun=tuple(begun), dealt=False, complete=True)


def _joined(table: Table, event: log.Happened) -> Table:
    data = event.data
    return replace(table, places=(*table.places, Place(_id(data["player"]), data["bot"] is not None)))


def _left(table: Table, event: log.Happened) -> Table:
    places = tuple(place for seat, place in enumerate(table.places) if seat != event.seat)
    return replace(table, places=places, opener=_id(event.data["opener"]))


def _channels_changed(table: Table, event: log.Happened) -> Table:
    return replace(table, channels=tuple(UUID(one["id"]) for one in event.data["channels"]))


def _bot_seated(table: Table, event: log.Happened) -> Table:
    return _with_place(table, event, bot=True)


def _returned(table: Table, event: log.Happened) -> Table:
    return _with_place(table, event, bot=False)


def _replaced(table: Table, event: log.Happened) -> Table:
    return _with_place(table, event, player=_id(event.data["player"]), bot=event.data["bot"] is not None)


def _over(table: Table, _: log.Happened) -> Table:
    return replace(table, turns={}, ended=tuple(table.turns.values()), begun=(), over=True)


def _with_place(table: Table, event: log.Happened, **changes: Any) -> Table:
    places = tuple(replace(one, **changes) if seat == event.seat else one for seat, one in enumerate(table.places))
    return replace(table, places=places)


def _id(value: str | None) -> UUID | None:
    return UUID(value) if value is not None else None


_BY_TYPE: dict[str, Callable[[Table, log.Happened], Table]] = {
    stored.JOINED: _joined,
    stored.LEFT: _left,
    stored.KICKED: _left,
    stored.CHANNELS_CHANGED: _channels_changed,
    stored.BOT_SEATED: _bot_seated,
    stored.PLAYER_RETURNED: _returned,
    stored.PLAYER_REPLACED: _replaced,
    stored.CALLED_OFF: _over,
    stored.FINISHED: _over,
}
