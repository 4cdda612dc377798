"""What can happen at the table, one small fact at a time; events are lists of these.

Each changes a draft of the state, and judges nothing.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from games.rules.cards import without
from games.rules.shedding.state import State

Effect: TypeAlias = dict[str, Any]


def arranged(state: State, fact: Effect) -> None:
    """`seat` chose its cards `face_up` and keeps `hand`; the others keep seeing what they saw."""
    hand, face_up = tuple(fact["hand"]), tuple(fact["face_up"])
    state.change_player(fact["seat"], hand=hand, face_up=face_up, arranged=True)


def setup_ended(state: State, fact: Effect) -> None:
    """All have chosen; `face_up`, a list per seat, is what everybody sees from now on."""
    for seat, up in enumerate(fact["face_up"]):
        state.change_player(seat, face_up=tuple(up))
    state.phase, state.dealt_up = "playing", ()


def opening(state: State, fact: Effect) -> None:
    """`seats` may make the first play, of this `rank` if one is named. A single one has the turn."""
    seats = fact["seats"]
    state.openers, state.opening_rank = tuple(seats), fact["rank"]
    state.turn = seats[0] if len(seats) == 1 else None
    state.turn_number = 1


def opened(state: State, fact: Effect) -> None:
    """The first play is made; `raced` are the seats that could have made it too (CA2)."""
    state.openers, state.opening_rank, state.raced = (), None, tuple(fact["raced"])


def laid(state: State, fact: Effect) -> None:
    """`cards` of `seat` went onto the pile: from `hand`, from `face_up` and from the face-down `position`, if any."""
    seat, hand, face_up, position = fact["seat"], fact["hand"], fact["face_up"], fact["position"]
    if hand:
        state.change_player(seat, hand=without(state.players[seat].hand, hand))
    if face_up:
        state.change_player(seat, face_up=without(state.players[seat].face_up, face_up))
    if position is not None:
        _lift(state, seat, position)
    state.pile += tuple(fact["cards"])


def lifted(state: State, fact: Effect) -> None:
    """A face-down `card` at `position` that could not be played went to the hand of `seat`."""
    _lift(state, fact["seat"], fact["position"])
    _to_hand(state, fact["seat"], [fact["card"]])


def shown(state: State, fact: Effect) -> None:
    """A face-down `card` of `seat` was seen by all and went back to its `position` (CA11)."""
    seen = state.players[fact["seat"]].shown
    seen = tuple(was or place == fact["position"] for place, was in enumerate(seen))
    state.change_player(fact["seat"], shown=seen)


def picked_up(state: State, fact: Effect) -> None:
    """`cards`, the lowest of the pile, all but a joker left behind (TJ9), went to the hand of `seat`."""
    _to_hand(state, fact["seat"], fact["cards"])
    state.pile = state.pile[len(fact["cards"]) :]


def closed(state: State, fact: Effect) -> None:
    """The pile went out of play; `why` says what closed it."""
    state.out_of_play += state.pile
    state.pile = ()


def drew(state: State, fact: Effect) -> None:
    """`cards`, so many as `count` says, went from the stock to the hand of `seat`."""
    _to_hand(state, fact["seat"], fact["cards"])
    state.stock = state.stock[fact["count"] :]


def drew_to_pile(state: State, fact: Effect) -> None:
    """A `card` went from the stock straight onto the pile (CA7)."""
    state.stock = state.stock[1:]
    state.pile += (fact["card"],)


def face_up_to_hand(state: State, fact: Effect) -> None:
    """The face-up cards of `seat` became the hand (TC8)."""
    _to_hand(state, fact["seat"], state.players[fact["seat"]].face_up)
    state.change_player(fact["seat"], face_up=())


def turned_round(state: State, fact: Effect) -> None:
    """Play goes in this `direction` from now on (CA6)."""
    state.direction = fact["direction"]


def stalled(state: State, fact: Effect) -> None:
    """The `count` of pick-ups without progress (S13)."""
    state.stalled = fact["count"]


def out(state: State, fact: Effect) -> None:
    """`seat` has no card left and takes a `place`."""
    state.change_player(fact["seat"], place=fact["place"])


def left(state: State, fact: Effect) -> None:
    """`seat` left the game, and the cards with it, and takes a `place` (S11)."""
    gone = fact["seat"]
    nothing = {"hand": (), "face_up": (), "face_down": (None, None, None), "shown": (False, False, False)}
    state.change_player(gone, **nothing, place=fact["place"], resigned=True)
    state.dealt_up = tuple(() if seat == gone else up for seat, up in enumerate(state.dealt_up))


def turn(state: State, fact: Effect) -> None:
    """It is the turn of `seat`, with its `bonus` play if it has one; a new `number` is a new turn."""
    state.turn, state.bonus, state.turn_number = fact["seat"], fact["bonus"], fact["number"]


def ended(state: State, fact: Effect) -> None:
    """The game is over, with these `placements`; `ended_by` says why."""
    for row in fact["placements"]:
        state.change_player(row["seat"], place=row["place"])
    state.phase, state.turn, state.bonus = "finished", None, None
    state.openers = state.raced = state.dealt_up = ()
    state.result = {"ended_by": fact["ended_by"], "placements": fact["placements"]}


def _to_hand(state: State, seat: int, cards: Iterable[str]) -> None:
    state.change_player(seat, hand=(*state.players[seat].hand, *cards))


def _lift(state: State, seat: int, position: int) -> None:
    player = state.players[seat]
    down, seen = list(player.face_down), list(player.shown)
    down[position], seen[position] = None, False
    state.change_player(seat, face_down=tuple(down), shown=tuple(seen))


EFFECTS: dict[str, Callable[[State, Effect], None]] = {
    function.__name__: function
    for function in (
        arranged, setup_ended, opening, opened, laid, lifted, shown, picked_up, closed, drew, drew_to_pile,
        face_up_to_hand, turned_round, stalled, out, left, turn, ended,
    )
}  # fmt: skip
"""By name; an effect is `{"effect": name, **facts}`."""
