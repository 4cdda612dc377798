"""Seating rounds, as drafts or at once, and the tournament's next step, which the runner takes."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.db.models import Exists, OuterRef, QuerySet

from core.accounts.models import Player
from core.refusals import Conflict, Invalid
from games.selectors import UNFINISHED, GameRow, certain_until, games_among, games_of
from tournaments import models, selectors
from tournaments.hooks import RATINGS
from tournaments.rules import NextRound, NoRound, NoStage, Record, TooFew, cut, read_record
from tournaments.rules.seating import judge
from tournaments.rules.seating import seat as next_seating
from tournaments.services import queue
from tournaments.services.commands import RUNNER, Condition, Done, carry_out, of_player
from tournaments.services.tables import RUNNING
from tournaments.stream import (
    SERVICE,
    By,
    Fact,
    Seating,
    Status,
    Tournament,
    check_organiser,
    life,
    proposals,
    rounds,
)
from tournaments.stream.agenda import call_off, can_seat, earliest, may_end, starts_at
from tournaments.stream.events import Drafted
from tournaments.stream.life import Ratings

# Namespace of the runner's command ids, each derived from the tournament and the step.
STEPS = UUID("0d5c4f4e-8e7b-5a53-9b1e-4f1b6f0c7d22")
# The time that a season waits after its end for results on their way.
LATE_NEWS = timedelta(minutes=10)
AGAIN = timedelta(seconds=5)
# When a game ends after its tournament, the runner looks at once; this delay is for news that was lost.
STILL_PLAYED = timedelta(hours=1)
CLOSED = "The season is closed, so no new games can begin."
# The number of times that a seating is planned before the tournament is locked for it.
PLANS = 3

R = TypeVar("R")


def compute(t: Tournament) -> Seating:
    """The next round's seating, or the first of the next stage if it is drafted. Raises NoRound if there is none."""
    record = record_of(t)
    if not t.awaits_draft:
        return seating_of(next_seating(record))
    try:
        found = cut.next_stage(record)
    except NoStage as error:
        raise NoRound(str(error)) from None
    staged = rounds.begin_stage(t, rounds.going_on(found, record.everybody))[0].data
    return replace(seating_of(next_seating(cut.begun(record, found))), staged=staged)


def record_of(t: Tournament) -> Record:
    """The record as of the state's version, which is in the log."""
    events = selectors.events_of(t.id, upto=t.version)
    return read_record(selectors.document(t.plan, t.seed, events, {}))


class Planned(dict[int, Seating | NoRound]):
    """The seating of the next round by version, or why there is none. Planning takes no lock: it can last seconds.

    It counts as long as nothing has happened since; else it is planned again, at last with the tournament locked.
    """

    def of(self, t: Tournament) -> Seating:
        """The seating. Raises NoRound if there cannot be one, NotPlanned to have it planned first."""
        if t.version not in self and len(self) < PLANS:
            raise NotPlanned(t)
        found = self.get(t.version) or self._plan(t)
        if isinstance(found, NoRound):
            raise found
        return found

    def use(self, act: Callable[[], R]) -> R:
        while True:
            try:
                return act()
            except NotPlanned as asked:
                self._plan(asked.tournament)

    def _plan(self, t: Tournament) -> Seating | NoRound:
        try:
            found: Seating | NoRound = compute(t)
        except NoRound as error:
            found = error
        return self.setdefault(t.version, found)


_before: ContextVar[Planned | None] = ContextVar("planned_before", default=None)


def planned_before(act: Callable[[], R]) -> R:
    """Let `act`, a transaction of its own, seat a round: it is planned before, and `act` begins anew."""
    planned = Planned()
    token = _before.set(planned)
    try:
        return planned.use(act)
    finally:
        _before.reset(token)


class NotPlanned(Exception):  # noqa: N818  nothing is wrong
    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament.id)
        self.tournament = tournament


def seating_of(found: NextRound) -> Seating:
    shown = found.as_json()
    figures = {name: shown[name] for name in ("repeats", "cost", "q", "bound")}
    return Seating(found.round, found.tables, found.byes, figures)


def next_round(tournament_id: UUID, player: Player) -> Done:
    """Seat the next round, with `pace: "manual"` draft it again; after a stage the first of the next one."""
    outer = _before.get()
    planned = Planned() if outer is None else outer

    def decide(t: Tournament, by: By, at: datetime) -> list[Fact]:
        check_organiser(t, by)
        if not t.awaits_draft:
            rounds.next_round(t)
        try:
            seating = planned.of(t)
        except NoRound as error:
            raise Conflict("no_next_round", str(error)) from None
        if t.plan.pace == "manual" or seating.staged is not None:
            return rounds.draft(t, by, seating, now=at)
        return rounds.seat(t, seating, now=at)

    def act() -> Done:
        return of_player(tournament_id, player, decide, due=True)

    return planned.use(act) if outer is None else act()


