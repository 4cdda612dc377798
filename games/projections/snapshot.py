"""The snapshot of a game: its stream, folded.

`evolve` copies facts and makes no decisions. The same function makes the snapshot after a move (over the events about
to be appended) and that of any moment in the past (over the log), so that the two cannot differ.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from core import log
from core.accounts.models import Player
from games.clocks import Uptime
from games.events import ROOM, GameEvent, Opened
from games.models import Game, stream_of
from games.projections.vocabulary import TIMING, Duty, Timing
from games.rules import Game as Rules
from games.rules import game_of
from games.rules.events import EVENTS


class SeatSnapshot(Struct, frozen=True):
    """One seat: a player's, a bot's ({"level"}), or a player's for which a bot plays."""

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
    # Whether its player ever made a move; whether the clock gave the seat to a bot, or resigned it (RA3); whether
    # somebody else began the game in it.
    moved: bool = False
    # Whether its player ever made a move in play (PT8, RA1): False if the clock or a bot has moved and the player not.
    # A seat that is given to somebody else keeps it, since the result is the entrant's.
    played: bool | None = None
    lost_on_time: bool = False
    replaced: bool = False


class Snapshot(Struct, frozen=True):
    """One room and its game; `state` is the rules' own, None before the deal."""

    id: UUID
    game: str
    ruleset: str
    options: Mapping[str, Any]
    asked_options: Mapping[str, Any]
    seats: int
    visibility: str
    rated: bool
    plans: bool
    clock: Mapping[str, Any]
    invitation: str | None
    opener: UUID | None
    rematch_of: UUID | None
    belongs_to: Mapping[str, Any] | None
    secret: str
    commitment: str
    opened_at: datetime
    moved_at: datetime
    version: int
    start: str = Game.Start.OPENER.value
    named_clock: bool = True
    # What may be said at the table, if that was named.
    talk: str | None = None
    status: str = "open"
    players: tuple[SeatSnapshot, ...] = ()
    salts: tuple[str, ...] | None = None
    dealer: int | None = None
    shuffles: int = 0
    state: Any = None
    result: Mapping[str, Any] | None = None
    cancel_reason: str | None = None
    voided: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    # The channels that the room posts to: {"id", "service"} of each. The addresses are in no event.
    channels: Sequence[Mapping[str, str]] = field(default_factory=list)
    # The loaded accounts of the players, which are not part of the game's state.
    accounts: Mapping[UUID, Player] = field(default_factory=dict)
    # The service's uptime, as of the statement that read the game.
    uptime: Uptime | None = None
    # True for the past of a game that is finished by now: everything may be seen.
    revealed: bool = False

    @property
    def rules(self) -> Rules:
        return game_of(self.game, self.options)

    @property
    def title(self) -> str | None:
        return self.rules.title if self.digest else None

    @property
    def digest(self) -> str | None:
        return self.rules.digest

    @property
    def stream(self) -> str:
        return stream_of(self.id)

    @property
    def tournament(self) -> UUID | None:
        return UUID(self.belongs_to["tournament"]) if self.belongs_to is not None else None

    @property
    def dealt(self) -> bool:
        return self.started_at is not None

    @property
    def is_running(self) -> bool:
        return self.status in ("setup", "playing")

    @property
    def is_full(self) -> bool:
        return self.status == "open" and len(self.players) >= self.seats

    @property
    def may_be_said(self) -> str:
        if self.talk is not None:
            return self.talk
        return Game.Talk.ALL if self.visibility == Game.Visibility.PRIVATE else Game.Talk.SIGNS

    @property
    def is_practice(self) -> bool:
        """True for one person's game of no tournament, unless its opener named a clock: it has no other."""
        people = sum(seat.player is not None for seat in self.players)
        return self.dealt and people == 1 and not self.named_clock and self.belongs_to is None

    def seat_of(self, player: Player | None) -> int | None:
        if player is None:
            return None
        return next((index for index, seat in enumerate(self.players) if seat.player == player.pk), None)

    def account_of(self, seat: SeatSnapshot) -> Player | None:
        """The account in a seat, even if a bot plays; None if nobody sits there or the account was deleted."""
        return self.accounts.get(seat.player) if seat.player is not None else None

    def joined(
        self, player: UUID | None, bot: Mapping[str, Any] | None, salt: str, at: datetime, *, rated: bool
    ) -> "Snapshot":
        return replace(self, players=(*self.players, SeatSnapshot(player, bot, salt, at)), rated=rated)

    def with_seat(self, changed: int | None, **changes: Any) -> "Snapshot":
        players = (replace(seat, **changes) if at == changed else seat for at, seat in enumerate(self.players))
        return replace(self, players=tuple(players))


