"""The state of a shedding game: what lies where, whose turn it is. Without any rule.

The states that leave the engine are frozen. A move happens on a draft, a copy of the state that nobody else holds.
"""

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, Literal, TypeAlias, TypeVar

Cards: TypeAlias = tuple[str, ...]
Phase: TypeAlias = Literal["setup", "playing", "finished"]
Bonus: TypeAlias = Literal["may", "must"] | None
T = TypeVar("T")


@dataclass(frozen=True)
class Player:
    """One seat's cards and where it stands."""

    hand: Cards
    face_up: Cards
    face_down: tuple[str | None, ...]
    """Positions 0, 1, 2; None where the card is gone."""
    shown: tuple[bool, ...] = (False, False, False)
    """Which face-down cards everybody has seen (CA11)."""
    arranged: bool = False
    place: int | None = None
    resigned: bool = False

    @property
    def cards_left(self) -> int:
        """The cards held in all zones."""
        return len(self.hand) + len(self.face_up) + 3 - self.face_down.count(None)

    @property
    def has_cards(self) -> bool:
        """Whether a card is left in any zone."""
        return bool(self.hand or self.face_up) or self.face_down != (None, None, None)


@dataclass
class State:
    """A whole shedding game at one moment."""

    ruleset: str
    options: Mapping[str, Any]
    dealer: int
    players: tuple[Player, ...]
    stock: Cards
    """Top card first."""
    pile: Cards
    """Bottom first."""
    out_of_play: Cards
    direction: int
    """1 clockwise, -1 the other way."""
    dealt_up: tuple[Cards, ...] = ()
    """During setup: what the deal laid face up before each seat, which is all that others see (S2)."""
    phase: Phase = "setup"
    turn: int | None = None
    """The seat whose turn it is; None in setup, in an opening race and after the end."""
    turn_number: int = 0
    """Counts the turns: one turn with all its bonus plays is one duty."""
    bonus: Bonus = None
    openers: tuple[int, ...] = ()
    """Until the first play: the seats that may make it."""
    opening_rank: str | None = None
    """Until the first play: the rank it must be of, where a ruling says so."""
    raced: tuple[int, ...] = ()
    """Right after an opening race: the seats that lost it (CA2)."""
    stalled: int = 0
    """S13's count of pick-ups without progress."""
    result: Mapping[str, Any] | None = None

    @property
    def in_play(self) -> list[int]:
        """The seats that have no place yet, sorted."""
        return [seat for seat, player in enumerate(self.players) if player.place is None]

    def next_in_play(self, seat: int) -> int:
        """The next seat in play after `seat`, in the direction of play."""
        seats = len(self.players)
        seat = (seat + self.direction) % seats
        while self.players[seat].place is not None:
            seat = (seat + self.direction) % seats
        return seat

    def around(self, start: int) -> list[int]:
        """All seats in the direction of play, from `start` on."""
        seats = len(self.players)
        return [(start + step * self.direction) % seats for step in range(seats)]

    def draft(self) -> "State":
        """A copy that may be changed."""
        return _made_of(State, self.__dict__.copy())

    def freeze(self) -> "State":
        """From now on nothing changes this state; returns it."""
        self.__class__ = FrozenState
        return self

    def change_player(self, seat: int, **changes: Any) -> None:
        """Replaces a seat's player by one that differs in these fields; for drafts."""
        players = list(self.players)
        players[seat] = _made_of(Player, players[seat].__dict__ | changes)
        self.players = tuple(players)


class FrozenState(State):
    """A state that anybody may keep."""

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _made_of(kind: type[T], fields: dict[str, Any]) -> T:
    # What dataclasses.replace does, without its second look at every field: games are made of copies.
    record = object.__new__(kind)
    object.__setattr__(record, "__dict__", fields)
    return record
