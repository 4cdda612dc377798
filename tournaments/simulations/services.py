"""Simulated games beside each proposal: what would it do to the game?."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from time import monotonic
from typing import Any
from uuid import UUID

from core.jobs import services as work
from core.jobs.models import Work
from games.lab.counting import Counted
from games.lab.estimates import FEWEST
from games.lab.playing import Side
from games.lab.report import report
from games.lab.runs import Run, play_all
from games.rules import PLAYED, SetupError
from tournaments.models import Tournament as Row
from tournaments.services.commands import loaded
from tournaments.simulations.models import Simulation
from tournaments.stream import Ending, Tournament
from tournaments.stream.proposals import complete

JOB = "tournament.simulate"
PAIRS, PAIRS_OF_ROUNDS = 2000, 100
"""The number of pairs of games; the second for games of rounds, which take ten times as long."""
MOST_SECONDS = 120.0
SLICE, PAUSE = 2.0, timedelta(seconds=1)
"""The seconds that are simulated at a time, and the pause after that for whatever else is due."""


def simulate(t: Tournament, n: int, now: datetime) -> None:
    """Queue the simulation of a proposal, unless it compares nothing. Called in the transaction that proposes."""
    if run_of(t, n) is not None:
        Simulation.objects.create(tournament_id=t.id, proposal=n)
        by = str(t.proposals[n].by)
        work.put(JOB, f"{t.id}/{n}", {"tournament": str(t.id), "proposal": n, "by": by}, due_at=now)


def simulated(tournament: Row, numbers: Sequence[int]) -> dict[int, Simulation]:
    """Return what the lab says of these proposals, of those it is done with."""
    rows = Simulation.objects.filter(tournament=tournament, proposal__in=numbers).only("proposal", "report")
    return {row.proposal: row for row in rows if row.report is not None}


def run_of(t: Tournament, n: int) -> Run | None:
    """Return the games to simulate: the rules that held and those proposed, at a table of the preferred size.

    None if they are the same there, or cannot be played by so many.
    """
    plan, proposal = t.plan, t.proposals[n]
    sides = []
    for rules in (t.rules_at(proposal.opened_at), proposal.rules):
        try:
            sides.append(Side(plan.game, plan.size, rules.ruleset, complete(plan, rules, plan.size)))
        except SetupError:
            return None
    if sides[0].options == sides[1].options:
        return None
    pairs = PAIRS_OF_ROUNDS if PLAYED[plan.game].has_penalties else PAIRS
    return Run(sides, pairs, f"{t.id}/{n}", ["plain"] * plan.size)


@work.local(JOB)
def _simulate(job: work.Job, now: datetime) -> datetime | None:
    """Play for a while, and go on after a pause, behind what else is due: one simulation at a time."""
    if not _takes_its_turn(job, now):
        return now + PAUSE
    tournament, n = UUID(job.data["tournament"]), job.data["proposal"]
    row = Simulation.objects.filter(tournament=tournament, proposal=n).first()
    t = None if row is None else loaded(tournament)
    run = None if t is None or t.proposals[n].status is Ending.WITHDRAWN else run_of(t, n)
    if row is None or run is None:
        Simulation.objects.filter(tournament=tournament, proposal=n).update(counted=[])
        return None
    begun, spent = monotonic(), 0.0
    for played in play_all(run, begin=len(row.counted)):
        row.counted.append([_stored(figures) for figures in played.figures])
        spent = monotonic() - begun
        if spent >= SLICE or row.seconds + spent >= MOST_SECONDS:
            break
    row.seconds += spent
    is_done = len(row.counted) == run.games or row.seconds >= MOST_SECONDS
    if is_done:
        row.report, row.counted = _report(run, row.counted), []
    row.save()
    return None if is_done else now + PAUSE


def _takes_its_turn(job: Work, now: datetime) -> bool:
    """Players take turns, each with the oldest of their proposals: nobody waits for all those of somebody else.

    Nor for one that failed and is to be tried again later.
    """
    due = Work.objects.filter(kind=JOB, given_up_at__isnull=True, due_at__lte=now + PAUSE)
    waiting = list(due.order_by("pk"))
    oldest = {one.data.get("by"): one for one in reversed(waiting)}
    turns = {by: one.data.get("turn", 0) for by, one in oldest.items()}
    by = min(oldest, key=lambda by: (turns[by], oldest[by].pk))
    if oldest[by].pk != job.pk:
        return False
    for one in waiting:
        if one.data.get("by") == by:
            one.data["turn"] = 1 + max(turns.values())
            Work.objects.filter(pk=one.pk).update(data=one.data)
    return True


def _report(run: Run, counted: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
    if len(counted) < FEWEST:
        return None
    pairs = [(_counted(first), _counted(second)) for first, second in counted]
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    sides = [(run.sides[0], first), (run.sides[1], second)]
    return report(sides, pairs, seed=run.seed, bots=run.bots).document()


def _stored(figures: Counted) -> dict[str, int | str]:
    return {name: value if isinstance(value, int) else str(value) for name, value in figures.items()}


def _counted(stored: dict[str, int | str]) -> Counted:
    return {name: value if isinstance(value, int) else Fraction(value) for name, value in stored.items()}
