"""The shedding engine: one `Game` for all four variants."""

from typing import Any

from games.rules import options as option_rules
from games.rules.cards import decks
from games.rules.errors import SetupError
from games.rules.game import Event, Shuffle, Viewer
from games.rules.shedding import legal, views
from games.rules.shedding.decide import decide
from games.rules.shedding.effects import EFFECTS
from games.rules.shedding.state import Phase, Player, State
from games.rules.shedding.variant import Variant

CARDS_EACH = 9


class SheddingGame:
    """A variant behind the protocol `games.rules.game.Game`."""

    family = "shedding"
    state_schema = 1
    has_penalties = False

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.name = variant.name
        self.title = variant.title
        self.summary = variant.summary
        self.min_seats = variant.min_seats
        self.max_seats = variant.max_seats
        self.spectators = variant.spectators
        self.rulesets = variant.rulesets
        self.default_ruleset = next(iter(variant.rulesets))

    def options_schema(self, ruleset: str) -> dict[str, Any]:
        """The options as a JSON Schema with ranges, explanations and the ruleset's defaults."""
        return option_rules.schema(self.variant.options, self.variant.ruleset_defaults.get(ruleset, {}))

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        """The ruleset and all options, defaults included. Raises SetupError, also for too few cards (TH1)."""
        variant = self.variant
        option_rules.check_seats(seats, variant.min_seats, variant.max_seats, variant.title)
        ruleset = option_rules.check_ruleset(ruleset, variant.rulesets, self.default_ruleset, variant.title)
        defaults = {**variant.seat_defaults(seats), **variant.ruleset_defaults.get(ruleset, {})}
        complete = option_rules.complete(variant.options, options, defaults)
        count = variant.decks(seats, complete)
        cards = len(decks(count, jokers=variant.jokers))
        if cards < CARDS_EACH * seats:
            detail = f"{count} decks have {cards} cards: too few for {seats} players with nine cards each."
            raise SetupError("options.decks", detail)
        return ruleset, complete

    def deal(
        self, seats: int, ruleset: str | None, options: object, dealer: int, shuffle: Shuffle
    ) -> tuple[State, list[Event]]:
        """S1, TJ2: nine cards each, one at a time, clockwise from the dealer's left. Raises SetupError."""
        ruleset, complete = self.complete_options(seats, ruleset, options)
        option_rules.check_dealer(dealer, seats)
        order = list(shuffle(decks(self.variant.decks(seats, complete), jokers=self.variant.jokers)))
        dealt = [order[(seat - dealer - 1) % seats : CARDS_EACH * seats : seats] for seat in range(seats)]
        stock = order[CARDS_EACH * seats :]
        laid = 3 if self.variant.deals_face_up else 0
        turned_up = [stock.pop(0)] if self.variant.turns_up else []
        data = {
            "seats": seats, "ruleset": ruleset, "options": complete, "dealer": dealer, "shuffle": order,
            "direction": self.variant.direction(complete),
            "face_down": [cards[:3] for cards in dealt],
            "face_up": [cards[3 : 3 + laid] for cards in dealt],
            "hands": [cards[3 + laid :] for cards in dealt],
            "turned_up": turned_up, "stock": stock, "stock_count": len(stock),
        }  # fmt: skip
        event = {"type": "dealt", "seat": None, "data": data}
        return self.evolve(None, event), [event]

    def decide(self, state: State, seat: int, move: object, shuffle: Shuffle) -> list[Event]:
        """The event of a legal move. Raises IllegalMove; changes nothing. Shedding games never shuffle again."""
        return decide(self.variant, state, seat, move)

    def evolve(self, state: State | None, event: Event) -> State:
        """The state after an event; copies facts, never judges."""
        data = event["data"]
        if state is None:
            return State(
                ruleset=data["ruleset"],
                options=data["options"],
                dealer=data["dealer"],
                players=tuple(
                    Player(tuple(hand), tuple(up), tuple(down))
                    for hand, up, down in zip(data["hands"], data["face_up"], data["face_down"], strict=True)
                ),
                stock=tuple(data["stock"]),
                pile=tuple(data["turned_up"]),
                out_of_play=(),
                direction=data["direction"],
                dealt_up=tuple(map(tuple, data["face_up"])),
            ).freeze()
        draft = state.draft()
        draft.raced = ()
        for effect in data["effects"]:
            EFFECTS[effect["effect"]](draft, effect)
        return draft.freeze()

    def status(self, state: State) -> Phase:
        """How far the game is."""
        return state.phase

    def to_act(self, state: State) -> list[int]:
        """The seats that may move now, sorted."""
        return views.to_act(state)

    def may_interrupt(self, state: State) -> list[int]:
        """The seats that may only interrupt out of turn, sorted (CA9c)."""
        return views.may_interrupt(self.variant, state)

    def legal_moves(self, state: State, seat: int) -> list[dict[str, Any]]:
        """The seat's legal moves, as CONTRACT lists them; empty when there is none."""
        return legal.legal_moves(self.variant, state, seat)

    def why_not(self, state: State, seat: int) -> dict[str, str] | None:
        """`{"code", "detail"}`: why the seat has no legal move now; None when it has one."""
        return legal.why_not(self.variant, state, seat)

    def is_safe_to_force(self, state: State, seat: int, move: dict[str, Any]) -> bool:
        """Whether making this move at once, the seat's only one, tells nobody anything about hidden cards."""
        return views.is_safe_to_force(self.variant, state, seat, move)

    def duties(self, state: State) -> dict[int, str]:
        """One key a turn, one for the opening race, one for the choice in setup."""
        key = "arrange" if state.phase == "setup" else f"turn {state.turn_number}"
        return dict.fromkeys(views.to_act(state), key)

    def rounds_scored(self, state: State) -> None:
        """Shedding games have no rounds."""

    def result(self, state: State) -> dict[str, Any] | None:
        """The result as CONTRACT's `result`; None while the game runs."""
        return None if state.result is None else dict(state.result)

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """What the viewer may see of the state."""
        return views.view(self.variant, state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event:
        """The event with what the viewer may not see as null."""
        return views.redact(event, viewer)

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON."""
        return vars(state) | {"players": [dict(vars(player)) for player in state.players]}

    def load(self, stored: dict[str, Any]) -> State:
        """The state that `dump` stored."""
        players = tuple(Player(**_tuples(player)) for player in stored["players"])
        dealt_up = tuple(map(tuple, stored["dealt_up"]))
        return State(**_tuples(stored) | {"players": players, "dealt_up": dealt_up}).freeze()


def _tuples(stored: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()}