def evolve_all(events: Iterable[log.Happened]) -> Snapshot | None:
    snapshot: Snapshot | None = None
    for event in events:
        snapshot = evolve(snapshot, event)
    return snapshot


def evolve(snapshot: Snapshot | None, event: log.Happened) -> Snapshot:
    """The snapshot after one more event (the first one makes it).

    Raises ValueError (the event is not the next one, or not this game's, which only a damaged log can cause).
    """
    if event.version != (snapshot.version if snapshot else 0) + 1:
        raise ValueError(f"{event.stream}: event {event.version} does not follow the snapshot")
    if snapshot is None:
        if event.type != Opened.type:
            raise ValueError(f"{event.stream}: the stream begins with {event.type!r}")
        return _opened(event)
    kind: Any = EVENTS.get(event.type)
    is_own = kind is not None and issubclass(kind, GameEvent)
    after = kind(event.data).apply(snapshot, event) if is_own else _by_the_rules(snapshot, event)
    snapshot = replace(after, version=event.version, moved_at=event.recorded_at)
    return with_timing(snapshot, Timing.from_json(event.data[TIMING])) if TIMING in event.data else snapshot


def with_timing(snapshot: Snapshot, timing: Timing) -> Snapshot:
    players = list(snapshot.players)
    for index, seat in enumerate(players):
        duty, moved = timing.duties.get(index), index in timing.moved
        # Most seats wait, and stay as they were.
        if duty is not None or seat.duty is not None or moved or index in timing.banks:
            bank, misses = timing.banks.get(index, seat.bank), 0 if moved else seat.misses
            played = index in timing.played or seat.played
            players[index] = replace(
                seat, duty=duty, bank=bank, misses=misses, moved=seat.moved or moved, played=played
            )
    return replace(snapshot, players=tuple(players))


_FIXED = ("game", "rated", "plans", "belongs_to", "secret", "commitment")


def _opened(event: log.Happened) -> Snapshot:
    data = event.data
    return Snapshot(
        id=UUID(event.stream.removeprefix("game-")),
        opener=_id(data["opener"]),
        rematch_of=_id(data["rematch_of"]),
        opened_at=event.recorded_at,
        moved_at=event.recorded_at,
        version=event.version,
        **{name: data[name] for name in (*ROOM, *_FIXED) if name in data},
    )


def _by_the_rules(snapshot: Snapshot, event: log.Happened) -> Snapshot:
    rules = snapshot.rules
    family, _, name = event.type.partition(".")
    if family != rules.family:
        raise ValueError(f"{event.stream}: {event.type!r} is no event of {rules.title}")
    # Not `rules_event`: `evolve` copies the facts that it knows, so nothing has to be left out for it.
    state = rules.evolve(snapshot.state, {"type": name, "seat": event.seat, "data": event.data})
    shuffled = event.data.get("shuffle") is not None
    after = replace(snapshot, state=state, status=rules.status(state), shuffles=snapshot.shuffles + shuffled)
    move = event.data.get("move")
    if move is None or event.seat is None:
        return after
    if move["move"] == "settle":  # neither a turn nor a sign that the player wants to play on
        return after
    seat = after.players[event.seat]
    resigns, played = move["move"] == "resign", seat.played
    if seat.bot is not None and not resigns and not played:
        played = seat.player is None
    if not seat.agrees_to_cancel and not resigns and played == seat.played:
        return after
    return after.with_seat(event.seat, agrees_to_cancel=False, resigned=seat.resigned or resigns, played=played)


def _id(value: str | None) -> UUID | None:
    return UUID(value) if value is not None else None
