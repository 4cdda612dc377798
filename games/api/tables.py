"""What one viewer may see of a table, and a deadline explained, as the OpenAPI document describes them.

Hidden parts are null.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from core.http.bodies import AnyObject, Moment, components, doc, one_of, one_shape, schema
from core.http.openapi import ref
from games.api.moves import Card, Cards
from games.rules import PLAYED
from games.rules.events import CALLS, WHAT_CALLS_ARE, EndedBy, Seats

Hidden = Cards | None
Direction = Annotated[Literal[1, -1], doc("1 is clockwise.")]
Step = Literal["draw", "discard"]
Calls = Annotated[list[Annotated[str, one_of(CALLS)]], doc(WHAT_CALLS_ARE)]
_VIEWS = {"shedding": "SheddingView", "three_thirteen": "ThreeThirteenView"}


class Placement(Struct):
    """The place of a seat."""

    seat: int
    place: int
    score: int | None


class Result(Struct):
    """How a game ended; placements by place, then seat."""

    ended_by: EndedBy
    placements: list[Placement]


class ToBeat(Struct):
    """What the next play must match or beat."""

    rank: str
    way: Literal["higher", "lower"] = field(name="or")


class SheddingPlayer(Struct):
    """One seat of a shedding game."""

    seat: int
    hand_count: int
    hand: Hidden
    face_up: Hidden
    face_down: Annotated[list[bool], doc("Whether there is still a card at each position.")]
    face_down_cards: Annotated[list[Card | None], doc("The face-down cards, by position.")]
    arranged: Annotated[bool, doc("Whether the face-up cards have been chosen.")]
    place: int | None


class _View(Struct):
    game: str
    ruleset: str
    options: AnyObject
    seats: int
    dealer: int
    status: Literal["setup", "playing", "finished"]
    to_act: Annotated[Seats, doc("The seats that can move now, sorted.")]
    may_interrupt: Annotated[
        Seats, doc("The seats that can interrupt out of turn. Players see only their own seat here.")
    ]
    result: Result | None


def _games(family: str) -> Meta:
    return one_of(name for name, rules in PLAYED.items() if rules.family == family)


class SheddingView(_View):
    """The table of a shedding game."""

    game: Annotated[str, _games("shedding")]
    players: Annotated[list[SheddingPlayer], doc("In seat order.")]
    pile: Annotated[Cards, doc("Bottom first.")]
    to_beat: Annotated[ToBeat | None, doc("null if any card may be played.")]
    stock_count: int
    out_of_play: Annotated[Cards, doc("The cards out of play, in order.")]
    direction: Direction
    bonus: Annotated[Literal["may", "must"] | None, doc("Whether the player to move can or must play again.")]
    stalled: Annotated[int, doc("The number of pick-ups since the last progress.")]
    may_settle: Annotated[bool, doc("Whether the game stands still, so that players can `settle`, even out of turn.")]
    settled: Annotated[Seats, doc("The seats that have agreed to end the game as it stands.")]
    laid_on_empty: Annotated[
        int, doc("How many cards at the bottom of the pile were played together onto the empty pile.")
    ]
    calls: Calls
    skips: Annotated[int | UnsetType, doc("House games: how many seats the turn will skip.")] = UNSET
    powerless: Annotated[
        int | UnsetType, doc("House games: how many cards at the bottom of the pile have no power.")
    ] = UNSET


class RoundScore(Struct):
    """A seat's round of Three Thirteen, as it was scored."""

    penalty: int
    melds: list[Cards]
    left: Cards
    went_out: bool


class ThreeThirteenPlayer(Struct):
    """One seat of Three Thirteen."""

    seat: int
    hand_count: int
    hand: Hidden
    rounds: list[RoundScore]
    total: int


class ThreeThirteenView(_View):
    """The table of Three Thirteen."""

    game: Annotated[str, _games("three_thirteen")]
    players: Annotated[list[ThreeThirteenPlayer], doc("In seat order.")]
    round: int
    wild: str
    step: Step
    stock_count: int
    discard_count: int
    discard_top: Card | None
    went_out: int | None
    laid: Annotated[list[Cards] | None, doc("The melds of the player who went out, until the round is scored.")]
    renewed: Annotated[int, doc("How many times the stock has been renewed in this round.")]


Seconds = Annotated[float, Meta(ge=0)]


class ClockSegment(Struct):
    """A stretch of a turn's time.

    The player sees turn, bank, weekend, vacation, quiet_hours and outage; others see time, weekend and outage.
    """

    begins: Moment = field(name="from")
    to: Moment
    seconds: Seconds
    kind: Literal["deduction", "time", "pause", "refund"]
    reason: Literal["turn", "bank", "time", "weekend", "vacation", "quiet_hours", "outage"]


class ClockNow(Struct):
    """The player's own: whether the clock runs, until when that stays so, and what is left."""

    at: Moment
    reason: str | None
    runs: bool
    until: Moment | None
    turn_left: Seconds
    bank_left: Seconds


class TurnClock(Struct):
    """One seat's deadline: `segments` from `began_at` to `deadline_at` without gap, `totals` in seconds by reason."""

    began_at: Moment
    deadline_at: Moment
    per_turn: Seconds
    extra: Annotated[Seconds, doc("The time that a ruling added to this turn.")]
    bank: Annotated[Seconds, doc("The reserve left when the turn began.")]
    segments: list[ClockSegment]
    totals: dict[str, Seconds]
    now: ClockNow | UnsetType = UNSET


COMPONENTS: dict[str, Any] = {
    **components(SheddingView, ThreeThirteenView, TurnClock),
    "View": one_shape(
        "The table as the caller may see it.", "game", {name: _VIEWS[rules.family] for name, rules in PLAYED.items()}
    ),
}
View = Annotated[Any, schema(ref("View", nullable=True))]
