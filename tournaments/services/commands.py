"""The single write path of tournaments: decide, append and queue the work that follows, in one transaction."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction

from core import clock as service_clock
from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.hooks import DROPPED
from core.jobs.receipts import Keyed
from core.refusals import NotFound, Stale
from core.text import check_reason
from core.wakeups import Task
from games.services import new_invitation
from tournaments import models
from tournaments.access import OUTSIDE
from tournaments.projections import PREFIX, TOURNAMENT, happened
from tournaments.services import queue
from tournaments.stream import By, Fact, Tournament, evolve, life, proposals
from tournaments.stream.agenda import next_look, work_after
from tournaments.stream.events import InvitationRenewed, folded

RUNNER = log.Actor("service", "runner")
# Waiting lists and requests to stand in are facts of the state: they change with the standing of the entrant.
ending.on_the_way_out(Right.TOURNAMENT, What.PLACES)(evolve)

# Namespace of command ids, each derived from the tournament and the moment.
DECISIONS = UUID("1f7c2a90-6b1e-5c55-9e0f-7a4d3b8c6e21")


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was carried out. `after` is None if an earlier request is answered.

    `result` is the version of the first event, None if nothing changed; of a command with a key it is the `Answer`.
    """

    after: Tournament | None
    events: Sequence[log.PendingEvent]
    result: Any = None

    @property
    def tournament(self) -> Tournament:
        if self.after is None:
            raise ValueError("an earlier request is answered: nothing was carried out")
        return self.after

    @property
    def entrant(self) -> str:
        """The entrant that the command was about."""
        return str(self.events[0].data["entrant"])


Decision = Callable[[Tournament], Sequence[Fact]]
Condition = Callable[[Tournament], bool]


def carry_out(
    tournament_id: UUID,
    decide: Decision,
    *,
    actor: log.Actor,
    now: datetime,
    command_id: UUID | None = None,
    reason: str | None = None,
    if_match: Condition | None = None,
    keyed: Keyed | None = None,
) -> Done:
    """Keep the facts that `decide` returns, or let it refuse. Raises NotFound, Stale, KeyReused, and what it raises."""

    def decide_all(t: Tournament | None) -> log.Decided[int | None]:
        if t is None:
            raise _not_found()
        check_condition(t, if_match)
        facts = decide(t)
        if not facts:
            return log.Decided((), None)
        after = folded(t, facts, now)
        more = [*without_those_of(after, _gone(t, after)), *_with_new_code(t, after, actor)]
        return log.Decided(new_events([*facts, *more]), t.version + 1, folded(after, more, now))

    executed = log.execute(
        TOURNAMENT,
        tournament_id,
        decide_all,
        actor=actor,
        now=now,
        command_id=keyed.id if keyed is not None else command_id,
        reason=reason,
        lock=log.Lock.WAIT,
        receipt=WrittenDown(now, keyed),
    )
    return Done(executed.after, executed.events, executed.result)


def without_those_of(t: Tournament, players: Collection[UUID]) -> list[Fact]:
    dropped = [data for drop in DROPPED for data in drop(t.id, t.channels, players)] if players else []
    return life.drop_channels(t, dropped)


def _with_new_code(before: Tournament, after: Tournament, actor: log.Actor) -> list[Fact]:
    """Whoever was put out of a private tournament may have its code; so may anybody when it becomes private."""
    if after.plan.visibility != "private":
        return []
    if before.plan.visibility == "private" and not _put_out(before, after) - {actor.id}:
        return []
    return [InvitationRenewed(new_invitation())]


def _put_out(before: Tournament, after: Tournament) -> set[str]:
    changed = [old for key in after.entrants.changed if (old := before.entrants.get(key)) is not None]
    had = {old.player for old in changed if old.player is not None and old.standing not in OUTSIDE}
    return {str(player) for player in {*_named(before), *had} - set(_named(after)) if not _plays(after, player)}


def _named(t: Tournament) -> tuple[UUID, ...]:
    return (*t.organisers, *t.asked_organisers)


