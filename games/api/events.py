"""Events and their effects, as the OpenAPI document describes them. Hidden parts are null; after the end nothing is.

A class is what an event's data holds, and its docstring says what happened. `dealt`, `drew` and `resigned` happen in
both families of games, with data of their own in each.
"""

import re
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core.http.bodies import AnyObject, Moment, components, doc, schema
from core.http.openapi import ref
from games.api.moves import (
    Card,
    Cards,
    DiscardMove,
    DrawMove,
    EndTurnMove,
    FlipMove,
    GoOutMove,
    PickUpMove,
    PlayMove,
    ResignMove,
    SettleMove,
)
from games.api.tables import Calls, Direction, EndedBy, Hidden, Placement, Result, RoundScore, Seats, Step

Bot = Annotated[dict[str, Any], schema(ref("Bot"))]
BelongsTo = Annotated[AnyObject | None, doc("Its tournament.")]
Hands = Annotated[list[Hidden], doc("By seat; null: hidden.")]


class _Effect(Struct, tag_field="effect"):
    pass


class ArrangedEffect(_Effect, tag="arranged"):
    """The seat has chosen. Others do not see the choice before the setup ends."""

    seat: int
    face_up: Hidden
    hand: Hidden


class SetupEndedEffect(_Effect, tag="setup_ended"):
    """All have chosen."""

    face_up: Annotated[list[Cards], doc("Everybody's face-up cards, by seat.")]


class OpeningEffect(_Effect, tag="opening"):
    """These seats may make the first play."""

    seats: Seats
    rank: Annotated[str | None, doc("The rank that it must have; null: any.")]


class OpenedEffect(_Effect, tag="opened"):
    """The first play is made."""

    raced: Annotated[Seats, doc("Castle: the seats that could have made it, too.")]


class LaidEffect(_Effect, tag="laid"):
    """Cards went onto the pile: from the hand, from the face-up cards, or the one at the face-down position."""

    seat: int
    cards: Cards
    hand: Cards
    face_up: Cards
    position: int | None


class LiftedEffect(_Effect, tag="lifted"):
    """The face-down card could not be played and went to the hand."""

    seat: int
    position: int
    card: Card


class ShownEffect(_Effect, tag="shown"):
    """Castle: the face-down card could not be played and went back to its position, seen by all."""

    seat: int
    position: int
    card: Card


class PickedUpEffect(_Effect, tag="picked_up"):
    """Cards of the pile went to the hand."""

    seat: int
    cards: Cards


class ClosedEffect(_Effect, tag="closed"):
    """The pile went out of play."""

    why: Annotated[
        str,
        Meta(examples=["ten", "joker", "three_in_a_row", "four_in_a_row", "set_of_four"]),
        doc("What closed it: a game has words of its own."),
    ]


class DrewEffect(_Effect, tag="drew"):
    """Cards from the stock went to the hand."""

    seat: int
    count: int
    cards: Annotated[Hidden, doc("Only for the player who drew them.")]


class DrewToPileEffect(_Effect, tag="drew_to_pile"):
    """Castle: a card went from the stock onto the pile."""

    seat: int
    card: Card


class FaceUpToHandEffect(_Effect, tag="face_up_to_hand"):
    """Three Card: the face-up cards became the hand."""

    seat: int


class TurnedRoundEffect(_Effect, tag="turned_round"):
    """The direction of play changed: 1 is clockwise."""

    direction: Direction


class StalledEffect(_Effect, tag="stalled"):
    """How many pick-ups there have been without progress."""

    count: int


class SettledEffect(_Effect, tag="settled"):
    """The seats that agree now to end the game as it stands."""

    seats: Seats


class OutEffect(_Effect, tag="out"):
    """The seat has no card left."""

    seat: int
    place: int


class LeftEffect(_Effect, tag="left"):
    """The seat resigned; its cards are gone."""

    seat: int
    place: int


class TurnEffect(_Effect, tag="turn"):
    """Whose turn it is."""

    seat: int
    bonus: Literal["may", "must"] | None
    number: Annotated[int, doc("A new number is a new turn.")]


class EndedEffect(_Effect, tag="ended"):
    """The game is over."""

    placements: list[Placement]
    ended_by: EndedBy


EFFECTS = tuple(_Effect.__subclasses__())


class _Opened(Struct, kw_only=True):
    ruleset: str
    options: AnyObject
    asked_options: Annotated[AnyObject, doc("Those that were sent, before the defaults.")]
    seats: int
    clock: Annotated[dict[str, Any], schema(ref("Clock"))]
    visibility: Literal["public", "private"]
    invitation: Annotated[str | None, doc("Always null here; the game has it for its players.")]
    start: Annotated[Literal["full", "opener"], doc("What starts the game. Rooms of 0.1.0 do not have it.")] = "opener"
    talk: Annotated[Literal["all", "signs", "off"] | None, doc("What may be said there, if that was named.")] = None


