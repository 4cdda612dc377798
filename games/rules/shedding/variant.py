"""A shedding game as a value: its differences from the others, as fields and a few named functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple

from core.values import Value
from games.rules.cards import JOKER, RANKS
from games.rules.events import Facts
from games.rules.options import option
from games.rules.shedding.state import Bonus, Cards, State

HIGH = {rank: value for value, rank in enumerate(RANKS)}
"""The order of ranks: aces are high, 2s are low (S9)."""

PLAY_UNTIL = (
    "first_out: the first player without cards wins, and the game ends. "
    "last_left: play goes on until one player holds cards."
)
STALEMATE = option(
    "stalemate_after",
    20,
    "The game ends after this many pick-ups without progress for each player still in.",
    least=3,
    most=100,
)


def play_until(default: str) -> Value:
    return option("play_until", default, PLAY_UNTIL, words=("first_out", "last_left"))


class ToBeat(NamedTuple):
    """The ranks that can be played next: `rank` or higher, or `rank` or lower."""

    rank: str
    lower: bool = False


AT_LEAST = {rank: ToBeat(rank) for rank in RANKS + JOKER}
SEVEN_OR_LOWER = ToBeat("7", lower=True)


class Outcome(NamedTuple):
    closes: str | None = None
    """The reason why it closes the pile, or None."""
    bonus: Bonus = None
    takes_below: bool = False
    """True if the player takes the pile below the cards played (TJ9)."""
    reversals: int = 0


PLAIN = Outcome()
AGAIN = Outcome(bonus="may")
"""The player may play again."""


class Opening(NamedTuple):
    """The seats that may make the first play, and the rank it must be of, if any."""

    seats: list[int]
    rank: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """The differences of one shedding game. The engine has all that the games share."""

    name: str
    title: str
    summary: str
    min_seats: int
    max_seats: int
    options: tuple[Value, ...]
    jokers: bool
    decks: Callable[[int, Mapping[str, Any]], int]
    """Returns the number of decks for this many seats and these options."""
    opening: Callable[[State], Opening]
    to_beat: Callable[[Cards, int, Mapping[str, Any]], ToBeat | None]
    """Returns what the next play on this pile must be, given the pile, how many of its cards were played on the empty
    pile, and the options; None means any card."""
    outcome: Callable[[Cards, int, Mapping[str, Any]], Outcome]
    """Returns what a play does, given the pile with the play on top, the number of cards played and the options."""
    wild: Callable[[Mapping[str, Any], ToBeat | None], str]
    """Returns the ranks that can be played whatever the pile asks for, given the options and what it asks for."""
    order: str
    """The ranks from the lowest to the highest, as the game searches them for its opener. Plans use it."""
    spectators: bool = True
    any_card_opens: bool = False
    pace: tuple[int, float] | None = None
    plan_keeps: str = ""
    """The ranks that the usual plan keeps for last: those that are worth more later."""
    plans_small_hands: bool = False
    """True if the usual plan also plays from a hand of three or fewer once the stock is out."""
    rulesets: Mapping[str, str] = field(
        default_factory=lambda: {"house": "The rules as the people who play this game wrote them."}
    )
    ruleset_defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seat_defaults: Callable[[int], Mapping[str, Any]] = lambda seats: {}
    deals_face_up: bool = False
    """True if three cards are dealt face up and three to the hand (S1)."""
    turns_up: bool = False
    """True if the top card of the stock starts the pile (TJ2)."""
    direction: Callable[[Mapping[str, Any]], int] = lambda options: 1
    refills: Literal["turn", "play"] = "turn"
    """The time at which the hand is filled to three: the end of a turn, or after each play."""
    merges: Callable[[Mapping[str, Any]], bool] = lambda options: False
    """Returns whether the last cards of the hand may be played together with face-up cards (TJ6, TH9)."""
    face_up_joins_hand: bool = False
    """True if the face-up cards become the hand once hand and stock are empty (TC8)."""
    after_pick_up: Bonus = None
    """The bonus play after picking up (TH8)."""
    failed_flip_returns: bool = False
    """True if a face-down card that cannot be played goes back to its position (CA11)."""
    draws: Literal["fill", "gamble"] | None = None
    """The effect of `draw`, if any: fill the hand during bonus plays (TC6), or play a card from the stock (CA7)."""
    interrupts: bool = False
    hand_first: str = "Face-up cards can be played only once your hand is empty."
    """The reason for refusing a play of face-up cards, or of hand and face-up cards together."""
    calls: Callable[[State, Sequence[Facts]], list[str]] = lambda state, effects: []
    """Returns what players call the things that a move causes, given the state before it and its effects (TC10)."""
    who_dealt: Callable[[Sequence[Sequence[str]]], list[int]] = lambda hands: []
    """Returns the seats that may complain about their deal, given the hands dealt (TC10)."""


def in_a_row(pile: Cards, skipping: str = "") -> int:
    """Return how many cards of one rank lie on top of the pile, ignoring cards of the rank `skipping` (S10)."""
    rank, count = "", 0
    for card in reversed(pile):
        if card[0] == skipping:
            continue
        if rank and card[0] != rank:
            break
        rank, count = card[0], count + 1
    return count


def top_or_higher(pile: Cards) -> ToBeat | None:
    if not pile or pile[-1][0] == "2":
        return None
    return AT_LEAST[pile[-1][0]]


def first_with_lowest(state: State, order: str) -> Opening:
    """Return the first rank in `order` that is in a hand, and the first seat from the dealer's left to hold it."""
    around = [seat for seat in state.around(state.dealer + 1) if state.players[seat].place is None]
    for rank in order:
        for seat in around:
            if any(card[0] == rank for card in state.players[seat].hand):
                return Opening([seat], rank)
    raise AssertionError("no hand has a card to open with")


@cache
def ranks_that_go(beat: ToBeat | None, wild: str) -> frozenset[str]:
    if beat is None:
        return frozenset(RANKS + JOKER)
    value = HIGH[beat.rank]
    return frozenset(wild).union(rank for rank in RANKS if (HIGH[rank] <= value if beat.lower else HIGH[rank] >= value))
