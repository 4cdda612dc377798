"""Records: a whole game as one JSON object, "trey-record/1"."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.cards import CARDS
from games.rules.game import Event, Game, State
from games.rules.moves import IllegalMove, said
from games.rules.options import SetupError

FORMAT = "trey-record/1"
REQUIRED = ("format", "game", "seats", "dealer", "shuffles")


class RecordError(ValueError):
    """A record that cannot be read. The message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed record: the state after the last legal move, and the first refusal if there was one."""

    game: Game
    state: State
    events: list[Event]
    applied: int
    error: dict[str, Any] | None
    """`{"at", "code", "detail"}`: which move (counted from 0) was refused, and why."""


def record_of(game: Game, events: Iterable[Event]) -> dict[str, Any]:
    """Return the record of a game, given its events from `dealt` on."""
    events = list(events)
    deal = events[0]["data"]
    return {
        "format": FORMAT,
        "game": game.name,
        "ruleset": deal["ruleset"],
        "options": dict(deal["options"]),
        "seats": deal["seats"],
        "dealer": deal["dealer"],
        "shuffles": [event["data"]["shuffle"] for event in events if event["data"].get("shuffle")],
        "moves": [{"seat": event["seat"], **event["data"]["move"]} for event in events if "move" in event["data"]],
    }


def replay(record: object, games: dict[str, Game]) -> Replay:
    """Replay a record up to its end or its first illegal move.

    Raises:
        RecordError: The record cannot be read, or has no order left for a shuffle.
    """
    fields = _checked(record, games)
    game, shuffle = games[fields["game"]], _Shuffles(fields["shuffles"])
    try:
        state, events = game.deal(
            seats=fields["seats"],
            ruleset=fields.get("ruleset"),
            options=fields.get("options", {}),
            dealer=fields["dealer"],
            shuffle=shuffle,
        )
    except SetupError as error:
        raise RecordError(f"{error.field}: {error.detail}") from None
    moves = fields.get("moves", [])
    for at, entry in enumerate(moves):
        seat, move = _seat_and_move(entry)
        try:
            decided = game.decide(state, seat, move, shuffle)
        except IllegalMove as refused:
            return Replay(game, state, events, at, {"at": at, **refused.as_json()})
        for event in decided:
            state = game.evolve(state, event)
        events += decided
    return Replay(game, state, events, len(moves), None)


class _Shuffles:
    """The recorded orders, used one after another in place of chance."""

    def __init__(self, orders: list[list[str]]) -> None:
        self._orders = orders
        self._used = 0

    def __call__(self, cards: Sequence[str]) -> list[str]:
        if self._used == len(self._orders):
            raise RecordError(f"shuffles has {self._used} orders, and this game needs another one.")
        order = self._orders[self._used]
        if Counter(order) != Counter(cards):
            raise RecordError(f"shuffles.{self._used} does not hold exactly the {len(cards)} cards to be shuffled.")
        self._used += 1
        return list(order)


def _checked(record: object, games: dict[str, Game]) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise RecordError("A record must be a JSON object.")
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        raise RecordError(f"The record has no {', '.join(missing)}.")
    if record["format"] != FORMAT:
        raise RecordError(f"format must be {FORMAT}, not {said(record['format'])}.")
    if not isinstance(record["game"], str) or record["game"] not in games:
        raise RecordError(f"There is no game {said(record['game'])}.")
    shuffles = record["shuffles"]
    if not isinstance(shuffles, list) or not all(isinstance(order, list) for order in shuffles):
        raise RecordError("shuffles must be a list of lists of cards.")
    for index, order in enumerate(shuffles):
        for card in order:
            if not isinstance(card, str) or card not in CARDS:
                raise RecordError(f"shuffles.{index}: {said(card)} is not a card.")
    if not isinstance(record.get("moves", []), list):
        raise RecordError("moves must be a list.")
    return record


def _seat_and_move(entry: object) -> tuple[Any, object]:
    if not isinstance(entry, dict):
        return None, entry
    return entry.get("seat"), {key: value for key, value in entry.items() if key != "seat"}
