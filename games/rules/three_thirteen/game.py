"""Three Thirteen as one value: names, rulesets, options, and the rules behind the protocol that all games share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rules.cards import MAX_DECKS, PLAIN_DECK
from games.rules.errors import SetupError
from games.rules.game import Event, Shuffle
from games.rules.options import Option, check_dealer, check_ruleset, check_seats, complete, schema
from games.rules.three_thirteen import views
from games.rules.three_thirteen.decide import decide
from games.rules.three_thirteen.evolve import evolve
from games.rules.three_thirteen.rounds import first_deal
from games.rules.three_thirteen.state import DRAW, GAME, LAST_ROUND, Options, State, dump, hand_size, load

RULESETS = {
    "house": "The house rules: a deck for 2 or 3 players, two for 4 or 5, three for 6 to 8; an ace left over costs 15.",
    "classic": "The widely published game: a deck for 2 players, two for 3 or 4, three for 5 to 8; an ace costs 1.",
}
# TT1, TT11: up to so many seats, so many decks.
DECKS = {"house": ((3, 1), (5, 2), (8, 3)), "classic": ((2, 1), (4, 2), (8, 3))}
ACE_POINTS = {"house": 15, "classic": 1}
OPTIONS = (
    Option(
        "rounds",
        LAST_ROUND,
        "How many rounds are played, always beginning with round 1 (three cards, 3s wild).",
        1,
        LAST_ROUND,
    ),
    Option("ace_points", 15, "What an ace left over costs at the end of a round.", choices=(1, 15)),
    Option(
        "decks",
        None,
        "How many 52-card decks are used. By default it follows from the number of players, as the ruleset says. "
        "There must be a hand of the last round played for each player and one card more.",
        1,
        MAX_DECKS,
    ),
    Option(
        "renewals",
        3,
        "How often in a round the discard pile is shuffled into a new stock before somebody has gone out. "
        "When a turn then ends with the stock empty again, the round is over.",
        0,
        10,
    ),
)


class ThreeThirteen:
    """Fulfils `games.rules.game.Game`; what each part does is said there."""

    name = GAME
    family = GAME
    title = "Three Thirteen"
    summary = (
        "Eleven rounds of rummy, from three cards to thirteen, with another rank wild in each: "
        "meld your hand into sets and runs, and the fewest penalty points win."
    )
    min_seats = 2
    max_seats = 8
    has_penalties = True
    spectators = False  # TT10
    rulesets: Mapping[str, str] = RULESETS
    default_ruleset = "house"
    state_schema = 2

    def options_schema(self, ruleset: str) -> dict[str, Any]:
        """The options as a JSON Schema with the ruleset's defaults; that of `decks` follows from the seats."""
        check_ruleset(ruleset, RULESETS, self.default_ruleset, self.title)
        return schema(OPTIONS, {"ace_points": ACE_POINTS[ruleset]})

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        """The ruleset and all options. Raises SetupError, also for decks that are too few for the last round (TH1)."""
        seats = check_seats(seats, self.min_seats, self.max_seats, self.title)
        chosen = check_ruleset(ruleset, RULESETS, self.default_ruleset, self.title)
        decks = next(count for most, count in DECKS[chosen] if seats <= most)
        values = complete(OPTIONS, options, {"ace_points": ACE_POINTS[chosen], "decks": decks})
        # TH1: the last round played is the one that needs the most cards.
        needed = seats * hand_size(values["rounds"]) + 1
        there = values["decks"] * len(PLAIN_DECK)
        if needed > there:
            raise SetupError(
                "options.decks",
                f"Round {values['rounds']} with {seats} players needs {needed} cards, "
                f"and {values['decks']} deck(s) have only {there}.",
            )
        return chosen, values

    def deal(
        self, seats: int, ruleset: str | None, options: object, dealer: int, shuffle: Shuffle
    ) -> tuple[State, list[Event]]:
        """A new game with the first round dealt. Raises SetupError."""
        chosen, values = self.complete_options(seats, ruleset, options)
        event = first_deal(seats, chosen, Options(**values), check_dealer(dealer, seats), shuffle)
        return evolve(None, event), [event]

    def duties(self, state: State) -> dict[int, str]:
        """A turn, draw and discard together, is one duty; another seat's resignation leaves it as it was."""
        return dict.fromkeys(views.to_act(state), f"round-{state.round}-turn-{state.turn_number}")

    def is_safe_to_force(self, state: State, seat: int, move: dict[str, Any]) -> bool:  # noqa: ARG002 (asked of every game)
        """Everybody sees when only one draw is left. A discard is the hand's secret."""
        return bool(move["move"] == DRAW)

    def may_interrupt(self, state: State) -> list[int]:  # noqa: ARG002 (asked of every game)
        """Nobody ever: there is no play out of turn."""
        return []

    def rounds_scored(self, state: State) -> int:
        """How many rounds have been scored so far."""
        return len(state.rounds)

    def result(self, state: State) -> dict[str, Any] | None:
        """Ended by `rounds` or `resignation`. `score` is the total, also of a seat that resigned."""
        return None if state.result is None else state.result.to_json()

    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    status = staticmethod(views.status)
    to_act = staticmethod(views.to_act)
    legal_moves = staticmethod(views.legal_moves)
    why_not = staticmethod(views.why_not)
    view = staticmethod(views.view)
    redact = staticmethod(views.redact)
    dump = staticmethod(dump)
    load = staticmethod(load)


THREE_THIRTEEN = ThreeThirteen()