def exchange(
    tournament_id: UUID,
    player: Player,
    *,
    reason: str,
    swap: Sequence[str] | None = None,
    tables: Sequence[Sequence[str]] | None = None,
    byes: Sequence[str] | None = None,
    dry_run: bool = False,
    if_match: Condition | None = None,
) -> dict[str, Any]:
    """Swap two entrants of the draft (`swap`), or give all tables. Return the new draft. Raises Invalid, Stale."""
    drafted: dict[str, Any] = {}

    def decide(t: Tournament, by: By, _: datetime) -> Sequence[Fact]:
        check_organiser(t, by)
        if t.draft is None:
            raise Conflict("no_draft", "No next round has been drafted.")
        wanted = _swapped(t, swap) if swap is not None else (tables or (), byes or ())
        seated = tuple(tuple(table) for table in wanted[0])
        seating = replace(t.draft, tables=seated, byes=tuple(wanted[1]), figures=judged(t, *wanted))
        facts = rounds.exchange(t, by, seating, reason)
        drafted.update(Drafted(**rounds.as_data(seating)).data)
        return [] if dry_run else facts

    of_player(tournament_id, player, decide, reason=reason, if_match=if_match)
    return drafted


def publish(tournament_id: UUID, player: Player, *, if_match: Condition | None = None) -> Done:
    return of_player(
        tournament_id, player, lambda t, by, at: rounds.publish(t, by, now=at), if_match=if_match, due=True
    )


def judged(t: Tournament, tables: Sequence[Sequence[str]], byes: Sequence[str]) -> Mapping[str, Any]:
    staged = t.draft.staged if t.draft is not None else None
    if t.plan.all_stages[t.stage - 1 + (staged is not None)]["kind"] == "knockout":
        return {"repeats": None, "cost": None, "q": None, "bound": None}
    record = record_of(t)
    if staged is not None:
        record = cut.begun(record, cut.NextStage(staged["stage"], tuple(staged["seeds"])))
    try:
        found = judge(record, [tuple(table) for table in tables], tuple(byes))
    except (KeyError, ValueError) as error:
        raise Invalid("invalid", str(error), field="tables") from None
    return seating_of(found).figures


