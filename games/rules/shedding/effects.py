"""What can happen at the table, one small fact at a time. Applying a fact judges nothing: events are lists of these."""

from collections.abc import Callable
from typing import Any, TypeAlias

from games.rules.cards import without
from games.rules.shedding.state import Bonus, Player, State

Effect: TypeAlias = dict[str, Any]


def arranged(state: State, seat: int, face_up: list[str], hand: list[str]) -> State:
    """A seat chose its face-up cards; the others keep seeing what they saw."""
    player = state.players[seat].but(hand=tuple(hand), face_up=tuple(face_up), arranged=True)
    return state.with_player(seat, player)


def setup_ended(state: State, face_up: list[list[str]]) -> State:
    """All have chosen; `face_up`, a list per seat, is what everybody sees from now on."""
    players = tuple(player.but(face_up=tuple(up)) for player, up in zip(state.players, face_up, strict=True))
    return state.but(phase="playing", players=players, dealt_up=())


def opening(state: State, seats: list[int], rank: str | None) -> State:
    """These seats may make the first play, of this rank if one is named. A single one has the turn."""
    turn = seats[0] if len(seats) == 1 else None
    return state.but(openers=tuple(seats), opening_rank=rank, turn=turn, turn_number=1)


def opened(state: State, raced: list[int]) -> State:
    """The first play is made; `raced` are the seats that could have made it too (CA2)."""
    return state.but(openers=(), opening_rank=None, raced=tuple(raced))


def laid(
    state: State, *, seat: int, cards: list[str], hand: list[str], face_up: list[str], position: int | None
) -> State:
    """Cards went onto the pile in the order of `cards`: from the hand, the face-up cards and a face-down position."""
    player = state.players[seat]
    if hand:
        player = player.but(hand=without(player.hand, hand))
    if face_up:
        player = player.but(face_up=without(player.face_up, face_up))
    if position is not None:
        player = _lift(player, position)
    return state.with_player(seat, player, pile=(*state.pile, *cards))


def lifted(state: State, seat: int, position: int, card: str) -> State:
    """A face-down card that could not be played went to the hand."""
    player = _lift(state.players[seat], position)
    return state.with_player(seat, player.but(hand=(*player.hand, card)))


def shown(state: State, seat: int, position: int, card: str) -> State:
    """A face-down card was seen by all and went back to its position (CA11)."""
    player = state.players[seat]
    seen = tuple(was or place == position for place, was in enumerate(player.shown))
    return state.with_player(seat, player.but(shown=seen))


def picked_up(state: State, seat: int, cards: list[str]) -> State:
    """The lowest cards of the pile, all but a joker left behind (TJ9), went to a hand."""
    player = state.players[seat]
    return state.with_player(seat, player.but(hand=(*player.hand, *cards)), pile=state.pile[len(cards) :])


def closed(state: State, why: str) -> State:
    """The pile went out of play."""
    return state.but(out_of_play=state.out_of_play + state.pile, pile=())


def drew(state: State, seat: int, count: int, cards: list[str]) -> State:
    """Cards went from the stock to a hand."""
    player = state.players[seat]
    return state.with_player(seat, player.but(hand=(*player.hand, *cards)), stock=state.stock[count:])


def drew_to_pile(state: State, seat: int, card: str) -> State:
    """A card went from the stock straight onto the pile (CA7)."""
    return state.but(stock=state.stock[1:], pile=(*state.pile, card))


def face_up_to_hand(state: State, seat: int) -> State:
    """The face-up cards became the hand (TC8)."""
    player = state.players[seat]
    return state.with_player(seat, player.but(hand=player.hand + player.face_up, face_up=()))


def turned_round(state: State, direction: int) -> State:
    """Play goes in this direction from now on (CA6)."""
    return state.but(direction=direction)


def stalled(state: State, count: int) -> State:
    """The count of pick-ups without progress (S13)."""
    return state.but(stalled=count)


def out(state: State, seat: int, place: int) -> State:
    """A player has no card left."""
    return state.with_player(seat, state.players[seat].but(place=place))


def left(state: State, seat: int, place: int) -> State:
    """A player left the game, and the cards with it (S11)."""
    player = state.players[seat]
    gone = Player((), (), (None, None, None), arranged=player.arranged, place=place, resigned=True)
    dealt_up = tuple(() if s == seat else up for s, up in enumerate(state.dealt_up))
    return state.with_player(seat, gone, dealt_up=dealt_up)


def turn(state: State, seat: int, bonus: Bonus, number: int) -> State:
    """Whose turn it is and whether it is a bonus play; a new number is a new turn."""
    return state.but(turn=seat, bonus=bonus, turn_number=number)


def ended(state: State, placements: list[dict[str, Any]], ended_by: str) -> State:
    """The game is over."""
    places = {row["seat"]: row["place"] for row in placements}
    players = tuple(player.but(place=places[seat]) for seat, player in enumerate(state.players))
    result = {"ended_by": ended_by, "placements": placements}
    return state.but(
        phase="finished", players=players, turn=None, bonus=None, openers=(), raced=(), dealt_up=(), result=result
    )


def _lift(player: Player, position: int) -> Player:
    down, seen = list(player.face_down), list(player.shown)
    down[position], seen[position] = None, False
    return player.but(face_down=tuple(down), shown=tuple(seen))


EFFECTS: dict[str, Callable[..., State]] = {
    function.__name__: function
    for function in (
        arranged, setup_ended, opening, opened, laid, lifted, shown, picked_up, closed, drew, drew_to_pile,
        face_up_to_hand, turned_round, stalled, out, left, turn, ended,
    )
}  # fmt: skip


def apply(state: State, effect: Effect) -> State:
    """The state after one effect, `{"effect": name, **facts}`."""
    facts = dict(effect)
    return EFFECTS[facts.pop("effect")](state, **facts)
