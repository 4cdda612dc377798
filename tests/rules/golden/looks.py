"""Recorded whole games, and after every move all that anybody is shown: what the golden files hold, and how.

A file has one JSON line for the record and then one for each prefix of the game: the move, its events, which of their
facts each viewer is not shown, and what has changed in the look of the game. The look is flat, path to value: the whole
table, in what the seats' and a stranger's views differ from it, and each seat's legal moves or why there are none. So
nothing is left out, and the difference of two files can be read.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from games.rules import GAMES
from games.rules.game import Event, Game, State, Viewer
from games.rules.record import Replay, record_of, replay
from tests.rules.playing import RandomGame

FOLDER = Path(__file__).parent
GONE = "(gone)"
Line = dict[str, Any]
Flat = dict[str, Any]
T = TypeVar("T")


class RefusedMoveError(Exception):
    """A recorded game that the rules no longer allow."""


class Recorded(NamedTuple):
    """A game to be recorded: played by chance from the seed, the given seats resigning before the given moves."""

    game: str
    seats: int
    seed: int
    options: dict[str, Any]
    resigning: dict[int, int] = {}


LAST_LEFT = {"play_until": "last_left", "stalemate_after": 3}
FIRST_OUT = {"play_until": "first_out", "stalemate_after": 3}
RECORDED = {
    "three_card-2-seats": Recorded("three_card", 2, 44, FIRST_OUT),
    "three_card-5-seats": Recorded("three_card", 5, 4, LAST_LEFT | {"direction": "right"}, {1: 3, 30: 0}),
    "tripp_jokes-3-seats": Recorded("tripp_jokes", 3, 18, FIRST_OUT),
    "tripp_jokes-4-seats": Recorded("tripp_jokes", 4, 14, LAST_LEFT, {25: 1}),
    "threes-4-seats": Recorded("threes", 4, 24, LAST_LEFT | {"decks": 1}),
    "threes-3-seats-merging": Recorded(
        "threes", 3, 31, LAST_LEFT | {"merge_last_hand": True, "eight_plain_on_empty": True, "ten_wild": True}, {20: 2}
    ),
    "castle-3-seats": Recorded("castle", 3, 30, FIRST_OUT),
    "castle-5-seats": Recorded("castle", 5, 8, LAST_LEFT, {40: 4}),
    "three_thirteen-3-seats": Recorded("three_thirteen", 3, 38, {"rounds": 2, "renewals": 1}),
    "three_thirteen-4-seats": Recorded("three_thirteen", 4, 24, {"rounds": 2, "renewals": 0, "ace_points": 1}, {9: 2}),
}


def path_of(name: str) -> Path:
    """Where a golden file lies."""
    return FOLDER / f"{name}.jsonl"


def read(name: str) -> list[Line]:
    """The lines of a golden file."""
    return [json.loads(line) for line in path_of(name).read_text().splitlines()]


def write(name: str, lines: list[Line]) -> None:
    """Writes a golden file."""
    path_of(name).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def play(recorded: Recorded) -> dict[str, Any]:
    """The record of such a game."""
    game = RandomGame(recorded.game, recorded.seed, seats=recorded.seats, options=recorded.options)
    moves = 0
    while game.rules.status(game.state) != "finished":
        if moves in recorded.resigning:
            game.apply(recorded.resigning[moves], {"move": "resign"})
        else:
            game.step()
        moves += 1
    return record_of(game.rules, game.events)


def lines_of(record: dict[str, Any]) -> list[Line]:
    """What the golden file of this record is to hold, by the rules as they are now. Raises RefusedMoveError."""
    played = replay(record, GAMES)
    if played.error is not None:
        raise RefusedMoveError(f"the rules refuse the move recorded: {played.error}")
    lines = [record]
    before: Flat = {}
    for state, events in prefixes(played):
        after = look(played.game, state)
        seen = hidden(played.game, events, record["seats"])
        lines.append({"events": events, "hidden": seen, "changed": changed(before, after)})
        before = after
    return as_stored(lines)


def as_stored(value: T) -> T:
    """The value as it comes back out of a file."""
    stored: T = json.loads(json.dumps(value))
    return stored


def prefixes(played: Replay) -> Iterator[tuple[State, list[Event]]]:
    """The state after the deal and after each move, and the events that led there."""
    state: State = None
    behind: list[Event] = []
    for event, following in zip(played.events, [*played.events[1:], {"data": {"move": None}}], strict=True):
        state = played.game.evolve(state, event)
        behind.append(event)
        if "move" in following["data"]:
            yield state, behind
            behind = []


def look(game: Game, state: State) -> Flat:
    """All that anybody is shown of the game, path to value."""
    table = flat(game.view(state, None))
    seats = range(table["seats"])
    shown = {f"table/{path}": value for path, value in table.items()}
    viewers: list[Viewer] = [*seats, "public"]
    for viewer in viewers:
        differing = changed(table, flat(game.view(state, viewer)))
        shown |= {f"seen by {viewer}/{path}": value for path, value in differing.items()}
    for seat in seats:
        refusal = game.why_not(state, seat)
        shown[f"legal for {seat}"] = refusal["code"] if refusal else game.legal_moves(state, seat)
        shown[f"duty of {seat}"] = game.duties(state).get(seat)
    return as_stored(shown)


def hidden(game: Game, events: list[Event], seats: int) -> dict[str, Flat]:
    """In what the events differ for the viewers that are not shown everything."""
    everything = flat(events)
    viewers: list[Viewer] = [*range(seats), "public"]
    differing = {
        str(viewer): changed(everything, flat([game.redact(event, viewer) for event in events])) for viewer in viewers
    }
    return {viewer: facts for viewer, facts in differing.items() if facts}


def flat(value: Any, path: str = "") -> Flat:
    """A JSON value as path to value. Lists of plain values are kept whole, cards as people write them down."""
    if isinstance(value, dict) and value:
        entries = value.items()
    elif isinstance(value, list | tuple) and any(isinstance(entry, dict | list | tuple) for entry in value):
        entries = dict(enumerate(value)).items()
    elif isinstance(value, list | tuple) and value and all(isinstance(entry, str) for entry in value):
        return {path: " ".join(value)}
    else:
        return {path: value}
    return {
        inner: leaf
        for key, entry in entries
        for inner, leaf in flat(entry, f"{path}/{key}" if path else str(key)).items()
    }


def changed(before: Flat, after: Flat) -> Flat:
    """The paths that are new or have another value, and those that are gone."""
    new = {path: value for path, value in after.items() if path not in before or before[path] != value}
    return new | {path: GONE for path in before if path not in after}
