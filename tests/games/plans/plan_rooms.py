"""Rooms with plans, and the turns in their logs, for the tests of plans."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

SHEDDING = {
    "lines": [
        {"move": {"move": "play", "choose": "lowest", "count": "all"}},
        {"move": {"move": "flip", "choose": "first"}},
        {"move": {"move": "pick_up"}},
    ]
}
RUMMY = {
    "lines": [
        {"move": {"move": "draw", "from": "stock"}},
        {"move": {"move": "draw", "from": "discard"}},
        {"move": {"move": "discard", "choose": "best"}},
    ]
}
CLOCK = {"per_turn": 60, "strikes": 100, "quiet_hours": False, "vacation": False}
STEP = timedelta(hours=1)
"""From one moment to the next: longer than a turn, and than an opening race belongs to hands (PL8)."""


class WrongError(AssertionError):
    """The log does not say what it should. The message says about what."""


def silent_plan(game: str) -> dict[str, Any]:
    """Return a plan that never says what to do."""
    when: dict[str, Any] = {"top": []} if game == "three_thirteen" else {"hand_at_least": 200}
    return {"lines": [{**line, "when": when} for line in plan_for(game, 1)["lines"]]}


def plan_for(game: str, turns: int) -> dict[str, Any]:
    """Return a plan that always says what to do."""
    return {**(RUMMY if game == "three_thirteen" else SHEDDING), "turns": turns}


@dataclass
class Room:
    """A running game, and where it began to be played: at which version, and which seats had to act."""

    id: UUID
    players: tuple[Any, ...]
    version: int
    acting: frozenset[int]


def opened(game: str, players: tuple[Any, ...], bots: int, at: datetime) -> Room:
    """Return a game that has been dealt, with its setup played by hand."""
    from core import clock
    from games import selectors, services
    from games.projections import load
    from tests.games.services.service_scene import choices

    options = {"rounds": 2} if game == "three_thirteen" else {"stalemate_after": 100}
    with clock.frozen(at):
        room = services.open_room(
            players[0], services.Terms(game, len(players) + bots, options=options, clock=CLOCK), bots=["random"] * bots
        )
        for player in players[1:]:
            services.join(room.id, player)
        services.start(room.id, players[0])
        for player in players:
            snapshot = load(room.id)
            if snapshot is not None and snapshot.status == "setup":
                move = choices(selectors.legal_moves(player, snapshot).moves[0])
                services.play(room.id, player, move)
        services.play_bots(room.id)
    begun = load(room.id)
    if begun is None or begun.status == "setup":
        raise WrongError(f"the setup of {room.id} does not end")
    acting = frozenset(index for index, seat in enumerate(begun.players) if seat.duty is not None)
    return Room(room.id, players, begun.version, acting)


def owner(snapshot: Any, seat: int) -> Any:
    """Return the player of a seat."""
    return snapshot.account_of(snapshot.players[seat])


def is_running(game: UUID) -> bool:
    """Return whether a game has been dealt and is not over."""
    from games.projections import load

    snapshot = load(game)
    return snapshot is not None and snapshot.status == "playing"


def check_rebuilt(game: UUID) -> None:
    """Raise WrongError unless the game grows again from its events as it is."""
    from games.projections import rebuild

    if differences := rebuild(game).differences:
        raise WrongError(f"{game}: {differences}")


def turns_of(seat: int, events: list[Any], *, in_turn: bool) -> list[list[int]]:
    """Return the seat's turns (TU1): of each the versions of the events in it. `in_turn`: one runs at the beginning."""
    from games.projections import Timing
    from games.projections.vocabulary import TIMING

    turns: list[list[int]] = [[]] if in_turn else []
    for event in events:
        if in_turn:
            turns[-1].append(event.version)
        if TIMING in event.data:
            must_act = seat in Timing.from_json(event.data[TIMING]).duties
            if must_act and not in_turn:
                turns.append([])
            in_turn = must_act
    return turns
