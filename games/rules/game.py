"""What a game is to everything outside the rules: the protocol that all five games fulfil (CONTRACT)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from games.rules.errors import SetupError

Shuffle: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
"""Puts the cards it is given in some order; the only way in which chance enters."""

Viewer: TypeAlias = int | Literal["public"] | None
"""A seat, the public (who sees what all seats see), or None: omniscient."""

Event: TypeAlias = dict[str, Any]
"""`{"type": "played", "seat": 1 or None, "data": {...}}`, plain JSON; the event of a move has it as `data["move"]`."""

State: TypeAlias = Any
"""A game's own immutable state; opaque outside its package, except through the functions below."""


class Game(Protocol):
    """One of the five games.

    `decide` holds every rule and returns events; `evolve` holds none: it copies the events' facts.
    """

    name: str
    family: str
    """The engine whose events and states these are: "shedding" or "three_thirteen". Event types are unique in it."""
    title: str
    summary: str
    """The game in one sentence."""
    min_seats: int
    max_seats: int
    """With the default options; `seat_limits` gives the range for others."""
    has_penalties: bool
    """Whether scores are penalty points of rounds (less is better), not cards left."""
    spectators: bool
    """Whether people who do not play may see the table (TT10)."""
    rulesets: Mapping[str, str]
    """Each ruleset's name and what it is in a sentence."""
    default_ruleset: str
    state_schema: int
    """Grows when `dump` changes its shape; a stored state of another schema is rebuilt from the log."""

    def options_schema(self, ruleset: str) -> dict[str, Any]:
        """The options as a JSON Schema with ranges, explanations and the ruleset's defaults."""

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        """The ruleset and all options, defaults included. Raises SetupError."""

    def deal(
        self, seats: int, ruleset: str | None, options: object, dealer: int, shuffle: Shuffle
    ) -> tuple[State, list[Event]]:
        """A new game: its first state and its first event, `dealt`. Raises SetupError."""

    def decide(self, state: State, seat: int, move: object, shuffle: Shuffle) -> list[Event]:
        """The events of a legal move, the first being the move's own. Raises IllegalMove; changes nothing."""

    def evolve(self, state: State, event: Event) -> State:
        """The state after an event. The first event of a game, `dealt`, goes on the state None."""

    def status(self, state: State) -> Literal["setup", "playing", "finished"]:
        """How far the game is."""

    def to_act(self, state: State) -> list[int]:
        """The seats that may move now, sorted."""

    def may_interrupt(self, state: State) -> list[int]:
        """The seats that may only interrupt out of turn, sorted."""

    def legal_moves(self, state: State, seat: int) -> list[dict[str, Any]]:
        """The seat's legal moves, as CONTRACT lists them; empty when there is none."""

    def why_not(self, state: State, seat: int) -> dict[str, str] | None:
        """`{"code", "detail"}`: why the seat has no legal move now; None when it has one."""

    def is_safe_to_force(self, state: State, seat: int, move: dict[str, Any]) -> bool:
        """Whether making this move at once, the seat's only one, tells nobody anything about hidden cards."""

    def duties(self, state: State) -> dict[int, str]:
        """For each seat to act a key that stays as long as its duty does: one turn, or one setup choice."""

    def rounds_scored(self, state: State) -> int | None:
        """How many rounds have been scored so far; None in a game without rounds."""

    def result(self, state: State) -> dict[str, Any] | None:
        """The result as CONTRACT's `result`; None while the game runs."""

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """What the viewer may see of the state, as CONTRACT's Views say."""

    def redact(self, event: Event, viewer: Viewer) -> Event:
        """The event with what the viewer may not see as null."""

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON."""

    def load(self, stored: dict[str, Any]) -> State:
        """The state that `dump` stored."""


def seat_limits(game: Game, ruleset: str | None, options: object) -> tuple[int, int]:
    """The fewest and the most players who can play with these options (TH1: there must be cards enough for all).

    Raises SetupError for a ruleset or options that no number of players can have.
    """
    game.complete_options(game.min_seats, ruleset, options)
    most = next(seats for seats in range(game.max_seats, 0, -1) if _can_open(game, seats, ruleset, options))
    return game.min_seats, most


def _can_open(game: Game, seats: int, ruleset: str | None, options: object) -> bool:
    try:
        game.complete_options(seats, ruleset, options)
    except SetupError:
        return False
    return True
