"""What can happen at the table, one small fact at a time; events are lists of these.

Each changes a draft of the state, and judges nothing.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from games.rules.cards import without
from games.rules.shedding.state import Bonus, State

Effect: TypeAlias = dict[str, Any]


def arranged(state: State, seat: int, face_up: list[str], hand: list[str]) -> None:
    """A seat chose its face-up cards; the others keep seeing what they saw."""
    state.change_player(seat, hand=tuple(hand), face_up=tuple(face_up), arranged=True)


def setup_ended(state: State, face_up: list[list[str]]) -> None:
    """All have chosen; `face_up`, a list per seat, is what everybody sees from now on."""
    for seat, up in enumerate(face_up):
        state.change_player(seat, face_up=tuple(up))
    state.phase, state.dealt_up = "playing", ()


def opening(state: State, seats: list[int], rank: str | None) -> None:
    """These seats may make the first play, of this rank if one is named. A single one has the turn."""
    state.openers, state.opening_rank = tuple(seats), rank
    state.turn = seats[0] if len(seats) == 1 else None
    state.turn_number = 1


def opened(state: State, raced: list[int]) -> None:
    """The first play is made; `raced` are the seats that could have made it too (CA2)."""
    state.openers, state.opening_rank, state.raced = (), None, tuple(raced)


def laid(
    state: State, *, seat: int, cards: list[str], hand: list[str], face_up: list[str], position: int | None
) -> None:
    """Cards went onto the pile in the order of `cards`: from the hand, the face-up cards and a face-down position."""
    if hand:
        state.change_player(seat, hand=without(state.players[seat].hand, hand))
    if face_up:
        state.change_player(seat, face_up=without(state.players[seat].face_up, face_up))
    if position is not None:
        _lift(state, seat, position)
    state.pile += tuple(cards)


def lifted(state: State, seat: int, position: int, card: str) -> None:
    """A face-down card that could not be played went to the hand."""
    _lift(state, seat, position)
    _to_hand(state, seat, card)


def shown(state: State, seat: int, position: int, card: str) -> None:
    """A face-down card was seen by all and went back to its position (CA11)."""
    seen = state.players[seat].shown
    state.change_player(seat, shown=tuple(was or place == position for place, was in enumerate(seen)))


def picked_up(state: State, seat: int, cards: list[str]) -> None:
    """The lowest cards of the pile, all but a joker left behind (TJ9), went to a hand."""
    _to_hand(state, seat, *cards)
    state.pile = state.pile[len(cards) :]


def closed(state: State, why: str) -> None:
    """The pile went out of play."""
    state.out_of_play += state.pile
    state.pile = ()


def drew(state: State, seat: int, count: int, cards: list[str]) -> None:
    """Cards went from the stock to a hand."""
    _to_hand(state, seat, *cards)
    state.stock = state.stock[count:]


def drew_to_pile(state: State, seat: int, card: str) -> None:
    """A card went from the stock straight onto the pile (CA7)."""
    state.stock = state.stock[1:]
    state.pile += (card,)


def face_up_to_hand(state: State, seat: int) -> None:
    """The face-up cards became the hand (TC8)."""
    _to_hand(state, seat, *state.players[seat].face_up)
    state.change_player(seat, face_up=())


def turned_round(state: State, direction: int) -> None:
    """Play goes in this direction from now on (CA6)."""
    state.direction = direction


def stalled(state: State, count: int) -> None:
    """The count of pick-ups without progress (S13)."""
    state.stalled = count


def out(state: State, seat: int, place: int) -> None:
    """A player has no card left."""
    state.change_player(seat, place=place)


def left(state: State, seat: int, place: int) -> None:
    """A player left the game, and the cards with it (S11)."""
    nothing = {"hand": (), "face_up": (), "face_down": (None, None, None), "shown": (False, False, False)}
    state.change_player(seat, **nothing, place=place, resigned=True)
    state.dealt_up = tuple(() if s == seat else up for s, up in enumerate(state.dealt_up))


def turn(state: State, seat: int, bonus: Bonus, number: int) -> None:
    """Whose turn it is and whether it is a bonus play; a new number is a new turn."""
    state.turn, state.bonus, state.turn_number = seat, bonus, number


def ended(state: State, placements: list[dict[str, Any]], ended_by: str) -> None:
    """The game is over."""
    for row in placements:
        state.change_player(row["seat"], place=row["place"])
    state.phase, state.turn, state.bonus = "finished", None, None
    state.openers = state.raced = state.dealt_up = ()
    state.result = {"ended_by": ended_by, "placements": placements}


def _to_hand(state: State, seat: int, *cards: str) -> None:
    state.change_player(seat, hand=state.players[seat].hand + cards)


def _lift(state: State, seat: int, position: int) -> None:
    player = state.players[seat]
    down, seen = list(player.face_down), list(player.shown)
    down[position], seen[position] = None, False
    state.change_player(seat, face_down=tuple(down), shown=tuple(seen))


EFFECTS: dict[str, Callable[..., None]] = {
    function.__name__: function
    for function in (
        arranged, setup_ended, opening, opened, laid, lifted, shown, picked_up, closed, drew, drew_to_pile,
        face_up_to_hand, turned_round, stalled, out, left, turn, ended,
    )
}  # fmt: skip


def apply(state: State, effect: Effect) -> None:
    """Lets one effect, `{"effect": name, **facts}`, happen on a draft."""
    facts = dict(effect)
    EFFECTS[facts.pop("effect")](state, **facts)
