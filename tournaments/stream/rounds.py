"""Deciding rounds: drafted, exchanged, seated, overdue (LI2); and when a stage is over, and who goes on (SG2)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from msgspec import convert, to_builtins

from core.calendars.calendar import Interval
from core.refusals import Conflict, Invalid
from games.clocks import with_outages
from tournaments.rules import Entrant
from tournaments.rules.cut import NextStage
from tournaments.stream.events import Drafted, Exchanged, Fact, Overdue, RoundClosed, Seated, Staged, StageOver, folded
from tournaments.stream.facts import By, check_organiser, check_running
from tournaments.stream.state import Seating, Tournament, game_id


def next_round(t: Tournament) -> int:
    """The round that can be seated. Raises Conflict (as `check_running`; no_rounds, no_next_round, round_open)."""
    check_running(t)
    if t.plan.kind == "season":
        raise Conflict("no_rounds", "A season has no rounds.")
    number = t.seated + 1
    if last_is_seated(t):
        raise Conflict("no_next_round", "The last round has been seated.")
    waits_for = number - t.plan.at_once
    if waits_for in t.open_in_stage:
        count = t.rounds[waits_for].open_tables
        named = t.round_name(waits_for)
        raise Conflict("round_open", f"{named[:1].upper()}{named[1:]} still has {count} open tables.")
    return number


def last_is_seated(t: Tournament) -> bool:
    """Return whether no round of the present stage can follow: a knockout's final, or the last of those set."""
    if t.plan.kind == "knockout":
        return t.seated > t.seated_before and t.rounds[t.seated].tables == 1
    return t.plan.rounds is not None and t.seated >= t.seated_before + t.plan.rounds


def draft(t: Tournament, by: By, seating: Seating, *, now: datetime) -> list[Fact]:
    """Draft the next round, for organisers to change and publish. Raises Forbidden, Conflict (as `next_round`)."""
    check_organiser(t, by)
    begins = [] if seating.staged is None else [convert(seating.staged, Staged)]
    _check_seating(folded(t, begins, now), seating)
    return [Drafted(**as_data(seating))]


def exchange(t: Tournament, by: By, seating: Seating, reason: str) -> list[Fact]:
    """Raises Forbidden, Conflict (no_draft, draft_outdated), Invalid (tables: others, or of other sizes) (LI5)."""
    check_organiser(t, by)
    before = _current_draft(t)
    _check_proposal(before, seating)
    moved = _moved(before, seating)
    return [Exchanged(**as_data(seating), entrants=tuple(moved), reason=reason)] if moved else []


def publish(t: Tournament, by: By, *, now: datetime) -> list[Fact]:
    """Seat the round as drafted. Raises Forbidden, Conflict (no_draft, draft_outdated)."""
    check_organiser(t, by)
    drafted = _current_draft(t)
    if drafted.staged is None:
        return seat(t, drafted, now=now)
    begins = convert(drafted.staged, Staged)
    return [begins, *seat(folded(t, [begins], now), replace(drafted, staged=None), now=now)]


def seat(t: Tournament, seating: Seating, *, now: datetime) -> list[Fact]:
    """The runner opens the games. Raises Conflict (as `next_round`), ValueError if it does not fit those who are in."""
    _check_seating(t, seating)
    number = seating.round
    games = tuple(
        tuple(game_id(t.id, number, table, count) for count in range(1, t.plan.per_table + 1))
        if _is_played(t, seating, entrants)
        else ()
        for table, entrants in enumerate(seating.tables, 1)
    )
    ends = now + timedelta(seconds=t.plan.deadline) if t.plan.deadline is not None else None
    known: dict[str, Any] = {"games": games, "deadline_at": ends, "proposal": t.rules.proposal, "seed": t.seed}
    return [Seated(**as_data(seating), **known), *([] if any(games) else [RoundClosed(number)])]


class Timed(Protocol):
    """A round of the state, or its row."""

    @property
    def seated_at(self) -> datetime: ...
    @property
    def deadline_at(self) -> datetime | None: ...
    @property
    def closed_at(self) -> datetime | None: ...


def ends_at(played: Timed, outages: Sequence[Interval]) -> datetime | None:
    """The deadline of a round, with the outages since it was seated (LI2): those until it was closed."""
    if played.deadline_at is None:
        return None
    known = [one for one in outages if played.closed_at is None or one[0] < played.closed_at]
    return with_outages(played.seated_at, played.deadline_at, known)


