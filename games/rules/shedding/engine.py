"""The shedding engine: one implementation of `Game` for all shedding games."""

from collections.abc import Mapping
from typing import Any

from core.values import Value
from games.rules import options as option_rules
from games.rules.events import EFFECTS, Viewer, redacting
from games.rules.game import Event, Shuffle
from games.rules.options import SetupError
from games.rules.shedding import legal, planning, views
from games.rules.shedding.builtin import Variant, rules_of
from games.rules.shedding.calls import who_dealt
from games.rules.shedding.decide import decide, placements
from games.rules.shedding.events import Dealt
from games.rules.shedding.rules import Rules
from games.rules.shedding.state import FrozenState, Phase, Player, State, made_of


class SheddingGame:
    """A shedding game. Implements `games.rules.game.Game`, which has the docstrings of its methods."""

    family = "shedding"
    digest: str | None = None
    state_schema = 3
    has_penalties = False
    plan_conditions = planning.CONDITIONS

    def __init__(self, variant: Variant, usual: Rules | None = None) -> None:
        self.variant = variant
        self.name = variant.name
        self.usual = usual = usual or rules_of(variant, ())
        self.title = usual.title
        self.summary = variant.summary
        self.min_seats, self.max_seats = usual.seats
        self.plan_keeps, self.plan_forms = variant.plan_keeps, planning.FORMS[usual.table]
        self.spectators, self.interrupts = variant.spectators, usual.interrupts
        self.any_card_opens, self.pace = usual.any_card_opens, variant.pace
        self.rulesets = variant.rulesets
        self.default_ruleset = next(iter(variant.rulesets))

    def rules(self, options: Mapping[str, Any]) -> Rules:
        """Return what these options, as complete as those of a state, come to."""
        return rules_of(self.variant, tuple(options.items()))

    def usual_plan(self, *, stock: bool) -> list[dict[str, Any]]:
        """Return the lines of a plan that suits most turns.

        Made while there is a stock, it leaves most plays after that to the player: they decide the game.
        """
        lowest = {"move": "play", "choose": "lowest", "count": "all", "keep": list(self.plan_keeps)}
        small = [{"hand_at_most": self.usual.hand}] if self.variant.plans_small_hands else []
        plays = [{"move": lowest, "when": when} for when in ([{"stock_is_out": False}, *small] if stock else [{}])]
        return [*plays, {"move": {"move": "flip", "choose": "first"}}, {"move": {"move": "pick_up"}}]

    def options_of(self, ruleset: str) -> dict[str, Value]:
        return option_rules.of_ruleset(self.variant.options, self.variant.ruleset_defaults.get(ruleset, {}))

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        """Return the ruleset and all options. Raises SetupError, also if there are too few cards (TH1)."""
        variant = self.variant
        option_rules.check_seats(seats, self.min_seats, self.max_seats, self.title)
        ruleset = option_rules.check_ruleset(ruleset, variant.rulesets, self.default_ruleset, self.title)
        defaults = {"decks": self.usual.decks(seats), **variant.ruleset_defaults.get(ruleset, {})}
        complete = option_rules.complete(variant.options, options, defaults)
        rules = self.rules(complete)
        cards, needed = len(rules.pack(seats)), rules.dealt_each * seats
        if cards < needed:
            detail = f"{seats} players need {needed} cards, but there are only {cards}."
            raise SetupError("options.decks", detail)
        return ruleset, complete

    def deal(
        self, seats: int, ruleset: str | None, options: object, dealer: int, shuffle: Shuffle
    ) -> tuple[State, list[Event]]:
        """Deal the cards, one at a time, clockwise from the dealer's left (S1, TJ2). Raises SetupError."""
        ruleset, complete = self.complete_options(seats, ruleset, options)
        option_rules.check_dealer(dealer, seats)
        rules = self.rules(complete)
        order, down = list(shuffle(rules.pack(seats))), rules.table
        dealt = [order[(seat - dealer - 1) % seats : rules.dealt_each * seats : seats] for seat in range(seats)]
        stock = order[rules.dealt_each * seats :]
        laid = 2 * down if rules.deals_face_up else down
        turned_up = [stock.pop(0)] if rules.turns_up else []
        hands = [cards[laid:] for cards in dealt]
        who = who_dealt(hands) if self.variant.has_calls else []
        data = {
            "seats": seats, "ruleset": ruleset, "options": complete, "dealer": dealer, "shuffle": order,
            "direction": rules.direction,
            "face_down": [cards[:down] for cards in dealt],
            "face_up": [cards[down:laid] for cards in dealt],
            "hands": hands, "turned_up": turned_up, "stock": stock, "stock_count": len(stock),
            "calls": ["who_dealt"] if who else [], "who_dealt": who,
        }  # fmt: skip
        event = {"type": "dealt", "seat": None, "data": data}
        return self.evolve(None, event), [event]

    def decide(self, state: State, seat: int, move: object, shuffle: Shuffle) -> list[Event]:
        return decide(self.variant, state, seat, move)

    def evolve(self, state: State | None, event: Event) -> State:
        data = event["data"]
        if state is None:
            return Dealt(data).apply(self.rules(data["options"])).freeze()
        draft = state.draft()
        draft.raced, draft.who_dealt = (), ()
        for effect in data["effects"]:
            EFFECTS[effect["effect"]].apply(draft, effect)
        draft.calls = tuple(data["calls"])
        return draft.freeze()

    def status(self, state: State) -> Phase:
        return state.phase

    def may_interrupt(self, state: State) -> list[int]:
        return list(legal.interruptions(state))

    def may_settle(self, state: State) -> list[int]:
        return [seat for seat in state.in_play if seat not in state.settled] if legal.may_settle(state) else []

    def legal_moves(self, state: State, seat: int) -> list[dict[str, Any]]:
        return legal.legal_moves(state, seat)

    def why_not(self, state: State, seat: int) -> dict[str, str] | None:
        return legal.why_not(state, seat)

    def is_safe_to_force(self, state: State, seat: int, move: dict[str, Any]) -> bool:
        return views.is_safe_to_force(state, seat, move)

    def duties(self, state: State) -> dict[int, str]:
        """Return a key for each seat to act: one for setup, one for each turn; an opening race is turn 1."""
        key = "arrange" if state.phase == "setup" else f"turn {state.turn_number}"
        return dict.fromkeys(views.to_act(state), key)

    def rounds_scored(self, state: State) -> None:
        """Return None: shedding games have no rounds."""

    def result(self, state: State) -> dict[str, Any] | None:
        return None if state.result is None else dict(state.result)

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        return views.view(self.name, state, viewer)

    to_act = staticmethod(views.to_act)
    standing = staticmethod(placements)
    redact = staticmethod(redacting(family))
    as_in_turn = staticmethod(planning.as_in_turn)
    held = staticmethod(planning.held)

    def dump(self, state: State) -> dict[str, Any]:
        stored = vars(state) | {"players": [dict(vars(player)) for player in state.players]}
        del stored["rules"]
        return stored

    def load(self, stored: dict[str, Any]) -> State:
        players = tuple(made_of(Player, _tuples(player)) for player in stored["players"])
        dealt_up = tuple(map(tuple, stored["dealt_up"]))
        derived = {"rules": self.rules(stored["options"]), "players": players, "dealt_up": dealt_up}
        return made_of(FrozenState, _tuples(stored) | derived)


def _tuples(stored: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()}
