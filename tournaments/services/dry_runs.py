"""Dry runs of rulings (LI5), decided by the functions that decide real ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core.jobs import services as work
from games import services as games
from games.selectors import UNFINISHED
from tournaments import selectors
from tournaments.services import outcomes, queue
from tournaments.services.commands import check_condition
from tournaments.services.ruling_requests import Ruling
from tournaments.services.running_games import (
    Decide,
    actor_of,
    game_of,
    placements_of,
    said_by,
    turn_of,
)
from tournaments.stream import By, Fact, Tournament
from tournaments.stream.agenda import Kind
from tournaments.stream.evolve import evolve


def foresee(t: Tournament, by: By, ruling: Ruling, decide: Decide, *, now: datetime, conditional: bool) -> list[Fact]:
    """The facts of everything that the ruling would do now, after those of games that have just ended.

    `conditional`: the ruling came with a condition on the tournament, which the end of a game makes stale. Raises what
    would refuse the ruling.
    """
    if ruling.name == "extend" and ruling.game is not None:
        game_id, seat, _ = turn_of(t, ruling)
        games.foresee_extension(game_id, seat, ruling.seconds, actor=actor_of(by), reason=ruling.reason, now=now)
        return []  # more time changes no standings
    facts: list[Fact] = []
    row = game_of(t, ruling)
    # When one game has ended, the ruling may be about the table's next game.
    while row is not None and row.status not in UNFINISHED and (ended := _end_to_take_in(t, row.pk)):
        facts += ended
        t = folded(t, ended, now)
        if conditional:
            check_condition(t, lambda _: False)
        row = game_of(t, ruling)
    ruled = decide(t, by, ruling, now)
    if row is not None and row.status in UNFINISHED:
        event = games.foresee_call_off(
            row.pk,
            actor=actor_of(by),
            reason=ruling.reason,
            placements=placements_of(t, row.pk, ruling),
            now=now,
        )
        ruled = list(outcomes.facts_of_end(t, str(row.pk), event, said_by(by, ruling)))
    return [*facts, *ruled]


def preview(t: Tournament, facts: Sequence[Fact], now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The standings before and after the facts, as they are shown."""
    events = selectors.events_of(t.id, upto=t.version)
    before = selectors.standings_for(t.id, t.version, events)
    after = folded(t, facts, now)
    seed = after.seed if after.seed_shown else None
    return before, selectors.standings_of(selectors.document(after.plan, seed, [*events, *events_after(t, facts, now)]))


def _end_to_take_in(t: Tournament, game_id: UUID) -> Sequence[Fact]:
    """The facts of a game whose end the tournament does not know yet."""
    event = outcomes.last_event(game_id)
    if event is None:
        return ()
    piece = work.find(Kind.OUTCOME, queue.key_of(t.id, str(game_id)))
    return outcomes.facts_of_end(t, str(game_id), event, piece.data.get("ruling") if piece is not None else None)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A fact in the form of its event."""

    type: str
    data: Mapping[str, Any]
    version: int
    recorded_at: datetime


def events_after(t: Tournament, facts: Iterable[Fact], now: datetime) -> Iterator[Foreseen]:
    """The facts in the form of the events that would follow."""
    return (Foreseen(fact.type, fact.data, version, now) for version, fact in enumerate(facts, t.version + 1))


def folded(t: Tournament, facts: Iterable[Fact], now: datetime) -> Tournament:
    for event in events_after(t, facts, now):
        t = evolve(t.id, t, event)
    return t