class OpenedData(_Opened, kw_only=True):
    """The room was opened."""

    game: str
    rated: bool
    plans: Annotated[bool, doc("Whether players may leave plans for their next turns.")]
    opener: UUID | None
    rematch_of: UUID | None
    belongs_to: BelongsTo
    commitment: Annotated[str, doc("SHA-256 over the secret of the shuffles.")]
    secret: str | None


class JoinedData(Struct):
    """A player or a bot sat down."""

    player: UUID | None
    bot: Bot | None
    salt: str
    rated: bool


class LeftData(Struct):
    """Somebody left the room; the players after them moved up."""

    player: UUID | None
    opener: UUID | None


class KickedData(LeftData):
    """The opener sent somebody out."""

    invitation: Annotated[str | None, doc("Always null here; the game has it for its players.")]


class ChangedData(_Opened, kw_only=True):
    """The opener changed the room: its new state, and which parts of it are new."""

    changes: list[Literal["ruleset", "options", "seats", "clock", "visibility", "start", "talk"]]


class Posting(Struct):
    """A channel of a room."""

    id: UUID
    service: str


class ChannelsChangedData(Struct):
    """The room posts to one more chat service or webhook, or to one fewer."""

    channels: Annotated[list[Posting], doc("All that it posts to now.")]
    added: Annotated[str | None, doc("The service that is new.")]
    removed: Annotated[str | None, doc("The service that is gone.")]


class StartedData(Struct):
    """The game has started."""

    seats: int
    options: AnyObject
    dealer: int
    salts: list[str]


class BotSeatedData(Struct):
    """A bot plays for the seat from now on."""

    bot: Bot | None
    reason: str
    lost_on_time: bool


class PlayerReturnedData(Struct):
    """The player took the seat back."""


class PlayerReplacedData(Struct):
    """A ruling: somebody else plays there now."""

    player: UUID | None
    bot: Bot | None
    was: UUID | None
    reason: str
    rated: bool
    bank: int


class TimedOutData(Struct):
    """A turn ran out."""

    deadline_at: Moment
    action: Literal["play", "bot", "resign"]
    misses: Annotated[int, doc("Turns missed in a row.")]
    timeouts: Annotated[int, doc("Turns missed in all.")]


class DeadlineMovedData(Struct):
    """A calendar was changed, so a turn ends at another time."""

    deadline_at: Moment


class TurnExtendedData(Struct):
    """A ruling: the turn has more time."""

    deadline_at: Moment
    seconds: int
    extra: int
    reason: str


class CancelAgreedData(Struct):
    """A player agrees to call the game off."""


class SeatAtEnd(Struct):
    """A seat as it was at the end."""

    seat: int
    player: UUID | None
    bot: Annotated[str | None, doc("The level of the bot that plays there, also for a player.")]
    timeouts: Annotated[int, doc("Turns missed.")]
    moved: Annotated[bool, doc("Whether its player made a move.")]
    played: Annotated[bool, doc("Whether its player made a move in play; a resignation does not count.")]
    never_came: Annotated[bool, doc("Whether it did not, and the clock, a bot or a resignation moved for it (RA1).")]
    resigned: bool
    lost_on_time: bool
    replaced: bool


class _Over(Struct, kw_only=True):
    game: str
    ruleset: str
    options: AnyObject
    rounds: Annotated[int | None, doc("Three Thirteen: how many were scored.")]
    started_at: Moment | None
    belongs_to: BelongsTo
    rated: bool
    seats: list[SeatAtEnd]


class CalledOffData(_Over, kw_only=True):
    """The room or game was called off. Always the last event."""

    reason: str
    placements: list[Placement] | None


class FinishedData(_Over, kw_only=True):
    """The game is over. Always the last event of a game."""

    result: Result


class VoidedData(Struct):
    """Staff declared the finished game void."""

    reason: str


class RestoredData(Struct):
    """The game counts again."""

    reason: str


Planned = (
    Annotated[
        bool,
        schema({"const": True}),
        doc("There if a plan made the move: for the seat alone, until the game is over."),
    ]
    | UnsetType
)


class _Shed(Struct, kw_only=True):
    effects: list[Annotated[dict[str, Any], schema(ref("Effect"))]]
    calls: Calls
    planned: Planned = UNSET


class Arrangement(Struct, tag_field="move", tag="arrange"):
    """The choice; null for others before the setup ends."""

    face_up: Hidden


class ArrangedData(_Shed):
    """Somebody chose the face-up cards."""

    move: Arrangement


class PlayedData(_Shed):
    """Cards were played."""

    move: PlayMove


class FlippedData(_Shed):
    """A face-down card was turned over."""

    move: FlipMove


class PickedUpData(_Shed):
    """The pile was picked up."""

    move: PickUpMove


class TurnEndedData(_Shed):
    """A bonus play was declined."""

    move: EndTurnMove


class SettledData(_Shed):
    """A player agreed to end the game as it stands, or took that back."""

    move: SettleMove


class SheddingDrew(_Shed):
    """A draw in Three Card or Castle."""

    move: DrawMove


class SheddingResigned(_Shed):
    """A resignation in a shedding game."""

    move: ResignMove


