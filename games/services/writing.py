"""The one write path: load, decide, write the picture at the expected version, append last; one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from games import log
from games.models import Game, stream_of
from games.projections import (
    LostRace,
    Picture,
    duties_to_meta,
    fold,
    load,
    picture_of,
    rebuild,
    save,
    with_banks,
    with_duties,
)
from games.refusals import NotFound
from games.selectors import calendars_of, known_outages
from games.services.duties import Calendars, Outages, banks_after, duties_after, none_known
from games.services.waking import waits_for_server, wake

Actor = Mapping[str, Any]
"""Who is behind an event: ``{"kind": "player", "id": "..."}``; kept as the meta's ``actor``."""

# The first try takes no lock; the second one takes it, so that nobody can come first a second time; the third comes
# after the row was found to be behind its log and was rebuilt.
TRIES = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """An event that was decided."""

    type: str
    data: Mapping[str, Any]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Stamped(Fact):
    """An event that was decided and is about to be stored, with all that a stored one has."""

    _: KW_ONLY
    meta: Mapping[str, Any]
    version: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Written:
    """The game after a command, its seats loaded, and the events of the command, oldest first (none: no change)."""

    game: Game
    events: Sequence[Stamped]


Decide = Callable[[Game, Picture], Sequence[Fact]]


def change(
    game_id: UUID,
    decide: Decide,
    *,
    actor: Actor,
    now: datetime,
    first: Callable[[], None] | None = None,
    last: Callable[[Written], None] | None = None,
    command_id: UUID | None = None,
) -> Written:
    """Let `decide` judge the current picture, and keep the events it answers, in one transaction.

    `decide` may run more than once: whoever loses a race is rolled back and judged anew on the new state. `first` and
    `last` run inside the transaction, before the picture is read and after it is written.

    Raises NotFound where there is no such game, and whatever `decide` raises.
    """
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                if first is not None:
                    first()
                return _change_once(
                    game_id, decide, lock=attempt > 1, actor=actor, now=now, last=last, command_id=command_id
                )
        except LostRace:
            if attempt == TRIES:
                raise
        except log.VersionConflict as conflict:
            if attempt == TRIES:
                raise
            _heal(game_id, conflict)
    raise AssertionError("unreachable")


def _change_once(
    game_id: UUID,
    decide: Decide,
    *,
    lock: bool,
    actor: Actor,
    now: datetime,
    last: Callable[[Written], None] | None,
    command_id: UUID | None,
) -> Written:
    game = load(game_id, lock=lock)
    if game is None:
        raise NotFound("not_found", "There is no such game.")
    before = picture_of(game)
    facts = decide(game, before)
    if not facts:
        return Written(game, ())
    after, events = advance(
        before.id, before, facts, actor=actor, now=now, calendars=calendars_of(game), outages=known_outages
    )
    save(game, before, after)
    if waits_for_server(game, after, actor):
        transaction.on_commit(partial(wake, game_id), robust=True)
    written = Written(game, events)
    if last is not None:
        last(written)
    append(before.id, events, command_id=command_id)
    return written


def advance(
    game_id: UUID,
    before: Picture | None,
    facts: Sequence[Fact],
    *,
    actor: Actor,
    now: datetime,
    calendars: Calendars | None = None,
    outages: Outages = none_known,
) -> tuple[Picture, list[Stamped]]:
    """The picture after the facts (at least one), and the events to store: the last one tells duties and banks."""
    meta: dict[str, Any] = {"actor": dict(actor)}
    after, events = ahead(game_id, before, facts, meta=meta, now=now)
    if after.state is not None and after.status != "cancelled":
        known = calendars or {}
        duties = duties_after(after, now, known)
        told: dict[str, Any] = {"duties": duties_to_meta(duties)}
        ended = with_duties(after, duties)
        banks = banks_after(before, ended, now, known, outages) if before is not None and before.clock["bank"] else {}
        if banks:
            # Who has to move again at once has the shorter reserve.
            after = with_banks(after, banks)
            duties = duties_after(after, now, known)
            told = {
                "duties": duties_to_meta(duties),
                "banks": {str(index): left for index, left in sorted(banks.items())},
            }
        events[-1] = replace(events[-1], meta={**meta, **told})
        after = with_duties(after, duties)
    return after, events


def ahead(
    game_id: UUID, before: Picture | None, facts: Sequence[Fact], *, meta: Mapping[str, Any], now: datetime
) -> tuple[Picture, list[Stamped]]:
    """The picture after the facts (at least one) but for the duties, and the facts as events."""
    version = before.version if before is not None else 0
    events = [
        Stamped(fact.type, fact.data, fact.seat, meta=meta, version=number, recorded_at=now)
        for number, fact in enumerate(facts, version + 1)
    ]
    after = before
    for event in events:
        after = fold(game_id, after, event)
    if after is None:
        raise ValueError("no facts")
    return after, events


def append(game_id: UUID, events: Sequence[Stamped], *, command_id: UUID | None = None) -> None:
    """Append the events; the last thing before the commit."""
    log.append(
        stream_of(game_id),
        events[0].version - 1,
        [log.NewEvent(event.type, event.data, seat=event.seat, meta=event.meta) for event in events],
        command_id=command_id,
        recorded_at=events[0].recorded_at,
    )


def _heal(game_id: UUID, conflict: log.VersionConflict) -> None:
    """A row whose own version held but not its stream's is behind the log (a restored table): make it anew."""
    row = Game.objects.filter(pk=game_id).values_list("version", flat=True).first()
    if row is not None and row == conflict.expected:
        rebuild(game_id)
