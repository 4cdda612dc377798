"""The language of plans, as far as all games share it.

A family of games declares which moves a plan may hold (`Form`) and what a line may ask for (`Condition`). Each is
described by its JSON Schema, by which plans are checked and which clients read. `games.plans` reads plans and judges
them; it knows no game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from games.rules.cards import CARDS, JOKER, RANKS, SUITS
from games.rules.moves import IllegalMove

if TYPE_CHECKING:
    from games.rules.game import Event, Game, State

Schema: TypeAlias = Mapping[str, Any]
"""A JSON Schema. Its `title` says what the value must be, in words that follow "must be"."""

Move: TypeAlias = dict[str, Any]

RANK: Schema = {
    "type": "string",
    "enum": [*RANKS, JOKER],
    "title": "a rank (2 to 9, T, J, Q, K or A; X is a joker)",
}
CARD: Schema = {
    "type": "string",
    "enum": sorted(CARDS),
    "title": "a card",
}
YES_OR_NO: Schema = {"type": "boolean", "title": "true or false"}
COUNT: Schema = {"type": "integer", "minimum": 0, "title": "a whole number, 0 or more"}

SUIT_ORDER = {card: (SUITS + "RB").index(card[1]) for card in CARDS}
"""Of several cards of a rank, plans choose spades before hearts, diamonds and clubs, and the red joker first."""


def cards(least: int = 1, most: int | None = None) -> Schema:
    schema: dict[str, Any] = {"type": "array", "items": CARD, "minItems": least, "title": "a list of cards"}
    return schema if most is None else schema | {"maxItems": most}


def ranks(**also: Any) -> Schema:
    return {"type": "array", "items": RANK, "title": "a list of ranks", **also}


def only(word: str) -> Schema:
    return {"type": "string", "enum": [word], "title": f'"{word}"'}


def words(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices), "title": f"one of {', '.join(choices)}"}


class Position:
    def __init__(self, game: "Game", state: "State", seat: int) -> None:
        self.game = game
        self.state = state
        self.seat = seat

    @cached_property
    def legal(self) -> Sequence[Mapping[str, Any]]:
        return self.game.legal_moves(self.state, self.seat)

    @cached_property
    def view(self) -> Mapping[str, Any]:
        return self.game.view(self.state, self.seat)

    def decide(self, move: Move) -> "list[Event] | None":
        try:
            # Nothing is kept, so the order of a new stock does not matter.
            return self.game.decide(self.state, self.seat, move, list)
        except IllegalMove:
            return None


@dataclass(frozen=True, slots=True)
class Form:
    """A move as a plan names it: its keys, and the move it comes to.

    `find` returns the move for a position, or None if there is none that fits. `cards` returns the cards that must be
    held for it, for the form of a concrete move.
    """

    move: str
    description: str
    keys: Mapping[str, Schema]
    """The keys besides `move`. A key with a default may be missing."""
    find: Callable[[Position, Mapping[str, Any]], Move | None] = lambda _position, wanted: dict(wanted)
    cards: Callable[[Mapping[str, Any]], Sequence[str]] = lambda _wanted: ()
    optional: frozenset[str] = frozenset()
    """Keys that may be missing without a default."""

    @property
    def required(self) -> list[str]:
        return [key for key, schema in self.keys.items() if key not in self.optional and "default" not in schema]

    @property
    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "description": self.description,
            "properties": {"move": only(self.move), **self.keys},
            "required": ["move", *self.required],
            "additionalProperties": False,
        }


class Attempt:
    def __init__(self, position: Position, form: Form, wanted: Mapping[str, Any]) -> None:
        self.position = position
        self.form = form
        self.wanted = wanted

    @cached_property
    def move(self) -> Move | None:
        """The move as it would be sent, or None if there is none that fits."""
        return self.form.find(self.position, self.wanted)

    @cached_property
    def events(self) -> "list[Event] | None":
        return None if self.move is None else self.position.decide(self.move)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a line may have. `holds` tells whether it is met, for the value that the line gives."""

    name: str
    description: str
    value: Schema
    holds: Callable[[Attempt, Any], bool]

    @property
    def schema(self) -> dict[str, Any]:
        return {**self.value, "description": self.description}


def is_so(fact: Callable[[Position], bool]) -> Callable[[Attempt, Any], bool]:
    return lambda attempt, wanted: fact(attempt.position) is wanted


def at_least(count: Callable[[Position], int]) -> Callable[[Attempt, Any], bool]:
    return lambda attempt, wanted: count(attempt.position) >= wanted


def at_most(count: Callable[[Position], int]) -> Callable[[Attempt, Any], bool]:
    return lambda attempt, wanted: count(attempt.position) <= wanted
