"""The last event of a game: `finished` with its result, or `called_off`.

Both hold everything needed for counting results, so that nobody has to read the game's other events.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core import log
from games.events import CalledOff, Finished
from games.projections import SeatSnapshot, Snapshot


def finished(snapshot: Snapshot) -> log.NewEvent:
    """The end of a game that the rules have ended.

    `data`:
        result: `ended_by`, `placements`. game, ruleset, options (complete), started_at. belongs_to:
        `{"tournament", "round", "table", "number"}`, or null. rounds: how many were scored (Three Thirteen), else null.
        rated: whether it counts for ratings: only people played, nobody was replaced, and somebody came (RA1).
        seats: for each, as it was at the end, `seat`, `player` (an id, or null), `bot` (the level of the bot that plays
            there, also for a player), `timeouts` (turns missed), `moved` (its player made a move, a resignation
            included), `played` (its player made one in play, a resignation not included), `never_came` (not so: the
            clock, a bot or a resignation moved for it, RA1), `resigned`, `lost_on_time` (the clock gave it to a bot or
            resigned it, RA3), `replaced`.
    """
    seats = _seats(snapshot)
    rated = _counts(snapshot, seats)
    result = snapshot.rules.result(snapshot.state)
    return log.NewEvent(Finished.type, {"result": result, **_facts(snapshot), "rated": rated, "seats": seats})


def called_off(
    snapshot: Snapshot,
    reason: str,
    placements: Sequence[Mapping[str, Any]] | None = None,
    *,
    rated: bool = False,
) -> log.NewEvent:
    """The end of a room or game that is called off; `placements` (as in a result) if a ruling gave places.

    `data`: `reason`, `placements` (or null), and all of `finished` but the result. It is `rated` only if the caller
    says that the places count and the game would count if it had been finished.
    """
    seats = _seats(snapshot)
    facts = {**_facts(snapshot), "rated": rated and _counts(snapshot, seats), "seats": seats}
    places = None if placements is None else [dict(placement) for placement in placements]
    return log.NewEvent(CalledOff.type, {"reason": reason, "placements": places, **facts})


def _counts(snapshot: Snapshot, seats: Sequence[Mapping[str, Any]]) -> bool:
    return (
        snapshot.rated and not any(seat["replaced"] for seat in seats) and not all(seat["never_came"] for seat in seats)
    )


def _facts(snapshot: Snapshot) -> dict[str, Any]:
    state = snapshot.state
    return {
        "game": snapshot.game,
        "ruleset": snapshot.ruleset,
        "options": dict(snapshot.options),
        "rounds": None if state is None else snapshot.rules.rounds_scored(state),
        "started_at": None if snapshot.started_at is None else log.time_text(snapshot.started_at),
        "belongs_to": snapshot.belongs_to,
    }


def _seats(snapshot: Snapshot) -> list[dict[str, Any]]:
    return [_seat(index, seat) for index, seat in enumerate(snapshot.players)]


def _seat(index: int, seat: SeatSnapshot) -> dict[str, Any]:
    return {
        "seat": index,
        "player": None if seat.player is None else str(seat.player),
        "bot": None if seat.bot is None else seat.bot["level"],
        "timeouts": seat.timeouts,
        "moved": seat.moved,
        "played": seat.played is True,
        "never_came": seat.played is False or (seat.resigned and not seat.played),
        "resigned": seat.resigned,
        "lost_on_time": seat.lost_on_time,
        "replaced": seat.replaced,
    }
