"""The runner's agenda: when to look at a tournament next, and which work its events cause elsewhere (LI6)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.refusals import Conflict
from tournaments.stream.evolve import Happened
from tournaments.stream.proposals import next_decision
from tournaments.stream.rounds import next_round
from tournaments.stream.state import Status, Tournament


class Kind(StrEnum):
    """The kinds of work outside the tournament's own stream, as the queue names them."""

    OPEN = "tournament.open"
    OUTCOME = "tournament.outcome"
    CALL_OFF = "tournament.call_off"
    ADJUDICATE = "tournament.adjudicate"
    RESIGN = "tournament.resign"
    SEATS = "tournament.seats"
    WATCH = "tournament.watch"
    ABSENT = "tournament.absent"
    ROOM = "tournament.room"
    EXTENDED = "tournament.extended"
    STEP = "tournament.step"


@dataclass(frozen=True, slots=True)
class Work:
    """A piece of work. `key` is unique among work of its kind in the tournament."""

    kind: Kind
    key: str
    data: Mapping[str, Any] = field(default_factory=dict)


def starts_at(t: Tournament) -> datetime | None:
    """When it starts by itself. A season without `starts_at` starts when it opens."""
    if t.plan.starts_at is not None or t.plan.kind != "season":
        return t.plan.starts_at
    return t.plan.opens_at


def next_look(t: Tournament, now: datetime) -> datetime | None:
    """When the next step is due: `now`, later, or None if it waits for something else to happen."""
    if t.is_over:
        return now if t.deals_are_secret else None
    if t.status is Status.REGISTRATION:
        return None if t.put_off else starts_at(t)
    if t.status is not Status.RUNNING:
        return None
    return earliest(_next_of_its_kind(t, now), next_decision(t))


def earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)


def _next_of_its_kind(t: Tournament, now: datetime) -> datetime | None:
    rounds = t.rounds.several(t.open_rounds)
    deadlines = [one.deadline_at for one in rounds if one.deadline_at is not None and not one.overdue]
    if t.break_ends is not None:
        return earliest(t.break_ends, *deadlines)
    if t.plan.kind == "season":
        return earliest(None if t.only_organisers_finish else t.plan.closes_at, *deadlines)
    return now if may_end(t) or can_seat(t) else earliest(*deadlines)


def can_seat(t: Tournament) -> bool:
    return t.plan.pace == "auto" and t.break_ends is None and _why_no_round(t) is None


def may_end(t: Tournament) -> bool:
    """Whether no round of the stage is open or follows; of a knockout before another stage the record says it."""
    last = t.take is None
    if t.open_rounds if last else t.open_in_stage:
        return False
    if not last and t.plan.kind == "knockout":
        return True
    return not t.only_organisers_finish and _why_no_round(t) == "no_next_round"


def _why_no_round(t: Tournament) -> str | None:
    try:
        next_round(t)
    except Conflict as error:
        return error.code
    return None


def work_after(t: Tournament, events: Iterable[Happened]) -> Iterator[Work]:
    for event in events:
        find = _WORK.get(event.type)
        if find is not None:
            yield from find(t, event.data, event.version)


Data = Mapping[str, Any]


def _voided(_: Tournament, data: Data, __: int) -> Iterator[Work]:
    if not data["had_result"]:
        yield call_off(data["id"], data["reason"])
    if data["again"] is not None:
        yield _open(data["again"]["id"])


def _restored(_: Tournament, data: Data, __: int) -> Iterator[Work]:
    if data["instead_of"] is not None:
        yield call_off(data["instead_of"], data["reason"])


def _reopened(t: Tournament, _: Data, __: int) -> Iterator[Work]:
    """LI3: games that ran on may have ended; others were never opened."""
    for game in [game for game in t.games.values() if game.is_open]:
        yield Work(Kind.OUTCOME, game.id, {"game": game.id})
        if game.round is not None:
            yield _open(game.id)


def _overdue(t: Tournament, data: Data, version: int) -> Iterator[Work]:
    if t.plan_of(t.stage_of(data["round"])).overdue == "adjudicate":
        for table in data["tables"]:
            for game in t.games_of(t.tables[data["round"], table]):
                if game.is_open:
                    yield Work(Kind.ADJUDICATE, f"{game.id}/{version}", {"game": game.id})


def _absent(t: Tournament, data: Data, version: int) -> Iterator[Work]:
    game = t.games[data["game"]]
    if set(game.absent).issuperset(game.entrants):
        yield Work(Kind.ADJUDICATE, f"{game.id}/{version}", {"game": game.id})


def _leaves(_: Tournament, data: Data, version: int) -> Iterator[Work]:
    yield Work(Kind.RESIGN, f"{data['entrant']}/{version}", {"entrant": data["entrant"]})


def _plays_otherwise(t: Tournament, data: Data, version: int) -> Iterator[Work]:
    if t.entrants[data["entrant"]].entered:
        yield Work(Kind.SEATS, f"{data['entrant']}/{version}", {"entrant": data["entrant"]})


_WORK: Mapping[str, Callable[[Tournament, Data, int], Iterable[Work]]] = {
    # The runner calls off the rooms of the stage before that have not begun.
    "staged": lambda _, __, version: [Work(Kind.STEP, f"staged/{version}")],
    "seated": lambda _, data, __: [_open(game) for games in data["games"] for game in games],
    "voided": _voided,
    "restored": _restored,
    "cancelled": lambda t, data, _: [call_off(one.id, data["reason"]) for one in t.games.values() if one.is_open],
    "reopened": _reopened,
    "overdue": _overdue,
    "absent": _absent,
    "withdrew": _leaves,
    "removed": lambda t, data, version: [*_leaves(t, data, version), *_plays_otherwise(t, data, version)],
    "reinstated": _plays_otherwise,
    "replaced": _plays_otherwise,
}


def _open(game: str) -> Work:
    return Work(Kind.OPEN, game, {"game": game})


def call_off(game: str, reason: str) -> Work:
    return Work(Kind.CALL_OFF, game, {"game": game, "reason": reason})
