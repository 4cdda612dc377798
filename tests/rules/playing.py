"""Playing games at random, through the rules alone: what the property tests and golden files share."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from games.rules import PLAYED
from games.rules.game import Event, State

T = TypeVar("T")


def pick(choices: Sequence[T], rng: random.Random) -> T:
    """One of the choices: `rng.choice` without its care for evenness in the 53rd bit, in a third of the time."""
    return choices[int(rng.random() * len(choices))]


def concrete(listed: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """One of the moves that an entry of the legal list stands for."""
    match listed["move"]:
        case "play":
            count = pick(range(listed["min"], listed["max"] + 1), rng)
            cards = [pick(listed["cards"], rng)] if count == 1 else rng.sample(listed["cards"], count)
            extra = listed.get("with_face_up")
            if extra and count == listed["max"] and rng.random() < 0.5:
                cards += rng.sample(extra, rng.randint(1, len(extra)))
                rng.shuffle(cards)
            return {"move": "play", "cards": cards}
        case "flip":
            return {"move": "flip", "position": pick(listed["positions"], rng)}
        case "arrange":
            return {"move": "arrange", "face_up": rng.sample(listed["from"], listed["choose"])}
    return listed


class RandomGame:
    """A game played by chance from a seed: seats, options, shuffles and moves."""

    def __init__(
        self, name: str, seed: int, *, options: dict[str, Any] | None = None, seats: int | None = None
    ) -> None:
        self.rules = PLAYED[name]
        self.rng = random.Random(seed)
        seats = seats or self.rng.randint(self.rules.min_seats, min(self.rules.max_seats, 6))
        ruleset = self.rng.choice(list(self.rules.rulesets))
        dealer = self.rng.randrange(seats)
        self.state: State
        self.state, self.events = self.rules.deal(seats, ruleset, options or {}, dealer, self.shuffle)
        self.seats = seats

    def shuffle(self, cards: Any) -> list[str]:
        """Chance, from the seed."""
        return self.rng.sample(cards, len(cards))

    def able(self) -> list[int]:
        """The seats with a legal move, the interrupting ones included."""
        return self.rules.to_act(self.state) + self.rules.may_interrupt(self.state)

    def step(self) -> tuple[int, dict[str, Any], list[Event]]:
        """Makes one random legal move: the seat, the move and its events."""
        seat = pick(self.able(), self.rng)
        move = concrete(pick(self.rules.legal_moves(self.state, seat), self.rng), self.rng)
        return seat, move, self.apply(seat, move)

    def apply(self, seat: int, move: dict[str, Any]) -> list[Event]:
        """Makes a move."""
        events = self.rules.decide(self.state, seat, move, self.shuffle)
        for event in events:
            self.state = self.rules.evolve(self.state, event)
        self.events += events
        return events

    def steps(self, most: int = 100_000) -> Iterator[tuple[int, dict[str, Any], list[Event]]]:
        """Random moves until the game is over, or so many."""
        for _ in range(most):
            if self.rules.status(self.state) == "finished":
                return
            yield self.step()
