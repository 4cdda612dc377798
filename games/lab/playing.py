"""Numbered games: the same number and seed always give the same cards, the same dealer and the same moves."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from games.lab.players import Watcher, chosen_move
from games.rules import PLAYED, game_of
from games.rules.game import Event, Game, State
from games.rules.planning import Move
from games.rules.record import replay
from games.rules.shedding import HouseGame
from games.rules.shedding.house import MOST_MOVES


class Step(NamedTuple):
    """A move of a game, between the states before and after it."""

    before: State
    seat: int
    move: Move
    events: Sequence[Event]
    after: State


class Deal(NamedTuple):
    """The beginning of a game, and the levels of the players by seat; None for people and where nobody knows."""

    game: Game
    event: Event
    state: State
    levels: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Side:
    """The rules of one side of a comparison."""

    game: str
    seats: int
    ruleset: str
    options: Mapping[str, Any]
    """Complete, defaults included."""

    @property
    def rules(self) -> Game:
        return game_of(self.game, self.options)


@dataclass(frozen=True, slots=True)
class Lot:
    """What decides a numbered game but its rules: the seed, the number, and the levels of the seats in game 0."""

    seed: str
    number: int
    bots: Sequence[str]

    @property
    def levels(self) -> list[str]:
        """The levels by seat: from game to game they move on by a seat."""
        return [self.bots[(seat + self.number) % len(self.bots)] for seat in range(len(self.bots))]

    @property
    def dealer(self) -> int:
        digest = sha256(f"trey-lab/1/{self.seed}/{self.number}/dealer".encode()).digest()
        return int.from_bytes(digest) % len(self.bots)

    def as_json(self) -> dict[str, Any]:
        return {"seed": self.seed, "game": self.number, "bots": self.levels}


class Chance:
    """The shuffles of a numbered game: with more decks the common cards keep their order."""

    def __init__(self, lot: Lot) -> None:
        self._prefix = f"trey-lab/1/{lot.seed}/{lot.number}"
        self._shuffles = 0

    def __call__(self, cards: Sequence[str]) -> list[str]:
        self._shuffles += 1
        copies: Counter[str] = Counter()
        keyed = []
        for card in cards:
            place = f"{self._prefix}/{self._shuffles}/{card}/{copies[card]}"
            copies[card] += 1
            keyed.append((sha256(place.encode()).digest(), card))
        return [card for _, card in sorted(keyed)]


def play(side: Side, lot: Lot) -> tuple[Deal, Iterator[Step]]:
    """Return the deal of a numbered game, and its moves, which are played as they are asked for."""
    game, chance, levels = side.rules, Chance(lot), lot.levels
    state, (event,) = game.deal(side.seats, side.ruleset, side.options, lot.dealer, chance)
    return Deal(game, event, state, levels), _played(game, state, event, lot, chance)


def _played(game: Game, state: State, dealt: Event, lot: Lot, chance: Chance) -> Iterator[Step]:
    levels, watcher, made = lot.levels, Watcher(game, lot.bots), 0
    watcher.see(dealt)
    while game.status(state) != "finished":
        if settling := game.may_settle(state):
            seat, move = settling[0], {"move": "settle"}
        else:
            seat = (game.may_interrupt(state) or game.to_act(state))[0]
            move = chosen_move(levels[seat], watcher, state, seat, f"{lot.seed}/{lot.number}/{made}")
        before, events = state, game.decide(state, seat, move, chance)
        for event in events:
            state = game.evolve(state, event)
            watcher.see(event)
        made += 1
        if made == MOST_MOVES and isinstance(game, HouseGame) and game.status(state) != "finished":
            events = [*events, game.stop(state)]
            state = game.evolve(state, events[-1])
        yield Step(before, seat, move, events, state)


class Uncounted(ValueError):  # noqa: N818 - it says what the game is
    """A record of a game that cannot be counted. The message is a sentence."""


def replayed(record: Any) -> tuple[Deal, list[Step]]:
    """Return the deal and the moves of a recorded game. Raises RecordError or Uncounted."""
    played = replay(record, PLAYED)
    if played.error:
        raise Uncounted(f"Move {played.error['at']} of the record is refused: {played.error['detail']}")
    game = game_of(played.game.name, played.events[0]["data"]["options"])
    if isinstance(game, HouseGame) and played.applied == MOST_MOVES and game.status(played.state) != "finished":
        played.events.append(game.stop(played.state))
    elif game.status(played.state) != "finished":
        raise Uncounted("The game of this record has not ended.")
    dealt, *events = played.events
    state = game.evolve(None, dealt)
    deal = Deal(game, dealt, state, levels_of(record))
    steps: list[Step] = []
    for event in events:
        after = game.evolve(state, event)
        if "move" in event["data"]:
            steps.append(Step(state, event["seat"], event["data"]["move"], [event], after))
        else:
            last = steps[-1]
            steps[-1] = last._replace(events=[*last.events, event], after=after)
        state = after
    return deal, steps


def levels_of(record: Mapping[str, Any]) -> list[str] | None:
    """Return the levels by seat that the record of a simulated game names, None for any other. Raises Uncounted."""
    lab = record.get("lab")
    if lab is None:
        return None
    match lab:
        case {"seed": str(), "game": int(number), "bots": [*levels]} if number >= 0 and len(levels) == record["seats"]:
            if all(isinstance(level, str) for level in levels):
                return levels
    raise Uncounted("lab must have a seed, the number of the game, and a level for each seat.")
