"""What one shedding game of the family is: a frozen value of its differences and its few named functions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple

from games.rules.cards import JOKER, RANKS
from games.rules.options import Option
from games.rules.shedding.state import Bonus, Cards, State

HIGH = {rank: value for value, rank in enumerate(RANKS)}
"""S9: aces are high, 2 below 3."""

PLAY_UNTIL = (
    "first_out: whoever is out first wins; last_left: until one player holds cards, all places played for (S8)."
)
STALEMATE = Option(
    "stalemate_after",
    20,
    "After this many pick-ups without progress, times the players in play, the game ends (S13).",
    3,
    100,
)


def play_until(default: str) -> Option:
    """S8's option with a game's own default."""
    return Option("play_until", default, PLAY_UNTIL, choices=("first_out", "last_left"))


class ToBeat(NamedTuple):
    """What a play must match: `rank` or higher, or `rank` or lower."""

    rank: str
    lower: bool = False


AT_LEAST = {rank: ToBeat(rank) for rank in RANKS + JOKER}
SEVEN_OR_LOWER = ToBeat("7", lower=True)


class Outcome(NamedTuple):
    """What the cards just laid do."""

    closes: str | None = None
    """Why the pile is closed, or None."""
    bonus: Bonus = None
    takes_below: bool = False
    """The player takes the pile below the cards laid (TJ9)."""
    reversals: int = 0


PLAIN = Outcome()
"""The cards just lie there."""
AGAIN = Outcome(bonus="may")
"""The player has the right to play once more."""


class Opening(NamedTuple):
    """Who may make the first play, and the rank it must be of, if any."""

    seats: list[int]
    rank: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """The differences between the shedding games. Everything else is the engine's."""

    name: str
    title: str
    summary: str
    min_seats: int
    max_seats: int
    options: tuple[Option, ...]
    jokers: bool
    decks: Callable[[int, Mapping[str, Any]], int]
    """How many decks for so many seats and these options."""
    opening: Callable[[State], Opening]
    to_beat: Callable[[Cards, Mapping[str, Any]], ToBeat | None]
    """What the pile asks for; None: any card goes."""
    outcome: Callable[[Cards, int, Mapping[str, Any]], Outcome]
    """What a play does: the pile with the play on it, how many cards the play has, the options."""
    wild: Callable[[Mapping[str, Any]], str]
    """The ranks that go on anything."""
    spectators: bool = True
    """Whether people who do not play may see the table."""
    rulesets: Mapping[str, str] = field(default_factory=lambda: {"house": "The rules as its players wrote them."})
    ruleset_defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seat_defaults: Callable[[int], Mapping[str, Any]] = lambda seats: {}
    deals_face_up: bool = False
    """S1: three cards start face up, and the hand is three."""
    turns_up: bool = False
    """TJ2: the top of the stock starts the pile."""
    direction: Callable[[Mapping[str, Any]], int] = lambda options: 1
    refills: Literal["turn", "play"] = "turn"
    """When the hand is filled to three: at the end of a turn, or after each play."""
    merges: Callable[[Mapping[str, Any]], bool] = lambda options: False
    """Whether the last hand cards go together with face-up cards (TJ6, TH9)."""
    face_up_joins_hand: bool = False
    """TC8."""
    after_pick_up: Bonus = None
    """TH8: whoever picks up must play again."""
    failed_flip_returns: bool = False
    """CA11: a face-down card that fails goes back to its position."""
    draws: Literal["fill", "gamble"] | None = None
    """What `draw` means: fill the hand between bonus plays (TC6), or turn a card of the stock (CA7)."""
    interrupts: bool = False
    """CA9: a set of four may be completed out of turn."""


def in_a_row(pile: Cards, skipping: str = "") -> int:
    """S10: how many cards of one rank lie on top, from the top down, cards of the rank `skipping` not counted."""
    rank, count = "", 0
    for card in reversed(pile):
        if card[0] == skipping:
            continue
        if rank and card[0] != rank:
            break
        rank, count = card[0], count + 1
    return count


def top_or_higher(pile: Cards) -> ToBeat | None:
    """The common test: the top card or higher; anything on an empty pile and on a 2."""
    if not pile or pile[-1][0] == "2":
        return None
    return AT_LEAST[pile[-1][0]]


def first_with_lowest(state: State, order: str) -> Opening:
    """The first rank of `order` that a hand holds, and the first seat from the dealer's left that holds it."""
    around = [seat for seat in state.around(state.dealer + 1) if state.players[seat].place is None]
    for rank in order:
        for seat in around:
            if any(card[0] == rank for card in state.players[seat].hand):
                return Opening([seat], rank)
    raise AssertionError("every hand is empty when the opener is looked for")


@cache
def ranks_that_go(beat: ToBeat | None, wild: str) -> frozenset[str]:
    """The ranks that may be played."""
    if beat is None:
        return frozenset(RANKS + JOKER)
    value = HIGH[beat.rank]
    return frozenset(wild).union(rank for rank in RANKS if (HIGH[rank] <= value if beat.lower else HIGH[rank] >= value))


def goes(rank: str, beat: ToBeat | None, wild: str) -> bool:
    """Whether a card of this rank may be played."""
    return rank in ranks_that_go(beat, wild)
