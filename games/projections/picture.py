"""A game as of some event: the fold of its stream.

`fold` copies facts and judges nothing. The same function makes the picture after a move (over the events about to be
appended) and the picture of any moment in the past (over the log), so that the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from games.rules import GAMES


class Happened(Protocol):
    """What the fold needs of an event; a stored one has it, and so has one about to be stored."""

    @property
    def type(self) -> str:
        """Its explicit name."""

    @property
    def seat(self) -> int | None:
        """Whose event it is."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The facts."""

    @property
    def meta(self) -> Mapping[str, Any]:
        """Who is behind it, and on the last event of a command the duties."""

    @property
    def version(self) -> int:
        """Its number in the stream, from 1."""

    @property
    def recorded_at(self) -> datetime:
        """When it was stored."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What a seat has to do: the rules' key, since when, and until when (None: no deadline)."""

    key: str
    since: datetime
    due: datetime | None


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """One seat: a player's, a bot's ({"level"}), or a player's for whom a bot plays."""

    player: UUID | None
    bot: Mapping[str, Any] | None
    salt: str
    joined_at: datetime
    resigned: bool = False
    agrees_to_cancel: bool = False
    duty: Duty | None = None
    # Seconds of reserve that are left; turns missed in a row; turns missed in all.
    bank: int = 0
    misses: int = 0
    timeouts: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """One room and its game; `state` is the rules' own, None before the deal."""

    id: UUID
    game: str
    ruleset: str
    options: Mapping[str, Any]
    asked_options: Mapping[str, Any]
    seats: int
    visibility: str
    rated: bool
    clock: Mapping[str, Any]
    invitation: str | None
    opener: UUID | None
    rematch_of: UUID | None
    secret: str
    commitment: str
    opened_at: datetime
    moved_at: datetime
    version: int
    status: str = "open"
    players: tuple[SeatPicture, ...] = ()
    salts: tuple[str, ...] | None = None
    dealer: int | None = None
    shuffles: int = 0
    state: Any = None
    result: Mapping[str, Any] | None = None
    cancel_reason: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None

    def seat_of(self, player: UUID) -> int | None:
        """Where a player sits, or None."""
        return next((index for index, seat in enumerate(self.players) if seat.player == player), None)


def fold_all(game_id: UUID, events: Iterable[Happened]) -> Picture | None:
    """The picture after a stream's events; None where there are none."""
    picture: Picture | None = None
    for event in events:
        picture = fold(game_id, picture, event)
    return picture


def fold(game_id: UUID, picture: Picture | None, event: Happened) -> Picture:
    """The picture after one more event (the first one makes it).

    Raises:
        ValueError: the event is not the next one, which only a damaged log can cause.
    """
    if event.version != (picture.version if picture else 0) + 1:
        raise ValueError(f"game {game_id}: event {event.version} does not follow the picture")
    if picture is None:
        if event.type != "opened":
            raise ValueError(f"game {game_id}: the stream begins with {event.type!r}")
        return _opened(game_id, event)
    apply = LOBBY.get(event.type, _by_the_rules)
    picture = replace(apply(picture, event), version=event.version, moved_at=event.recorded_at)
    if "duties" in event.meta and picture.status != "cancelled":
        picture = with_duties(picture, duties_from(event.meta["duties"]))
    if "banks" in event.meta:
        picture = with_banks(picture, {int(index): left for index, left in event.meta["banks"].items()})
    return picture


def _opened(game_id: UUID, event: Happened) -> Picture:
    data = event.data
    return Picture(
        id=game_id,
        game=data["game"],
        ruleset=data["ruleset"],
        options=data["options"],
        asked_options=data["asked_options"],
        seats=data["seats"],
        visibility=data["visibility"],
        rated=data["rated"],
        clock=data["clock"],
        invitation=data["invitation"],
        opener=_id(data["opener"]),
        rematch_of=_id(data["rematch_of"]),
        secret=data["secret"],
        commitment=data["commitment"],
        opened_at=event.recorded_at,
        moved_at=event.recorded_at,
        version=event.version,
    )


def _joined(picture: Picture, event: Happened) -> Picture:
    data = event.data
    seat = SeatPicture(_id(data["player"]), data["bot"], data["salt"], event.recorded_at)
    # A game with a bot in it is not rated, from the moment the bot sits down in the room.
    return replace(picture, players=(*picture.players, seat), rated=picture.rated and seat.bot is None)


def _left(picture: Picture, event: Happened) -> Picture:
    players = tuple(seat for index, seat in enumerate(picture.players) if index != event.seat)
    return replace(picture, players=players, opener=_id(event.data["opener"]))