def _swapped(t: Tournament, swap: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    assert t.draft is not None  # noqa: S101  the caller has looked
    seated = {key for table in t.draft.tables for key in table} | set(t.draft.byes)
    if len(swap) != 2 or swap[0] == swap[1] or not seated.issuperset(swap):
        raise Invalid("invalid", "Name two different entrants of the draft.", field="swap")
    other = {swap[0]: swap[1], swap[1]: swap[0]}
    tables = [[other.get(key, key) for key in table] for table in t.draft.tables]
    return tables, [other.get(key, key) for key in t.draft.byes]


def move_on(tournament_id: UUID, *, now: datetime) -> str | None:
    """Take the next step that is due. Return the type of its first event; None if nothing is due."""
    step = _Step(now)
    done = step.planned.use(
        lambda: carry_out(
            tournament_id,
            step.facts,
            actor=RUNNER,
            now=now,
            command_id=uuid5(STEPS, f"{tournament_id} {now.isoformat()}"),
        )
    )
    _call_off_rooms(done.tournament, now)
    if done.events:
        return done.events[0].type.partition(".")[2]
    rows = models.Tournament.objects.filter(pk=tournament_id, version=done.tournament.version)
    rows.update(look_at=step.later)
    return None


@dataclass
class _Step:
    """The facts that are due, or without any when to look again, which is `later`."""

    now: datetime
    planned: Planned = field(default_factory=Planned)
    later: datetime | None = None

    def wait(self, until: datetime | None) -> Sequence[Fact]:
        self.later = earliest(self.later, until)
        return ()

    def facts(self, t: Tournament) -> Sequence[Fact]:
        self.later = None
        if t.is_over:
            return self.open_deals(t)
        if t.status is Status.REGISTRATION:
            starts = None if t.put_off else starts_at(t)
            if starts is None or starts > self.now:
                return self.wait(starts)
            return life.start_by_itself(t, SERVICE, ratings_in(t.plan.game))
        if t.status is not Status.RUNNING:
            return ()
        self.wait(proposals.next_decision(t))
        of_its_kind = self.close_season if t.plan.kind == "season" else self.seat_or_end
        return proposals.decided(t, self.now) or of_its_kind(t) or self.overdue(t)

    def seat_or_end(self, t: Tournament) -> Sequence[Fact]:
        if may_end(t) and (facts := self.end_stage(t, "final" if t.plan.kind == "knockout" else "rounds")):
            return facts
        if can_seat(t):
            try:
                return rounds.seat(t, self.planned.of(t), now=self.now)
            except NoRound:
                if not t.open_rounds and not t.reopened:
                    return life.finish(t, SERVICE, "no_round")
        return ()

    def end_stage(self, t: Tournament, why: str) -> Sequence[Fact]:
        """The present stage is over: after a break the next one begins, or the tournament ends with the last."""
        if t.take is None:
            return life.finish(t, SERVICE, why)
        if t.break_ends is not None and self.now < t.break_ends:
            return self.wait(t.break_ends)
        record = record_of(t)
        try:
            going_on = rounds.going_on(cut.next_stage(record), record.everybody)
        except TooFew:
            return () if t.reopened else life.finish(t, SERVICE, "too few")
        except NoStage:
            if t.plan.kind != "knockout":
                raise
            return ()  # more are left than go on
        pause = t.plan.all_stages[t.stage - 1]["break"]
        if t.break_ends is None and (pause or t.next_is_drafted):
            return rounds.end_stage(going_on, self.now + timedelta(seconds=pause))
        return () if t.next_is_drafted else rounds.begin_stage(t, going_on)

    def open_deals(self, t: Tournament) -> Sequence[Fact]:
        """LI9: the secret of the deals is opened once none of the tournament's games runs, or waits in its room."""
        if t.deals_are_secret and games_of(t.id).filter(status__in=UNFINISHED).exists():
            return self.wait(self.now + STILL_PLAYED)
        return life.open_deals(t)

    def overdue(self, t: Tournament) -> Sequence[Fact]:
        """Rounds whose deadline has passed, outages of the service added (LI2): also one that may go on now."""
        played = [one for one in t.rounds.several(t.open_rounds) if not one.overdue]
        for one, ends in zip(played, selectors.deadlines_of(played, self.now), strict=True):
            if ends is not None:
                if ends <= certain_until(self.now):
                    return rounds.overdue(t, one.number)
                self.wait(ends if ends > self.now else self.now + AGAIN)
        return ()

    def close_season(self, t: Tournament) -> Sequence[Fact]:
        """SN2: a season ends with its last game, at the latest when the grace period is over."""
        closes = t.plan.closes_at
        if closes is None or t.only_organisers_finish:
            return ()
        if self.now < closes:
            return self.wait(closes)
        ends = closes + timedelta(seconds=t.plan.grace)
        if self.now <= ends and _games_that_may_count(t, RUNNING).exists():
            return self.wait(ends + AGAIN)
        if self.now < ends + LATE_NEWS and _news_to_come(t, self.now):
            return self.wait(self.now + AGAIN)
        return self.end_stage(t, "closed")


def _call_off_rooms(t: Tournament, now: datetime) -> None:
    """SN1: games that have not begun when a season closes can no longer begin."""
    if all(stage["kind"] != "season" for stage in t.plan.all_stages):
        return
    rooms = games_of(t.id).filter(status="open")
    closed = not t.only_organisers_finish and t.plan.closes_at is not None and now >= t.plan.closes_at
    if not (closed or t.is_over):
        if not t.begun:
            return
        rooms = rooms.filter(belongs_to__stage__lt=t.stage)
    queue.put(t.id, [call_off(str(pk), CLOSED) for pk in rooms.values_list("pk", flat=True)], due_at=now)


def _news_to_come(t: Tournament, now: datetime) -> bool:
    known = models.TournamentGame.objects.filter(tournament=t.id, game=OuterRef("pk")).exclude(outcome="open")
    ended = _games_that_may_count(t, ("finished",)).filter(finished_at__gt=now - LATE_NEWS)
    return ended.exclude(Exists(known)).exists()


def _games_that_may_count(t: Tournament, statuses: Sequence[str]) -> QuerySet[GameRow]:
    games = games_of(t.id)
    if t.plan.games == "any":
        entrants = models.Entrant.objects.filter(tournament=t.id, entered_at__isnull=False, player__isnull=False)
        games |= games_among(entrants.values("player"), t.plan.game, {rules.ruleset for rules in t.all_rules})
    opens = t.plan.opens_at or t.started_at
    return games.filter(status__in=statuses, started_at__gte=opens, started_at__lt=t.plan.closes_at)


def ratings_in(game: str) -> Ratings:
    """The ratings of players in a game, as they are shown."""
    return lambda players: {player: rating for ask in RATINGS for player, rating in ask(game, players).items()}
