"""The interface of a game: the protocol that all games implement."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from core.values import Value
from games.rules.events import Viewer
from games.rules.options import SetupError
from games.rules.planning import Condition, Form

Shuffle: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
"""Returns the given cards in some order. The only source of randomness."""

Event: TypeAlias = dict[str, Any]
"""Plain JSON: `{"type": "played", "seat": 1 or None, "data": {...}}`. A move's event has the move in `data["move"]`."""

State: TypeAlias = Any
"""The immutable state of a game. Opaque outside its package, except through the methods below."""


class Game(Protocol):
    """One of the five games, or a house game.

    `decide` holds all rules and returns events. `evolve` applies the facts of an event and holds none.
    """

    name: str
    family: str
    """The engine that plays this game: "shedding" or "three_thirteen". Types of events are unique within a family."""
    title: str
    summary: str
    """The game in one sentence."""
    min_seats: int
    max_seats: int
    """The most players with default options. `seat_limits` returns the limits for given options."""
    has_penalties: bool
    """True if scores are penalty points of rounds, where less is better, rather than cards left."""
    interrupts: bool
    """True if a seat may play out of turn (CA9c)."""
    spectators: bool
    """True if people who do not play may see the table (TT10)."""
    any_card_opens: bool
    """True if the first card may be any (TH2); else it is the lowest one in a hand, where a pile is opened at all."""
    pace: tuple[int, float] | None
    """In a game among four: the turns that wait for somebody, and the days it takes people who are told and look three
    times a day (docs/build/plans.md). None if nobody has simulated it."""
    rulesets: Mapping[str, str]
    """The name of each ruleset, and a sentence about it."""
    default_ruleset: str
    state_schema: int
    """Grows when `dump` changes its shape. Stored states of another schema are rebuilt from the log."""

    @property
    def digest(self) -> str | None:
        """SHA-256 of the rules of a house game (HG19); None of the others."""

    @property
    def plan_forms(self) -> Sequence[Form]:
        """The moves that a plan may hold."""

    @property
    def plan_conditions(self) -> Sequence[Condition]:
        """Return the conditions that a line of a plan may ask for."""

    def usual_plan(self, *, stock: bool) -> list[dict[str, Any]]:
        """Return the lines of a plan that suits most turns while there is a stock, or without one."""

    def options_of(self, ruleset: str) -> dict[str, Value]:
        """Return the options by name, with the ruleset's defaults. Raises SetupError."""

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        """Return the ruleset and all options, defaults included. Raises SetupError."""

    def deal(
        self, seats: int, ruleset: str | None, options: object, dealer: int, shuffle: Shuffle
    ) -> tuple[State, list[Event]]:
        """Deal a new game: return its first state and its first event, `dealt`. Raises SetupError."""

    def decide(self, state: State, seat: int, move: object, shuffle: Shuffle) -> list[Event]:
        """Return the events of a legal move, its own event first. Raises IllegalMove. Changes nothing."""

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after an event. The first event of a game, `dealt`, is applied to None."""

    def status(self, state: State) -> Literal["setup", "playing", "finished"]:
        """Return the status of the game."""

    def to_act(self, state: State) -> list[int]:
        """Return the seats that may move now, sorted."""

    def may_interrupt(self, state: State) -> list[int]:
        """Return the seats that may only interrupt out of turn, sorted."""

    def may_settle(self, state: State) -> list[int]:
        """Return the seats that may agree now to end the game as it stands and have not, sorted (S14)."""

    def legal_moves(self, state: State, seat: int) -> list[dict[str, Any]]:
        """Return the seat's legal moves, as `GET games/{id}` lists them."""

    def why_not(self, state: State, seat: int) -> dict[str, str] | None:
        """Return `{"code", "detail"}`, the reason why the seat has no legal move, or None if it has one."""

    def is_safe_to_force(self, state: State, seat: int, move: dict[str, Any]) -> bool:
        """Return whether the seat's only legal move can be made at once without giving away hidden cards."""

    def duties(self, state: State) -> dict[int, str]:
        """Return a key for each seat to act. The key stays the same during one duty: a turn, or a setup choice."""

    def rounds_scored(self, state: State) -> int | None:
        """Return how many rounds have been scored so far, or None if the game has no rounds."""

    def standing(self, state: State) -> list[dict[str, Any]]:
        """The placements if the game ended as it stands. Seats that are out keep their places (LI2)."""

    def as_in_turn(self, state: State, seat: int) -> State:
        """Return the state of a running game as if the seat's turn began with the table as it is."""

    def held(self, state: State, seat: int) -> Sequence[str]:
        """Return the cards that the seat may name in a move: its hand, and in shedding games its face-up cards."""

    def result(self, state: State) -> dict[str, Any] | None:
        """Return the result as a view has it, or None while the game runs."""

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return what the viewer may see of the state."""

    def redact(self, event: Event, viewer: Viewer) -> Event:
        """Return the event with null for what the viewer may not see."""

    def dump(self, state: State) -> dict[str, Any]:
        """Return the state as plain JSON."""

    def load(self, stored: dict[str, Any]) -> State:
        """Return the state that `dump` stored."""


def seat_limits(game: Game, ruleset: str | None, options: object) -> tuple[int, int]:
    """Return the fewest and the most players for these options; decks limit how many can play (TH1).

    Raises SetupError for a ruleset or options that are wrong for any number of players.
    """
    counts = range(game.min_seats, game.max_seats + 1)
    least = next((seats for seats in counts if _can_open(game, seats, ruleset, options)), game.min_seats)
    game.complete_options(least, ruleset, options)
    return least, next(seats for seats in reversed(counts) if _can_open(game, seats, ruleset, options))


def _can_open(game: Game, seats: int, ruleset: str | None, options: object) -> bool:
    try:
        game.complete_options(seats, ruleset, options)
    except SetupError:
        return False
    return True
