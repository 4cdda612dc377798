"""The events of the service about a game: what each holds, how it changes the snapshot, and its sentence.

Those of the rules are in `games.rules`. Whom an event tells is a row in `games/notifications/following.py`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, TypeAlias
from uuid import UUID

from msgspec.structs import replace

from games.rules import GAMES, PLAYED
from games.rules.events import (
    AT_THE_END,
    NEVER,
    Described,
    Event,
    Facts,
    Options,
    Placement,
    Result,
    Told,
    agreeing,
    sentence,
)

if TYPE_CHECKING:
    from core import log
    from games.projections import Snapshot

Bot = NewType("Bot", Facts)
Clock = NewType("Clock", Facts)
BelongsTo: TypeAlias = Annotated[Facts | None, "The tournament that the game belongs to."]
Change: TypeAlias = Literal["ruleset", "options", "seats", "clock", "visibility", "start", "talk"]


class GameEvent(Event, is_kind=True):
    """An event of the service. `apply` copies its facts, and decides nothing."""

    family = "game"

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        raise NotImplementedError


class _Room(GameEvent, is_kind=True):
    ruleset: str
    options: Options
    asked_options: Annotated[Options, "The options that were set, without defaults."]
    seats: int
    clock: Clock
    visibility: Literal["public", "private"]
    invitation: Annotated[str | None, NEVER, "Always null here. The game itself shows it to its players."]
    start: Annotated[Literal["full", "opener"], "What starts the game. Missing in rooms of version 0.1.0."] = "opener"
    talk: Annotated[Literal["all", "signs", "off"] | None, "What can be written there, if that was set."] = None


ROOM = (*_Room.fields, "named_clock")
"""What a room is opened with and may change while it is open. `named_clock` is not for clients."""


class Opened(_Room):
    """The room was opened."""

    game: str
    rated: bool
    plans: Annotated[bool, "Whether players can leave plans for their next turns."]
    opener: UUID | None
    rematch_of: UUID | None
    belongs_to: BelongsTo
    commitment: Annotated[str, "SHA-256 over the secret of the shuffles."]
    secret: Annotated[str | None, AT_THE_END]

    def sentence(self, told: Told) -> str:  # noqa: ARG002  nobody's
        rules = PLAYED[self.game]
        title = f"{rules.title} ({self.ruleset})" if len(rules.rulesets) > 1 else rules.title
        # The own title of a house game may be hidden from people, which an event does not know (HG19).
        named = title if self.game in GAMES else "a house game"
        return f"a table of {named} was opened for {self.seats} players"


class Joined(GameEvent):
    """A player or a bot sat down."""

    words = "{who} sat down"
    player: UUID | None
    bot: Bot | None
    salt: str
    rated: bool

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return snapshot.joined(_id(self.player), self.bot, self.salt, event.recorded_at, rated=self.rated)


class Left(GameEvent):
    """Somebody left the room; the players after them moved up."""

    words = "{who} left"
    player: UUID | None
    opener: UUID | None

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        players = tuple(seat for index, seat in enumerate(snapshot.players) if index != event.seat)
        return replace(snapshot, players=players, opener=_id(self.opener))


class Kicked(Left):
    """The opener removed somebody from the table."""

    words = "{who} was removed from the table"
    invitation: Annotated[str | None, NEVER, "Always null here. The game itself shows it to its players."]

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return replace(super().apply(snapshot, event), invitation=self.invitation)


class Changed(_Room):
    """The opener changed the room: its new state, and which parts of it are new."""

    changes: list[Change]

    def apply(self, snapshot: "Snapshot", _: "log.Happened") -> "Snapshot":
        facts = vars(self)
        return replace(snapshot, **{name: facts[name] for name in ROOM if name in facts})

    def sentence(self, told: Told) -> str:
        new = {
            "ruleset": f"ruleset {self.ruleset}",
            "options": "other options",
            "seats": f"{self.seats} seats",
            "clock": "another clock",
            "visibility": self.visibility,
            "start": "another start",
            "talk": "other talk",
        }
        return agreeing(f"{told.who} changed the table: {', '.join(new[name] for name in self.changes)}")


class Posting(Described):
    """A channel of a room."""

    id: UUID
    service: str


class ChannelsChanged(GameEvent):
    """The room posts to one more chat service or webhook, or to one fewer."""

    channels: Annotated[list[Posting], "Every service that it now posts to."]
    added: Annotated[str | None, "The service that was added."]
    removed: Annotated[str | None, "The service that was removed."]

    def apply(self, snapshot: "Snapshot", _: "log.Happened") -> "Snapshot":
        return replace(snapshot, channels=self.channels)

    def sentence(self, told: Told) -> str:  # noqa: ARG002  the room's
        return f"the table posts to {self.added}" if self.added else f"the table no longer posts to {self.removed}"


class Started(GameEvent):
    """The game has started."""

    words = "the game started with {seats} players"
    seats: int
    options: Options
    dealer: int
    salts: list[str]

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return replace(
            snapshot,
            seats=self.seats,
            options=self.options,
            dealer=self.dealer,
            salts=tuple(self.salts),
            started_at=event.recorded_at,
        )


class BotSeated(GameEvent):
    """A bot plays for the seat from now on."""

    words = "a bot took {whose} seat"
    bot: Bot | None
    reason: str
    lost_on_time: bool

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        # A new player's time begins when the seat is taken over.
        return snapshot.with_seat(event.seat, bot=self.bot, duty=None, lost_on_time=self.lost_on_time)


class PlayerReturned(GameEvent):
    """The player took the seat back."""

    words = "{who} took the seat back from the bot"

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return snapshot.with_seat(event.seat, bot=None, duty=None, lost_on_time=False)


class PlayerReplaced(GameEvent):
    """A ruling: somebody else plays there now."""

    player: UUID | None
    bot: Bot | None
    was: UUID | None
    reason: str
    rated: bool
    bank: int

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return replace(
            snapshot.with_seat(
                event.seat,
                player=_id(self.player),
                bot=self.bot,
                joined_at=event.recorded_at,
                agrees_to_cancel=False,
                duty=None,
                bank=self.bank,
                misses=0,
                moved=False,
                lost_on_time=False,
                replaced=True,
            ),
            rated=self.rated,
        )

    def sentence(self, told: Told) -> str:
        return agreeing(f"{told.who if self.player else 'a bot'} took the seat over ({self.reason})")


class TimedOut(GameEvent):
    """A turn ran out. What happened then is in separate events."""

    words = "{whose} time was up"
    deadline_at: datetime
    action: Literal["play", "bot", "resign"]
    misses: Annotated[int, "The number of turns missed in a row."]
    timeouts: Annotated[int, "The total number of missed turns."]

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return snapshot.with_seat(
            event.seat,
            misses=self.misses,
            timeouts=self.timeouts,
            lost_on_time=self.action == "resign",
            played=snapshot.players[event.seat or 0].played or False,
        )


class DeadlineMoved(GameEvent):
    """A calendar was changed, so a turn ends at another time."""

    words = "{whose} deadline moved"
    deadline_at: datetime

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        duty, facts = snapshot.players[event.seat or 0].duty, vars(self)
        if duty is None:
            raise ValueError(f"{event.stream}: event {event.version} moves a deadline that does not exist")
        due = datetime.fromisoformat(facts["deadline_at"])
        return snapshot.with_seat(event.seat, duty=replace(duty, due=due, extra=facts.get("extra", duty.extra)))


class TurnExtended(DeadlineMoved):
    """A ruling: the turn has more time."""

    words = "{who} got more time ({reason})"
    seconds: int
    extra: int
    reason: str


class CancelAgreed(GameEvent):
    """A player agrees to call the game off."""

    words = "{who} agreed to call the game off"

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return snapshot.with_seat(event.seat, agrees_to_cancel=True)


class SeatAtEnd(Described):
    """A seat as it was at the end."""

    seat: int
    player: UUID | None
    bot: Annotated[str | None, "The level of the bot that plays there, if one does, also for a player."]
    timeouts: Annotated[int, "The number of missed turns."]
    moved: Annotated[bool, "Whether the player ever moved."]
    played: Annotated[bool, "Whether the player ever moved; a resignation does not count."]
    never_came: Annotated[bool, "Whether the player never moved, so that the clock, a bot or a resignation did (RA1)."]
    resigned: bool
    lost_on_time: bool
    replaced: bool


class _Over(GameEvent, is_kind=True):
    game: str
    ruleset: str
    options: Options
    rounds: Annotated[int | None, "Three Thirteen: how many rounds were scored."]
    started_at: datetime | None
    belongs_to: BelongsTo
    rated: bool
    seats: list[SeatAtEnd]

    def ended(self, snapshot: "Snapshot", event: "log.Happened", **how: Any) -> "Snapshot":
        players = tuple(replace(seat, duty=None) for seat in snapshot.players)
        return replace(snapshot, players=players, finished_at=event.recorded_at, **how)


class CalledOff(_Over):
    """The room or game was called off. Always the last event."""

    words = "the game was called off ({reason})"
    reason: str
    placements: list[Placement] | None

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return self.ended(snapshot, event, status="cancelled", cancel_reason=self.reason)


class Finished(_Over):
    """The game is over. Always the last event of a game."""

    result: Result

    def apply(self, snapshot: "Snapshot", event: "log.Happened") -> "Snapshot":
        return self.ended(snapshot, event, result=self.result, rated=self.rated)

    def sentence(self, told: Told) -> str:  # noqa: ARG002  everybody's
        by = self.result["ended_by"]
        holding = sum(bool(row["score"]) for row in self.result["placements"])
        return f"the game ended: {_LAST_LEFT if by == 'out' and holding == 1 else ENDINGS[by]}"


ENDINGS = {
    "out": "a player was out of cards",
    "stalemate": "nobody could make progress",
    "limit": "the bots had made too many moves",
    "agreed": "all agreed to end it",
    "rounds": "the last round was scored",
    "resignation": "all others had resigned",
}
_LAST_LEFT = "only one player still held cards"


class Voided(GameEvent):
    """Staff declared the finished game void."""

    words = "the game was declared void ({reason})"
    reason: str

    def apply(self, snapshot: "Snapshot", _: "log.Happened") -> "Snapshot":
        return replace(snapshot, voided=self.reason)


class Restored(GameEvent):
    """The game counts again."""

    words = "the game counts again ({reason})"
    reason: str

    def apply(self, snapshot: "Snapshot", _: "log.Happened") -> "Snapshot":
        return replace(snapshot, voided=None)


def _id(value: Any) -> UUID | None:
    return UUID(value) if value is not None else None


def numbered(happened: Mapping[str, Any], names: Sequence[str], *, who: str | None = None) -> str:
    """An event with its number: "17 bob played 10♥ and cleared the pile". For the rest see `sentence`."""
    return f"{happened['version']:>4}  {sentence(happened, names, who=who)}"