def _plays(t: Tournament, player: UUID) -> bool:
    entrant = t.entrant_of(player)
    return entrant is not None and entrant.standing not in OUTSIDE


def _gone(before: Tournament, after: Tournament) -> set[UUID]:
    return set(before.organisers) - set(after.organisers)


def new_events(facts: Sequence[Fact]) -> list[log.NewEvent]:
    return [log.NewEvent(PREFIX + fact.type, fact.data) for fact in facts]


@dataclass(frozen=True, slots=True)
class WrittenDown:
    """The receipt of every command: queue the work that the command causes, in the same transaction."""

    now: datetime
    keyed: Keyed | None = None

    def claim(self) -> Any:
        return None if self.keyed is None else self.keyed.claim()

    def keep(self, executed: log.Executed[Any, Any]) -> Any:
        if executed.events and executed.after is not None:
            events = [happened(event) for event in executed.events]
            queue.put(executed.after.id, work_after(executed.after, events), due_at=self.now)
            look(executed.after, self.now)
            if executed.before is not None and (gone := _gone(executed.before, executed.after)):
                ending.ended(Right.TOURNAMENT, subject_id=executed.after.id, players=gone)
        return executed.result if self.keyed is None else self.keyed.keep(executed)


def look(t: Tournament, now: datetime) -> None:
    """Set when the runner looks at the tournament next; if that is now, wake it after the commit."""
    then = next_look(t, now)
    if then is not None and then <= now:
        transaction.on_commit(wake, robust=True)
    row = models.Tournament.objects.filter(pk=t.id)
    (row.exclude(look_at=None) if then is None else row.exclude(look_at=then)).update(look_at=then)


def check_condition(t: Tournament, if_match: Condition | None) -> None:
    """Raises Stale if the tournament has changed since the caller read it."""
    if if_match is not None and not if_match(t):
        raise Stale("stale_version", f"The tournament has changed: it is at version {t.version} now.")


def _not_found() -> NotFound:
    return NotFound("not_found", "There is no such tournament.")


def loaded(tournament_id: UUID, lock: log.Lock = log.Lock.NONE) -> Tournament:
    """The tournament as it is now. Raises NotFound."""
    t = TOURNAMENT.load(tournament_id, lock)
    if t is None:
        raise _not_found()
    return t


def by_of(player: Player) -> By:
    return By(player.pk, staff=player.acts_as_staff, guest=player.is_guest)


def of_player(
    tournament_id: UUID,
    player: Player,
    decide: Callable[[Tournament, By, datetime], Sequence[Fact]],
    *,
    role: str = "organiser",
    reason: str | None = None,
    if_match: Condition | None = None,
    keyed: Keyed | None = None,
    due: bool = False,
) -> Done:
    """Carry out a player's command now; `due`: after what the clock has decided."""
    if reason is not None:
        check_reason(reason, "invalid")
    at = service_clock.now()
    if due:
        decide_what_is_due(tournament_id, now=at)
    return carry_out(
        tournament_id,
        lambda t: decide(t, by_of(player), at),
        actor=log.Actor(role, str(player.pk)),
        now=at,
        reason=reason,
        if_match=if_match,
        keyed=keyed,
    )


as_player = partial(of_player, role="player")
"""Of somebody who does not act as an organiser."""


def decide_what_is_due(tournament_id: UUID, *, now: datetime) -> None:
    """End the proposals that the clock has decided, if the runner has not done so yet. Called before a command."""
    if not models.Tournament.objects.filter(pk=tournament_id).exclude(open_proposals=[]).exists():
        return
    carry_out(
        tournament_id,
        lambda t: proposals.decided(t, now),
        actor=RUNNER,
        now=now,
        command_id=uuid5(DECISIONS, f"{tournament_id} {now.isoformat()}"),
    )


_runner = Task("tournaments.tasks.run", lost="no task for the tournaments' runner; the sweep will do its work")


def wake() -> None:
    """Have a worker look at what is due. A broker that is down is not an error: the sweep does the work."""
    _runner.send(expires=30)
