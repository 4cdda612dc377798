"""Three Thirteen as one value: what it is called, its rulesets and options, and its rules behind the common protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from games.rules.cards import MAX_DECKS, PLAIN_DECK
from games.rules.errors import SetupError
from games.rules.game import Event, Shuffle, Viewer
from games.rules.options import Option, check_dealer, check_ruleset, check_seats, complete, schema
from games.rules.three_thirteen import state as tables
from games.rules.three_thirteen import views
from games.rules.three_thirteen.decide import decide
from games.rules.three_thirteen.evolve import evolve
from games.rules.three_thirteen.rounds import first_deal
from games.rules.three_thirteen.state import GAME, LAST_ROUND, Options, State, hand_size

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
    title = "Three Thirteen"
    summary = (
        "Eleven rounds of rummy, from three cards to thirteen, with another rank wild in each: "
        "meld your hand into sets and runs, and the fewest penalty points win."
    )
    min_seats = 2
    max_seats = 8
    rulesets: Mapping[str, str] = RULESETS
    default_ruleset = "house"
    state_schema = 1

    def options_schema(self, ruleset: str) -> dict[str, Any]:
        check_ruleset(ruleset, RULESETS, self.default_ruleset, self.title)
        return schema(OPTIONS, {"ace_points": ACE_POINTS[ruleset]})

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
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
        chosen, values = self.complete_options(seats, ruleset, options)
        event = first_deal(seats, chosen, Options(**values), check_dealer(dealer, seats), shuffle)
        return evolve(None, event), [event]

    def decide(self, state: State, seat: int, move: object, shuffle: Shuffle) -> list[Event]:
        return decide(state, seat, move, shuffle)

    def evolve(self, state: State | None, event: Event) -> State:
        return evolve(state, event)

    def status(self, state: State) -> Literal["playing", "finished"]:
        return views.status(state)

    def to_act(self, state: State) -> list[int]:
        return views.to_act(state)

    def may_interrupt(self, state: State) -> list[int]:  # noqa: ARG002 (nobody ever plays out of turn here)
        return []

    def legal_moves(self, state: State, seat: int) -> list[dict[str, Any]]:
        return views.legal_moves(state, seat)

    def why_not(self, state: State, seat: int) -> dict[str, str] | None:
        return views.why_not(state, seat)

    def duties(self, state: State) -> dict[int, str]:
        """A turn, draw and discard together, is one duty; another seat's resignation leaves it as it was."""
        return {seat: f"round-{state.round}-turn-{state.turn_number}" for seat in views.to_act(state)}

    def result(self, state: State) -> dict[str, Any] | None:
        return None if state.result is None else state.result.to_json()

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        return views.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event:
        return views.redact(event, viewer)

    def dump(self, state: State) -> dict[str, Any]:
        return tables.dump(state)

    def load(self, stored: dict[str, Any]) -> State:
        return tables.load(stored)


THREE_THIRTEEN = ThreeThirteen()
