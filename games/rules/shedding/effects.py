"""Effects: the small facts that events are made of. Each changes a draft of the state and checks no rules."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from games.rules.cards import pretty, row, without
from games.rules.events import LEFT_OUT, Card, Cards, Effect, EndedBy, Own, Placement, Seats, Told
from games.rules.shedding.state import State
from games.rules.words import counted, listed, ordinal

Fact: TypeAlias = dict[str, Any]
Direction: TypeAlias = Annotated[Literal[1, -1], "1 is clockwise."]
CLOSED_BY = ("ten", "joker", "three_in_a_row", "four_in_a_row", "set_of_four")


class Arranged(Effect):
    """The seat has chosen. Others do not see the choice before the setup ends."""

    seat: int
    face_up: Own
    hand: Own

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        hand, face_up = tuple(fact["hand"]), tuple(fact["face_up"])
        state.change_player(fact["seat"], hand=hand, face_up=face_up, arranged=True)


class SetupEnded(Effect):
    """Everyone has chosen."""

    words = "all have chosen"
    face_up: Annotated[list[Cards], "Everyone's face-up cards, by seat."]

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        for seat, up in enumerate(fact["face_up"]):
            state.change_player(seat, face_up=tuple(up))
        state.phase, state.dealt_up = "playing", ()


class Opening(Effect):
    """These seats may make the first play. A single one has the turn."""

    seats: Seats
    rank: Annotated[str | None, "The rank of the first play; null if any card can be played."]

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        seats = fact["seats"]
        state.openers, state.opening_rank = tuple(seats), fact["rank"]
        state.turn = seats[0] if len(seats) == 1 else None
        state.turn_number = 1

    def sentence(self, told: Told) -> str:
        return "to open: " + ", ".join(told.all(self.seats))


class Opened(Effect):
    """The first play has been made."""

    raced: Annotated[Seats, "Castle: the other seats that could have opened."]

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.openers, state.opening_rank, state.raced = (), None, tuple(fact["raced"])

    def sentence(self, told: Told) -> str:
        return f"{listed(told.all(self.raced))} lost the race to open" if self.raced else ""


class Laid(Effect):
    """Cards went onto the pile: from the hand, from the face-up cards, or the one at the face-down position."""

    seat: int
    cards: Cards
    hand: Cards
    face_up: Cards
    position: int | None

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        seat, hand, face_up, position = fact["seat"], fact["hand"], fact["face_up"], fact["position"]
        state.change_player(seat, hand=without(state.players[seat].hand, hand), train=0)
        if face_up:
            state.change_player(seat, face_up=without(state.players[seat].face_up, face_up))
        if position is not None:
            _lift(state, seat, position)
        _to_pile(state, fact["cards"], seat)


class Lifted(Effect):
    """The face-down card could not be played and went to the hand."""

    seat: int
    position: int
    card: Card

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        _lift(state, fact["seat"], fact["position"])
        _to_hand(state, fact["seat"], [fact["card"]])


class Shown(Effect):
    """Castle: the face-down card could not be played and went back to its position, seen by all."""

    did = "laid it back"
    seat: int
    position: int
    card: Card

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        seen = state.players[fact["seat"]].shown
        seen = tuple(was or place == fact["position"] for place, was in enumerate(seen))
        state.change_player(fact["seat"], shown=seen)


class PickedUp(Effect):
    """Cards of the pile went to the hand: all, or all but a joker just played (TJ9)."""

    seat: int
    cards: Cards

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        seat = fact["seat"]
        _to_hand(state, seat, fact["cards"])
        state.change_player(seat, train=state.players[seat].train + 1 if state.is_pile_of_turn_before else 0)
        state.pile, state.laid_on_empty = state.pile[len(fact["cards"]) :], 0
        state.laid_by = state.laid_by if state.pile else None

    def done(self) -> str:
        return f"took the pile ({counted(len(self.cards), 'card')})"


class Closed(Effect):
    """The pile went out of play."""

    did = "cleared the pile"
    why: Annotated[str, CLOSED_BY, "What cleared the pile; each game has its own words."]

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.out_of_play += state.pile
        state.pile, state.laid_on_empty, state.laid_by = (), 0, None


class Drew(Effect):
    """Cards from the stock went to the hand."""

    seat: int
    count: int
    cards: Annotated[Own, "Shown only to the player who drew them."]

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        _to_hand(state, fact["seat"], fact["cards"])
        state.stock = state.stock[fact["count"] :]

    def done(self) -> str:
        return f"drew {row(self.cards) if self.cards else counted(self.count, 'card')}"


class DrewToPile(Effect):
    """Castle: a card went from the stock onto the pile."""

    seat: int
    card: Card

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.stock = state.stock[1:]
        _to_pile(state, [fact["card"]], fact["seat"])

    def done(self) -> str:
        return f"played {pretty(self.card)} from the stock"


class FaceUpToHand(Effect):
    """Three Card: the face-up cards became the hand."""

    did = "took the face-up cards into hand"
    seat: int

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        _to_hand(state, fact["seat"], state.players[fact["seat"]].face_up)
        state.change_player(fact["seat"], face_up=())


class TurnedRound(Effect):
    """The direction of play changed."""

    direction: Direction

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.direction = fact["direction"]

    def sentence(self, told: Told) -> str:
        return f"play turned {'clockwise' if self.direction == 1 else 'counterclockwise'}"


class Stalled(Effect):
    """How many pick-ups there have been without progress."""

    count: int

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.stalled = fact["count"]


class Settled(Effect):
    """The seats that have now agreed to end the game as it stands."""

    seats: Seats

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.settled = tuple(fact["seats"])

    def sentence(self, told: Told) -> str:
        return f"agreed so far: {listed(told.all(self.seats)) or 'nobody'}"


class Out(Effect):
    """The seat has no card left."""

    seat: int
    place: int

    def done(self) -> str:
        return f"went out, {ordinal(self.place)}"

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        state.change_player(fact["seat"], place=fact["place"])


class Left(Effect):
    """The seat resigned; its cards are gone."""

    seat: int
    place: int

    def done(self) -> str:
        return f"came {ordinal(self.place)}"

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        gone = fact["seat"]
        places = len(state.players[gone].face_down)
        nothing = {"hand": (), "face_up": (), "face_down": (None,) * places, "shown": (False,) * places}
        state.change_player(gone, **nothing, place=fact["place"], resigned=True)
        state.dealt_up = tuple(() if seat == gone else up for seat, up in enumerate(state.dealt_up))


class Turn(Effect):
    """Whose turn it is."""

    seat: int
    bonus: Literal["may", "must"] | None
    number: Annotated[int, "Each turn has a new number."]
    skips: Annotated[int, "Only in a bonus play after cards that skip: how many seats the turn will skip."] = LEFT_OUT

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        if fact["number"] != state.turn_number:
            state.turn_before = state.turn
        state.turn, state.bonus, state.turn_number = fact["seat"], fact["bonus"], fact["number"]
        state.skips = fact.get("skips", 0)

    def sentence(self, told: Told) -> str:
        return f"{told.who} {self.bonus} play again" if self.bonus else f"next: {told.who}"


class Ended(Effect):
    """The game is over."""

    placements: list[Placement]
    ended_by: EndedBy

    @staticmethod
    def apply(state: State, fact: Fact) -> None:
        for placed in fact["placements"]:
            state.change_player(placed["seat"], place=placed["place"])
        state.phase, state.turn, state.bonus, state.skips = "finished", None, None, 0
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
