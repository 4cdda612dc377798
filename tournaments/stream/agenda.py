"""The runner's agenda: when to look at a tournament next, and which work its events cause elsewhere (LI6)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.refusals import Conflict
from tournaments.stream import events, rulings
from tournaments.stream.events import Fact, Happened, fact_of
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


def work_after(t: Tournament, happened: Iterable[Happened]) -> Iterator[Work]:
    for event in happened:
        fact = fact_of(event)
        yield from WORK.get(type(fact), _nothing)(t, fact, event.version)


def _nothing(*_: object) -> Iterable[Work]:
    return ()


def _voided(_: Tournament, fact: events.Voided, __: int) -> Iterator[Work]:
    if not fact.had_result:
        yield call_off(fact.id, fact.reason)
    if fact.again is not None:
        yield _open(fact.again["id"])


def _reopened(t: Tournament, _: Fact, __: int) -> Iterator[Work]:
    """LI3: games that ran on may have ended; others were never opened."""
    for game in [game for game in t.games.values() if game.is_open]:
        yield Work(Kind.OUTCOME, game.id, {"game": game.id})
        if game.round is not None:
            yield _open(game.id)


def _overdue(t: Tournament, fact: events.Overdue, version: int) -> Iterator[Work]:
    if t.plan_of(t.stage_of(fact.round)).overdue == "adjudicate":
        for table in fact.tables:
            for game in t.games_of(t.tables[fact.round, table]):
                if game.is_open:
                    yield Work(Kind.ADJUDICATE, f"{game.id}/{version}", {"game": game.id})


def _absent(t: Tournament, fact: events.Absent, version: int) -> Iterator[Work]:
    game = t.games[fact.game]
    if set(game.absent).issuperset(game.entrants):
        yield Work(Kind.ADJUDICATE, f"{game.id}/{version}", {"game": game.id})


def _leaves(_: Tournament, fact: Any, version: int) -> Iterator[Work]:
    yield Work(Kind.RESIGN, f"{fact.entrant}/{version}", {"entrant": fact.entrant})


def _plays_otherwise(t: Tournament, fact: Any, version: int) -> Iterator[Work]:
    if t.entrants[fact.entrant].entered:
        yield Work(Kind.SEATS, f"{fact.entrant}/{version}", {"entrant": fact.entrant})


WORK: Mapping[type[Fact], Callable[[Tournament, Any, int], Iterable[Work]]] = {
    # The runner calls off the rooms of the stage before that have not begun.
    events.Staged: lambda _, __, version: [Work(Kind.STEP, f"staged/{version}")],
    events.Seated: lambda _, fact, __: [_open(game) for games in fact.games for game in games],
    events.Voided: _voided,
    events.Restored: lambda _, fact, __: [call_off(fact.instead_of, fact.reason)] if fact.instead_of else (),
    events.Cancelled: lambda t, fact, _: [call_off(one.id, fact.reason) for one in t.games.values() if one.is_open],
    events.Reopened: _reopened,
    events.Overdue: _overdue,
    events.Absent: _absent,
    events.Withdrew: _leaves,
    rulings.Removed: lambda t, fact, version: [*_leaves(t, fact, version), *_plays_otherwise(t, fact, version)],
    rulings.Reinstated: _plays_otherwise,
    rulings.Replaced: _plays_otherwise,
}


def _open(game: str) -> Work:
    return Work(Kind.OPEN, game, {"game": game})


def call_off(game: str, reason: str) -> Work:
    return Work(Kind.CALL_OFF, game, {"game": game, "reason": reason})