class SheddingDealt(Struct):
    """The cards of a shedding game."""

    ruleset: str
    options: AnyObject
    seats: int
    dealer: int
    direction: Direction
    hands: Hands
    face_up: Annotated[list[Cards], doc("By seat.")]
    turned_up: Annotated[Cards, doc("The pile to begin with.")]
    stock_count: int
    face_down: list[Cards] | None
    stock: Hidden
    shuffle: Hidden
    calls: Calls
    who_dealt: Annotated[Seats | None, doc("Three Card: the seats that were dealt nothing but 3s to 8s.")]


class ThreeThirteenDealt(Struct):
    """The cards of a round of Three Thirteen. The first deal also has `ruleset`, `options` and `seats`."""

    round: int
    wild: Annotated[str, doc("The rank that is wild in this round.")]
    dealer: int
    hands: Hands
    discard_top: Card
    stock_count: int
    to_act: Seats
    shuffle: Hidden
    ruleset: str | UnsetType = UNSET
    options: AnyObject | UnsetType = UNSET
    seats: int | UnsetType = UNSET


class ThreeThirteenDrew(Struct):
    """The first half of a turn of Three Thirteen."""

    move: DrawMove
    card: Annotated[Card | None, doc("From the stock: only for the player who drew it.")]
    stock_count: int
    discard_count: int
    renewed: Annotated[int, doc("How often the stock was renewed in this round.")]
    idle: Annotated[int, doc("Turns in a row in which the stock was not used.")]
    shuffle: Hidden
    planned: Planned = UNSET


class _Turn(Struct, kw_only=True):
    to_act: Seats
    step: Step
    turn_number: int
    final_turns: Annotated[Seats | None, doc("The seats with a last turn left.")]


class DiscardedData(_Turn):
    """A turn ended with a discard."""

    move: DiscardMove
    planned: Planned = UNSET


class WentOutData(_Turn):
    """A player went out."""

    move: GoOutMove
    melds: list[Cards]
    planned: Planned = UNSET


class RoundScoredData(Struct):
    """The round was scored."""

    round: int
    went_out: int | None
    scores: Annotated[list[RoundScore], doc("By seat.")]
    totals: Annotated[list[int], doc("By seat.")]
    result: Result | None


class ThreeThirteenResigned(_Turn):
    """A resignation in Three Thirteen."""

    move: ResignMove
    place: int
    result: Result | None
    idle: int


class _Event(Struct, tag_field="type", kw_only=True):
    version: Annotated[int, doc("The game's version after it.")]
    seat: Annotated[int | None, doc("Whose event it is.")]
    recorded_at: Moment
    to_act: Annotated[list[int] | UnsetType, doc("In a stream: the seats to act, after all that came with it.")] = UNSET
    deadlines: Annotated[dict[str, Moment] | UnsetType, doc("In a stream: their deadlines.")] = UNSET


def _event(name: str, what: str | None, data: Any) -> type[Struct]:
    kind = re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return defstruct(
        f"{name}Event", [("data", data)], bases=(_Event,), namespace={"__doc__": what}, tag=kind, kw_only=True
    )


def _either(*data: type[Struct]) -> Any:
    return Annotated[Any, schema({"oneOf": [ref(one.__name__) for one in data]})]


_ALONE = (
    OpenedData, JoinedData, LeftData, KickedData, ChangedData, ChannelsChangedData, StartedData, BotSeatedData,
    PlayerReturnedData, PlayerReplacedData, TimedOutData, DeadlineMovedData, TurnExtendedData, CancelAgreedData,
    CalledOffData, FinishedData, VoidedData, RestoredData, DiscardedData, WentOutData, RoundScoredData, ArrangedData,
    PlayedData, FlippedData, PickedUpData, TurnEndedData, SettledData,
)  # fmt: skip
_BOTH = (SheddingDealt, ThreeThirteenDealt, SheddingDrew, ThreeThirteenDrew, SheddingResigned, ThreeThirteenResigned)
EVENTS = (
    *(_event(data.__name__.removesuffix("Data"), data.__doc__, data) for data in _ALONE),
    _event("Dealt", "Cards were dealt.", _either(*_BOTH[:2])),
    _event("Drew", "A card was drawn.", _either(*_BOTH[2:4])),
    _event("Resigned", "A player left the game for good.", _either(*_BOTH[4:])),
)


class PresentPlayer(Struct):
    """A player who is at the table now."""

    seat: int
    player: Annotated[Any, schema(ref("PlayerRef"))]


class Company(Struct):
    """Who is at the table now."""

    present: list[PresentPlayer]


class GameNews(Struct):
    """One of your games has changed, or is there when the stream begins."""

    id: UUID
    version: int
    status: Annotated[str, schema(ref("GameStatusEnum"))]
    your_turn: bool


COMPONENTS = components(
    *_BOTH,
    Company,
    GameNews,
    Effect=("What followed from a move.", EFFECTS),
    Event=("What happened. Parts that the caller may not see are null.", EVENTS),
)
