"""Three Thirteen as a value: names, rulesets, options, and its implementation of `Game`."""

from collections.abc import Mapping
from typing import Any

from core.values import Value
from games.rules.cards import MAX_DECKS, PLAIN_DECK
from games.rules.events import redacting
from games.rules.game import Event, Shuffle
from games.rules.options import (
    SetupError,
    check_dealer,
    check_ruleset,
    check_seats,
    complete,
    of_ruleset,
    option,
)
from games.rules.three_thirteen import planning, views
from games.rules.three_thirteen.dealing import first_deal, placements
from games.rules.three_thirteen.decide import decide
from games.rules.three_thirteen.events import evolve
from games.rules.three_thirteen.state import DRAW, GAME, LAST_ROUND, State, dump, hand_size, load

RULESETS = {
    "house": "The house rules: one deck for 2-3 players, two for 4-5, three for 6-8. An ace costs 15 points.",
    "classic": "The widely published game: one deck for 2 players, two for 3-4, three for 5-8. An ace costs 1 point.",
}
# TT1, TT11: pairs of the most seats and their number of decks.
DECKS = {"house": ((3, 1), (5, 2), (8, 3)), "classic": ((2, 1), (4, 2), (8, 3))}
ACE_POINTS = {"house": 15, "classic": 1}
OPTIONS = (
    option("rounds", LAST_ROUND, "How many rounds are played, starting with round 1.", least=1, most=LAST_ROUND),
    option("ace_points", 15, "The penalty points for an ace left over.", words=(1, 15)),
    option(
        "decks",
        None,
        "How many 52-card decks are used. The default depends on the ruleset and the number of players. In the last "
        "round there must be enough cards for all hands and one more.",
        least=1,
        most=MAX_DECKS,
    ),
    option(
        "renewals",
        3,
        "How often the discard pile becomes a new stock in a round while nobody has gone out. After that, the "
        "round ends when the stock is empty.",
        least=0,
        most=10,
    ),
)


class ThreeThirteen:
    """Implements `games.rules.game.Game`, which has the docstrings of its methods."""

    name = GAME
    digest: str | None = None
    family = GAME
    title = "Three Thirteen"
    summary = (
        "Eleven rounds of rummy with hands of three to thirteen cards and a new wild rank each time. "
        "Meld your hand into sets and runs; the fewest penalty points win."
    )
    min_seats = 2
    max_seats = 8
    has_penalties = True
    spectators = False  # TT10
    interrupts = False
    any_card_opens = False
    pace: tuple[int, float] | None = (189, 24)
    rulesets: Mapping[str, str] = RULESETS
    default_ruleset = "house"
    state_schema = 2
    plan_forms = planning.FORMS
    plan_conditions = planning.CONDITIONS

    def usual_plan(self, *, stock: bool) -> list[dict[str, Any]]:  # noqa: ARG002  there always is one
        """Go out, take what helps, throw away what costs most."""
        from_discard = {"move": "draw", "from": "discard"}
        return [
            {"move": {"move": "go_out"}},
            {"move": from_discard, "when": {"top_helps": 5}},
            {"move": from_discard, "when": {"top_melds": True}},
            {"move": {"move": "draw", "from": "stock"}},
            {"move": {"move": "discard", "choose": "best"}},
        ]

    def options_of(self, ruleset: str) -> dict[str, Value]:
        check_ruleset(ruleset, RULESETS, self.default_ruleset, self.title)
        return of_ruleset(OPTIONS, {"ace_points": ACE_POINTS[ruleset]})

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        seats = check_seats(seats, self.min_seats, self.max_seats, self.title)
        chosen = check_ruleset(ruleset, RULESETS, self.default_ruleset, self.title)
        decks = next(count for most, count in DECKS[chosen] if seats <= most)
        values = complete(OPTIONS, options, {"ace_points": ACE_POINTS[chosen], "decks": decks})
        needed = seats * hand_size(values["rounds"]) + 1
        there = values["decks"] * len(PLAIN_DECK)
        if needed > there:
            raise SetupError(
                "options.decks",
                f"{seats} players need {needed} cards in round {values['rounds']}, but there are only {there}.",
            )
        return chosen, values

    def deal(
        self, seats: int, ruleset: str | None, options: object, dealer: int, shuffle: Shuffle
    ) -> tuple[State, list[Event]]:
        chosen, values = self.complete_options(seats, ruleset, options)
        event = first_deal(seats, chosen, values, check_dealer(dealer, seats), shuffle)
        return evolve(None, event), [event]

    def duties(self, state: State) -> dict[int, str]:
        return dict.fromkeys(views.to_act(state), f"round-{state.round}-turn-{state.turn_number}")

    def is_safe_to_force(self, state: State, seat: int, move: dict[str, Any]) -> bool:  # noqa: ARG002 (asked of every game)
        """Everybody sees when there is only one place to draw from. A discard is made from a hidden hand."""
        return bool(move["move"] == DRAW)

    def may_interrupt(self, state: State) -> list[int]:  # noqa: ARG002 (asked of every game)
        return []

    def rounds_scored(self, state: State) -> int:
        return len(state.rounds)

    def may_settle(self, state: State) -> list[int]:  # noqa: ARG002  the signature of a game
        """Return []: a round that gets nowhere ends by itself (TT13)."""
        return []

    def standing(self, state: State) -> list[dict[str, Any]]:
        return placements(state, state.resigned)

    def result(self, state: State) -> dict[str, Any] | None:
        """Return the result. `score` is the total, even of a seat that resigned."""
        return None if state.result is None else dict(state.result)

    as_in_turn = staticmethod(planning.as_in_turn)
    held = staticmethod(planning.held)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    status = staticmethod(views.status)
    to_act = staticmethod(views.to_act)
    legal_moves = staticmethod(views.legal_moves)
    why_not = staticmethod(views.why_not)
    view = staticmethod(views.view)
    redact = staticmethod(redacting(GAME))
    dump = staticmethod(dump)
    load = staticmethod(load)


THREE_THIRTEEN = ThreeThirteen()
