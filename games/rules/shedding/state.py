"""The state of a shedding game: where the cards are and whose turn it is. It holds no rules.

States that leave the engine are frozen. A move is applied to a draft, a private copy of the state.
"""

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from games.rules.shedding.rules import Bonus, Cards, Rules

Phase: TypeAlias = Literal["setup", "playing", "finished"]
T = TypeVar("T")


@dataclass(frozen=True)
class Player:
    hand: Cards
    face_up: Cards
    face_down: tuple[str | None, ...]
    """The cards by position, from 0 on; None where a card is gone."""
    shown: tuple[bool, ...]
    """For each position, whether everybody has seen its face-down card (CA11)."""
    arranged: bool = False
    place: int | None = None
    resigned: bool = False
    train: int = 0
    """The number of the seat's turns in succession in which it picked up, each time under a card of the seat that had
    the turn before (TC10)."""

    @property
    def cards_left(self) -> int:
        return len(self.hand) + len(self.face_up) + len(self.face_down) - self.face_down.count(None)

    @property
    def has_cards(self) -> bool:
        return bool(self.hand or self.face_up) or self.face_down.count(None) < len(self.face_down)


@dataclass
class State:
    rules: Rules
    """What `options` come to: no part of the state, and not stored with it."""
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
    """1 for clockwise, -1 for counterclockwise."""
    dealt_up: tuple[Cards, ...] = ()
    """During setup, the cards that were dealt face up to each seat: all that others see (S2)."""
    phase: Phase = "setup"
    turn: int | None = None
    """The seat whose turn it is. None in setup, in an opening race and after the end."""
    turn_number: int = 0
    """Counts turns. A turn includes its bonus plays."""
    bonus: Bonus = None
    skips: int = 0
    """The number of seats that the turn will pass over (HG12)."""
    openers: tuple[int, ...] = ()
    """Before the first play, the seats that may make it."""
    opening_rank: str | None = None
    """Before the first play, the rank it must be of, if a ruling says so."""
    raced: tuple[int, ...] = ()
    """Right after an opening race, the seats that lost it (CA2)."""
    stalled: int = 0
    """The number of pick-ups without progress (S13)."""
    settled: tuple[int, ...] = ()
    """The seats that agree to end the game as it stands (S14), sorted."""
    laid_on_empty: int = 0
    """The number of cards at the bottom of the pile that were played on the empty pile (TH12)."""
    laid_by: int | None = None
    """The seat that played the top card of the pile; None for a card that was turned up, and on an empty pile."""
    turn_before: int | None = None
    calls: Cards = ()
    """The effects of the last move, as the players call them (TC10)."""
    who_dealt: tuple[int, ...] = ()
    """From the deal to the first move, the seats that were dealt low cards only (TC10). Others must not know."""
    result: Mapping[str, Any] | None = None

    @property
    def is_pile_of_turn_before(self) -> bool:
        return self.laid_by is not None and self.laid_by == self.turn_before

    @property
    def in_play(self) -> list[int]:
        """The seats without a place, sorted."""
        return [seat for seat, player in enumerate(self.players) if player.place is None]

    def next_in_play(self, seat: int) -> int:
        seats = len(self.players)
        seat = (seat + self.direction) % seats
        while self.players[seat].place is not None:
            seat = (seat + self.direction) % seats
        return seat

    def around(self, start: int) -> list[int]:
        seats = len(self.players)
        return [(start + step * self.direction) % seats for step in range(seats)]

    def draft(self) -> "State":
        return made_of(State, self.__dict__.copy())

    def freeze(self) -> "State":
        self.__class__ = FrozenState
        return self

    def change_player(self, seat: int, **changes: Any) -> None:
        """Change these fields of a seat's player. For drafts only."""
        players = list(self.players)
        players[seat] = made_of(Player, players[seat].__dict__ | changes)
        self.players = tuple(players)


class FrozenState(State):
    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")


def made_of(kind: type[T], fields: dict[str, Any]) -> T:
    # Not checked field by field: copies are most of the work of a game.
    record = object.__new__(kind)
    object.__setattr__(record, "__dict__", fields)
    return record