def _started(picture: Picture, event: Happened) -> Picture:
    data = event.data
    return replace(
        picture,
        seats=data["seats"],
        options=data["options"],
        dealer=data["dealer"],
        salts=tuple(data["salts"]),
        started_at=event.recorded_at,
        players=tuple(replace(seat, bank=picture.clock["bank"]) for seat in picture.players),
    )


def _cancel_agreed(picture: Picture, event: Happened) -> Picture:
    return _with_seat(picture, event.seat, lambda seat: replace(seat, agrees_to_cancel=True))


def _bot_seated(picture: Picture, event: Happened) -> Picture:
    # Whoever plays in the seat, their time for what is to do there begins when they take it over.
    return _with_seat(picture, event.seat, lambda seat: replace(seat, bot=event.data["bot"], duty=None))


def _player_returned(picture: Picture, event: Happened) -> Picture:
    return _with_seat(picture, event.seat, lambda seat: replace(seat, bot=None, duty=None))


def _timed_out(picture: Picture, event: Happened) -> Picture:
    return _with_seat(
        picture, event.seat, lambda seat: replace(seat, misses=event.data["misses"], timeouts=seat.timeouts + 1)
    )


def _deadline_moved(picture: Picture, event: Happened) -> Picture:
    due = datetime.fromisoformat(event.data["deadline_at"])
    return _with_seat(
        picture, event.seat, lambda seat: replace(seat, duty=replace(seat.duty, due=due) if seat.duty else None)
    )


def _cancelled(picture: Picture, event: Happened) -> Picture:
    return replace(
        picture,
        status="cancelled",
        cancel_reason=event.data["reason"],
        finished_at=event.recorded_at,
        players=tuple(replace(seat, duty=None) for seat in picture.players),
    )


LOBBY: dict[str, Callable[[Picture, Happened], Picture]] = {
    "joined": _joined,
    "left": _left,
    "kicked": _left,
    "started": _started,
    "bot_seated": _bot_seated,
    "player_returned": _player_returned,
    "timed_out": _timed_out,
    "deadline_moved": _deadline_moved,
    "cancel_agreed": _cancel_agreed,
    "cancelled": _cancelled,
}


def _by_the_rules(picture: Picture, event: Happened) -> Picture:
    rules = GAMES[picture.game]
    data = event.data
    state = rules.evolve(picture.state, rules_event(event))
    status = rules.status(state)
    picture = replace(
        picture, state=state, status=status, shuffles=picture.shuffles + (data.get("shuffle") is not None)
    )
    if status == "finished" and picture.finished_at is None:
        picture = replace(picture, result=rules.result(state), finished_at=event.recorded_at)
    move = data.get("move")
    if move is not None and event.seat is not None:
        gone = move["move"] == "resign"
        by_player = event.meta.get("actor", {}).get("kind") == "player"
        picture = _with_seat(
            picture,
            event.seat,
            lambda seat: replace(
                seat,
                agrees_to_cancel=False,
                resigned=seat.resigned or gone,
                misses=0 if by_player else seat.misses,
            ),
        )
    return picture


def rules_event(event: Happened) -> dict[str, Any]:
    """The event as the rules know it."""
    return {"type": event.type, "seat": event.seat, "data": event.data}


def with_duties(picture: Picture, duties: Mapping[int, Duty]) -> Picture:
    """The picture with exactly these duties."""
    players = tuple(
        seat if seat.duty == duties.get(index) else replace(seat, duty=duties.get(index))
        for index, seat in enumerate(picture.players)
    )
    return replace(picture, players=players)


def with_banks(picture: Picture, banks: Mapping[int, int]) -> Picture:
    """The picture with these seats' reserves (seconds left)."""
    players = tuple(
        replace(seat, bank=banks[index]) if index in banks else seat for index, seat in enumerate(picture.players)
    )
    return replace(picture, players=players)


def duties_to_meta(duties: Mapping[int, Duty]) -> dict[str, list[str | None]]:
    """Duties as an event's meta keeps them: ``{"1": [key, since, due]}``."""
    return {
        str(index): [duty.key, duty.since.isoformat(), duty.due.isoformat() if duty.due else None]
        for index, duty in sorted(duties.items())
    }


def duties_from(meta: Mapping[str, Any]) -> dict[int, Duty]:
    """Duties out of an event's meta."""
    return {
        int(index): Duty(key, datetime.fromisoformat(since), datetime.fromisoformat(due) if due else None)
        for index, (key, since, due) in meta.items()
    }


def _with_seat(picture: Picture, index: int | None, change: Callable[[SeatPicture], SeatPicture]) -> Picture:
    players = tuple(change(seat) if at == index else seat for at, seat in enumerate(picture.players))
    return replace(picture, players=players)


def _id(value: str | None) -> UUID | None:
    return UUID(value) if value is not None else None
