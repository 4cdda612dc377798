"""Lessons: a scripted first game of each game, one rule a step. Pure, without a server.

A script, `games/lessons/GAME.json`, holds the record of a whole game and the words of each step. What can be
seen, done and refused at a step is never written down: it comes from the rules.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from games.rules import GAMES, IllegalMove
from games.rules.events import said
from games.rules.game import Event, Game, State
from games.rules.moves import first_of
from games.rules.record import replay

LEGAL = "legal"
MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Step:
    """The words of a step and what its move has to cause."""

    at: int
    """So many of the record's moves are made. The next one is the learner's."""
    teaches: tuple[str, ...]
    say: str
    after: str | None
    other: str | None
    expects: tuple[str, ...]
    refused: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Position:
    state: State
    move: Mapping[str, Any]
    events: list[Event]


class Lesson:
    """A script with its game. Raises RecordError for a record that cannot be read."""

    def __init__(self, script: Mapping[str, Any], games: Mapping[str, Game] = GAMES) -> None:
        self.rules = games[script["game"]]
        self.title: str = script["title"]
        self.seat: int = script["seat"]
        self.names: list[str] = script["names"]
        self.steps = [Step(**{**step, "teaches": tuple(step["teaches"])}) for step in script["steps"]]
        self.record: Mapping[str, Any] = script["record"]
        played = replay(self.record, dict(games))
        self.error, self.end = played.error, played.state
        self.positions = list(_positions(self.rules, played.events))

    def document(self) -> dict[str, Any]:
        """The lesson as `GET lessons/{game}` has it."""
        steps = [self._shown(number) for number in range(len(self.steps))]
        return {
            "game": self.rules.name,
            "title": self.title,
            "seat": self.seat,
            "names": self.names,
            "steps": steps,
        }

    def until_next(self, number: int) -> list[Position]:
        later = self.steps[number + 1 :]
        return self.positions[self.steps[number].at : later[0].at if later else None]

    def taps(self, number: int) -> dict[str, dict[str, str | None]]:
        """What each tap that is no part of the step's move gets: the rules' own refusal, or `legal`."""
        step = self.steps[number]
        here = self.positions[step.at]
        found = {}
        for tap, move in self._taps(here.state):
            if tap not in taps_of(here.move) and (answer := self._answer(here.state, move, step.other)) is not None:
                found[tap] = answer
        return found

    def _shown(self, number: int) -> dict[str, Any]:
        step, played = self.steps[number], self.until_next(number)
        here = played[0]
        return {
            "at": step.at,
            "teaches": list(step.teaches),
            "say": step.say,
            "after": step.after,
            "other": step.other,
            "view": self.rules.view(here.state, self.seat),
            "moves": self.moves(here.state),
            "move": dict(here.move),
            "events": [self._seen(event) for one in played for event in one.events],
            "views": [self.rules.view(one.state, self.seat) for one in self._after(step.at, len(played))],
            "taps": self.taps(number),
        }

    def moves(self, state: State) -> list[dict[str, Any]]:
        more = {"interrupt": True} if self.seat in self.rules.may_interrupt(state) else {}
        return [{**listed, "send": first_of(listed) | more} for listed in self.rules.legal_moves(state, self.seat)]

    def _seen(self, event: Event) -> Event:
        seen = self.rules.redact(event, self.seat)
        return seen | {"said": said(seen, ["You" if at == self.seat else name for at, name in enumerate(self.names)])}

    def _after(self, at: int, count: int) -> list[Position]:
        return [*self.positions, Position(self.end, {}, [])][at + 1 : at + 1 + count]

    def _answer(self, state: State, move: Mapping[str, Any], other: str | None) -> dict[str, str | None] | None:
        try:
            self.rules.decide(state, self.seat, dict(move), list)
        except IllegalMove as refused:
            if refused.code == MALFORMED:
                return None
            # Cards are laid open three at a time, so a tap by itself is not refused yet.
            if self.rules.status(state) != "setup":
                return dict(refused.as_json())
        return {"code": LEGAL, "detail": other}

    def _taps(self, state: State) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Each tap with the move that it would be by itself; of the forms of a card and a draw, the game takes one."""
        legal = self.rules.legal_moves(state, self.seat)
        held = sorted(set(self.rules.held(state, self.seat)))
        out = [listed["discard"] for listed in legal if listed["move"] == "go_out"]
        discards = "discard" in {form.move for form in self.rules.plan_forms}
        for card in held:
            yield card, {"move": "discard", "card": card} if discards else {"move": "play", "cards": [card]}
        for position in range(3):
            yield f"down:{position}", {"move": "flip", "position": position}
        yield "pile", {"move": "pick_up"}
        yield "stock", {"move": "draw", "from": "stock"} if discards else {"move": "draw"}
        yield "discard", {"move": "draw", "from": "discard"}
        yield "end_turn", {"move": "end_turn"}
        yield "go_out", {"move": "go_out", "discard": (out or held or [""])[0]}


def _positions(rules: Game, events: list[Event]) -> Iterator[Position]:
    """The position before each move; events that no move began belong to the move before."""
    state = rules.evolve(None, events[0])
    begun: Position | None = None
    for event in events[1:]:
        if "move" in event["data"]:
            if begun is not None:
                yield begun
            begun = Position(state, event["data"]["move"], [])
        if begun is not None:
            begun.events.append(event)
        state = rules.evolve(state, event)
    if begun is not None:
        yield begun


def taps_of(move: Mapping[str, Any]) -> list[str]:
    match move:
        case {"move": "play", "cards": cards} | {"move": "arrange", "face_up": cards}:
            return list(cards)
        case {"move": "discard", "card": card}:
            return [card]
        case {"move": "flip", "position": position}:
            return [f"down:{position}"]
        case {"move": "go_out", "discard": card}:
            return ["go_out", card]
        case {"move": "draw"}:
            return [move.get("from", "stock")]
        case {"move": "pick_up"}:
            return ["pile"]
    return [move["move"]]


@cache
def lesson(game: str) -> Lesson:
    """The lesson of a game. Raises KeyError if it has none."""
    if game not in NAMES:
        raise KeyError(game)
    script = json.loads((Path(__file__).parent / f"{game}.json").read_bytes())
    return Lesson(script)


NAMES = tuple(name for name in GAMES if (Path(__file__).parent / f"{name}.json").exists())