def overdue(t: Tournament, number: int) -> list[Fact]:
    played = t.rounds[number]
    if played.overdue or number not in t.open_rounds:
        return []
    late = [table.number for table in t.tables_of(number) if any(game.is_open for game in t.games_of(table))]
    return [Overdue(number, tuple(late))]


def _is_played(t: Tournament, seating: Seating, entrants: Sequence[str]) -> bool:
    """KO1: a table from which everybody advances is not played, unless it is the final."""
    if t.plan.kind != "knockout" or len(seating.tables) == 1:
        return True
    return len(entrants) > int(t.plan.settings["advance"])


def _check_seating(t: Tournament, seating: Seating) -> None:
    if seating.round != next_round(t):
        raise ValueError(f"round {seating.round} is not the next one")
    seated = [key for table in seating.tables for key in table]
    if len(set(seated) | set(seating.byes)) < len(seated) + len(seating.byes):
        raise ValueError("somebody is seated twice")
    if not all(entrant.is_in for entrant in t.entrants.several((*seated, *seating.byes))):
        raise ValueError("somebody who is not in is seated")
    if not all(map(t.is_in_stage, (*seated, *seating.byes))):
        raise ValueError("somebody who is not in the stage is seated")
    if t.plan.kind == "rounds" and len(seated) + len(seating.byes) < len(t.playing()):
        raise ValueError("somebody who is in is not seated")


def _current_draft(t: Tournament) -> Seating:
    """The draft, as long as it fits those who are in. Raises Conflict (no_draft, draft_outdated)."""
    check_running(t)
    if t.draft is None:
        raise Conflict("no_draft", "No next round has been drafted.")
    drafted = {key for table in t.draft.tables for key in table} | set(t.draft.byes)
    missing = any(not entrant.is_in for entrant in t.entrants.several(sorted(drafted)))
    # Whoever comes or goes before the next stage outdates its draft by itself.
    all_of_stage = t.plan.kind == "rounds" and t.draft.staged is None
    if missing or (all_of_stage and drafted != {entrant.key for entrant in t.playing()}):
        raise Conflict("draft_outdated", "Entrants have joined or left since the draft. Draft the round again.")
    return t.draft


def _check_proposal(before: Seating, seating: Seating) -> None:
    drafted = sorted([key for table in before.tables for key in table] + list(before.byes))
    proposed = sorted([key for table in seating.tables for key in table] + list(seating.byes))
    if proposed != drafted:
        raise Invalid("invalid", "Seat each entrant of the draft exactly once.", field="tables")
    if sorted(map(len, seating.tables)) != sorted(map(len, before.tables)):
        raise Invalid("invalid", "The tables must have the same sizes as in the draft.", field="tables")


def _moved(before: Seating, after: Seating) -> list[str]:
    places = [
        {key: (number, at) for number, table in enumerate(tables, 1) for at, key in enumerate(table)}
        for tables in (before.tables, after.tables)
    ]
    keys = set(places[0]) | set(places[1])
    return sorted((key for key in keys if places[0].get(key) != places[1].get(key)), key=lambda key: int(key[1:]))


def as_data(seating: Seating) -> dict[str, Any]:
    known: dict[str, Any] = to_builtins(asdict(seating))
    return known if seating.staged is not None else {name: one for name, one in known.items() if name != "staged"}


def going_on(found: NextStage, entrants: Mapping[str, Entrant]) -> dict[str, Any]:
    """Who goes on: `{"stage", "seeds", "decided_by", "passed": [{"entrant", "why"}]}`.

    `entrants` are those of the record; `why` one is passed over is withdrew, removed or no_place (SG4).
    """
    passed = [
        {"entrant": one.id, "why": "removed" if one.removed else "withdrew" if one.withdrawn else "no_place"}
        for one in map(entrants.__getitem__, found.passed)
    ]
    return {**found.as_json(), "passed": passed}


def end_stage(going_on: Mapping[str, Any], until: datetime) -> list[Fact]:
    """End the present stage; the next one begins after a break."""
    return [convert({**going_on, "until": until}, StageOver)]


def begin_stage(
    t: Tournament, going_on: Mapping[str, Any], *, reason: str | None = None, beside: str | None = None
) -> list[Fact]:
    """`beside`: the entrant of the organiser who ruled it."""
    return [convert({**going_on, "reason": reason, "also_plays": beside, "seed": t.seed}, Staged)]
