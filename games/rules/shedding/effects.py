"""Effects: the small facts that events are made of. Each changes a draft of the state and checks no rules."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from games.rules.cards import without
from games.rules.shedding.state import State

Effect: TypeAlias = dict[str, Any]


def arranged(state: State, fact: Effect) -> None:
    """`seat` chose its `face_up` cards and keeps `hand`. Others do not see the choice yet."""
    hand, face_up = tuple(fact["hand"]), tuple(fact["face_up"])
    state.change_player(fact["seat"], hand=hand, face_up=face_up, arranged=True)


def setup_ended(state: State, fact: Effect) -> None:
    """Every seat has chosen. `face_up`, a list per seat, is now visible to all."""
    for seat, up in enumerate(fact["face_up"]):
        state.change_player(seat, face_up=tuple(up))
    state.phase, state.dealt_up = "playing", ()


def opening(state: State, fact: Effect) -> None:
    """`seats` may make the first play, which must be of `rank` unless that is None. A single seat has the turn."""
    seats = fact["seats"]
    state.openers, state.opening_rank = tuple(seats), fact["rank"]
    state.turn = seats[0] if len(seats) == 1 else None
    state.turn_number = 1


def opened(state: State, fact: Effect) -> None:
    """The first play was made. The `raced` seats could have made it, too (CA2)."""
    state.openers, state.opening_rank, state.raced = (), None, tuple(fact["raced"])


def laid(state: State, fact: Effect) -> None:
    """`seat` played `cards`: from its `hand`, its `face_up` cards and the face-down `position`, if any."""
    seat, hand, face_up, position = fact["seat"], fact["hand"], fact["face_up"], fact["position"]
    state.change_player(seat, hand=without(state.players[seat].hand, hand), train=0)
    if face_up:
        state.change_player(seat, face_up=without(state.players[seat].face_up, face_up))
    if position is not None:
        _lift(state, seat, position)
    _to_pile(state, fact["cards"], seat)


def lifted(state: State, fact: Effect) -> None:
    """The face-down `card` at `position` could not be played and went to the hand of `seat`."""
    _lift(state, fact["seat"], fact["position"])
    _to_hand(state, fact["seat"], [fact["card"]])


def shown(state: State, fact: Effect) -> None:
    """The face-down `card` of `seat` was shown to all and went back to its `position` (CA11)."""
    seen = state.players[fact["seat"]].shown
    seen = tuple(was or place == fact["position"] for place, was in enumerate(seen))
    state.change_player(fact["seat"], shown=seen)


def picked_up(state: State, fact: Effect) -> None:
    """`cards` went from the bottom of the pile to the hand of `seat`: all, or all but a joker just played (TJ9)."""
    seat = fact["seat"]
    _to_hand(state, seat, fact["cards"])
    state.change_player(seat, train=state.players[seat].train + 1 if state.is_pile_of_turn_before else 0)
    state.pile, state.laid_on_empty = state.pile[len(fact["cards"]) :], 0
    state.laid_by = state.laid_by if state.pile else None


def closed(state: State, fact: Effect) -> None:
    """The pile was closed and went out of play. `why` says what closed it."""
    state.out_of_play += state.pile
    state.pile, state.laid_on_empty, state.laid_by = (), 0, None


def drew(state: State, fact: Effect) -> None:
    _to_hand(state, fact["seat"], fact["cards"])
    state.stock = state.stock[fact["count"] :]


def drew_to_pile(state: State, fact: Effect) -> None:
    """`card` went from the stock straight onto the pile (CA7)."""
    state.stock = state.stock[1:]
    _to_pile(state, [fact["card"]], fact["seat"])


def face_up_to_hand(state: State, fact: Effect) -> None:
    """The face-up cards of `seat` became the hand (TC8)."""
    _to_hand(state, fact["seat"], state.players[fact["seat"]].face_up)
    state.change_player(fact["seat"], face_up=())


def turned_round(state: State, fact: Effect) -> None:
    """The direction of play is now `direction` (CA6)."""
    state.direction = fact["direction"]


def stalled(state: State, fact: Effect) -> None:
    """The number of pick-ups without progress is now `count` (S13)."""
    state.stalled = fact["count"]


def settled(state: State, fact: Effect) -> None:
    """The `seats` that agree to end the game as it stands are these now (S14)."""
    state.settled = tuple(fact["seats"])


def out(state: State, fact: Effect) -> None:
    state.change_player(fact["seat"], place=fact["place"])


def left(state: State, fact: Effect) -> None:
    """`seat` left the game with its cards and takes `place` (S11)."""
    gone = fact["seat"]
    nothing = {"hand": (), "face_up": (), "face_down": (None, None, None), "shown": (False, False, False)}
    state.change_player(gone, **nothing, place=fact["place"], resigned=True)
    state.dealt_up = tuple(() if seat == gone else up for seat, up in enumerate(state.dealt_up))


def turn(state: State, fact: Effect) -> None:
    """It is the turn of `seat`, perhaps for a `bonus` play. A new `number` is a new turn."""
    if fact["number"] != state.turn_number:
        state.turn_before = state.turn
    state.turn, state.bonus, state.turn_number = fact["seat"], fact["bonus"], fact["number"]


def ended(state: State, fact: Effect) -> None:
    """The game is over, with these `placements`. `ended_by` says why."""
    for row in fact["placements"]:
        state.change_player(row["seat"], place=row["place"])
    state.phase, state.turn, state.bonus = "finished", None, None
    state.openers = state.raced = state.dealt_up = ()
    state.result = {"ended_by": fact["ended_by"], "placements": fact["placements"]}


def _to_hand(state: State, seat: int, cards: Iterable[str]) -> None:
    state.change_player(seat, hand=(*state.players[seat].hand, *cards))


def _to_pile(state: State, cards: Sequence[str], seat: int) -> None:
    if not state.pile:
        state.laid_on_empty = len(cards)
    state.pile, state.laid_by = (*state.pile, *cards), seat


def _lift(state: State, seat: int, position: int) -> None:
    player = state.players[seat]
    down, seen = list(player.face_down), list(player.shown)
    down[position], seen[position] = None, False
    state.change_player(seat, face_down=tuple(down), shown=tuple(seen))


EFFECTS: dict[str, Callable[[State, Effect], None]] = {
    function.__name__: function
    for function in (
        arranged, setup_ended, opening, opened, laid, lifted, shown, picked_up, closed, drew, drew_to_pile,
        face_up_to_hand, turned_round, stalled, settled, out, left, turn, ended,
    )
}  # fmt: skip
"""The effects by name. An effect is stored as `{"effect": name, **facts}`."""
