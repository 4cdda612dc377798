"""Carrying out plans as bots' moves are: under the game's lock, at the version for which the move was chosen.

Which plans are due follows from their own rows and the versions of their games, so a move does nothing for the plans of
others: it writes no row, sends no task and takes no time. A sweep looks every second. It judges a plan without
the game's lock, which it takes only if the plan says what to do.
"""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction
from msgspec import Struct
from msgspec.structs import replace

from core import clock as service_clock
from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.login import client_ids, tokens
from core.accounts.models import Player
from core.refusals import Conflict, Invalid, NotFound
from core.rows import fetch_all
from games.events import BotSeated, CalledOff, Finished, PlayerReplaced, PlayerReturned
from games.hooks import Outlook
from games.plans.models import Plan
from games.projections import Snapshot, Timing, load
from games.projections.vocabulary import TIMING, name_of
from games.rules import plans
from games.services.bots import AT_ONCE, SLICE, play_some, sweep_each
from games.services.commands import check_running, existing, member
from games.services.moves import BOT_PLAYS, Step

RACE = timedelta(minutes=1)
"""The time in which only people may open in an opening race."""
MOST_DUE = 500

_DUE = """
SELECT plan.game_id FROM games_plan AS plan JOIN games_game AS game ON game.id = plan.game_id
WHERE plan.judged < game.version OR plan.again_at <= %s
GROUP BY plan.game_id ORDER BY min(plan.kept_at), plan.game_id LIMIT %s
"""

OVER = frozenset({Finished.type, CalledOff.type})
CHANGES_HANDS = frozenset({BotSeated.type, PlayerReturned.type, PlayerReplaced.type})

logger = logging.getLogger(__name__)


class Course(Struct, frozen=True):
    """A plan's place in its game: followed up to `version`; `begun` turns of the seat have begun since it was kept.

    It follows from the events since: a turn begins with the append after which the seat must act, and ends with
    the first append after which it need not. The last event of an append has the clocks after it: it shows both.
    """

    seat: int
    turns: int
    version: int
    in_turn: bool
    begun: int
    is_over: bool = False

    @property
    def turns_left(self) -> int:
        return self.turns - self.begun

    def after(self, events: Iterable[log.Happened]) -> "Course":
        course = self
        for event in events:
            course = course._next(event)
        return course

    def _next(self, event: log.Happened) -> "Course":
        name = name_of(event)
        own = event.seat == self.seat
        if event.type in OVER or name == "dealt" or (own and (event.type in CHANGES_HANDS or name == "resigned")):
            return replace(self, version=event.version, is_over=True)
        must_act, begun, is_over = self.in_turn, self.begun, self.is_over
        if TIMING in event.data:
            must_act = self.seat in Timing.from_json(event.data[TIMING]).duties
            begun += must_act and not self.in_turn
            is_over = is_over or (self.in_turn and not must_act and begun == self.turns)
        return replace(self, version=event.version, in_turn=must_act, begun=begun, is_over=is_over)


def course_of(plan: Plan, snapshot: Snapshot) -> Course:
    """Return where a plan stands in its game. One query, unless nothing happened since it was last followed."""
    turns = plan.plan["turns"]
    course = Course(plan.seat, turns, plan.version, plan.in_turn, plan.begun)
    if plan.version < snapshot.version:
        course = course.after(log.read(snapshot.stream, after=plan.version, upto=snapshot.version))
    return course


def next_planned(snapshot: Snapshot, now: datetime, *, seat: int | None = None) -> Step | None:
    """The next move of a plan in this game, or of that seat's; the plan kept first is tried first.

    Call it in a transaction: it locks the plans' rows, and notes the outcome.
    """
    if not _may_have_plans(snapshot):
        return None
    rows = Plan.objects.select_for_update(of=["self"]).select_related("player").filter(game_id=snapshot.id)
    rows = rows.order_by("kept_at", "pk")
    for plan in rows if seat is None else rows.filter(seat=seat):
        course = course_of(plan, snapshot)
        if course.is_over:
            plan.delete()
            continue
        outlook, move = _outlook(plan, snapshot, now)
        if move is not None:
            return Step(plan.seat, move, log.Actor("player", str(plan.player_id)), planned=True)
        _note(plan, course, snapshot, outlook)
    return None


def outlook(snapshot: Snapshot, seat: int, *, now: datetime | None = None) -> Outlook:
    """Return what the seat's plan is about to do at this version, for the telling of turns.

    `none`: there is no plan. `plays`: it makes a move now. `waits`: it is tried once the race has run a minute.
    `silent`: it does not say what to do here. Two queries at most; nothing is written.
    """
    plan = Plan.objects.filter(game_id=snapshot.id, seat=seat).select_related("player").first()
    if plan is None or not snapshot.is_running or course_of(plan, snapshot).is_over:
        return "none"
    return _outlook(plan, snapshot, now or service_clock.now())[0]


def planned_in(games: Collection[UUID]) -> set[tuple[UUID, int]]:
    return set(Plan.objects.filter(game_id__in=games).values_list("game_id", "seat"))


def plans_of(player: Player) -> dict[UUID, Any]:
    return dict(Plan.objects.filter(player=player.pk).values_list("game_id", "plan"))


def sweep_plans() -> int:
    """Make the moves of plans, and those of bots after them, for about half a second; return how many."""

    def play(game_id: UUID) -> int:
        is_due = has_planned(game_id, service_clock.now())
        return play_some(game_id, AT_ONCE, monotonic() + SLICE) if is_due else 0

    return sweep_each(due_games(service_clock.now()), play, "the plans of game %s cannot be carried out")


def due_games(now: datetime) -> list[UUID]:
    return [game_id for (game_id,) in fetch_all(_DUE, [now, MOST_DUE])]


def has_planned(game_id: UUID, now: datetime) -> bool:
    snapshot = load(game_id)
    if snapshot is None:
        return False
    if not snapshot.is_running:
        Plan.objects.filter(game_id=game_id).delete()
        return False
    with transaction.atomic():
        return next_planned(snapshot, now) is not None


def _may_have_plans(snapshot: Snapshot) -> bool:
    """Return whether a person is to act or may interrupt: for bots among themselves nobody looks for plans."""
    if not snapshot.is_running or not snapshot.plans:
        return False
    people = {index for index, seat in enumerate(snapshot.players) if seat.bot is None and seat.player is not None}
    if any(snapshot.players[index].duty is not None for index in people):
        return True
    return not people.isdisjoint(snapshot.rules.may_interrupt(snapshot.state))


def _outlook(plan: Plan, snapshot: Snapshot, now: datetime) -> tuple[Outlook, dict[str, Any] | None]:
    seat = snapshot.players[plan.seat]
    if seat.player != plan.player_id or seat.bot is not None or not _may_play(plan):
        return "none", None
    ends = _race_of(plan.seat, snapshot)
    if ends is not None and now < ends:
        return "waits", None
    rules = snapshot.rules
    verdict = plans.judge(rules, snapshot.state, plan.seat, plans.read_plan(rules, plan.plan))
    return ("silent", None) if verdict.move is None else ("plays", verdict.move)


@ending.on_the_way_out(Right.ACCOUNT, What.PLANS)
def _may_play(plan: Plan) -> bool:
    return plan.player.is_active and (plan.app is None or client_ids.is_allowed(plan.app))


@ending.at_once(Right.APP, What.PLANS)
def end_plans_of_app(*, player: Player, app: str, **_: Any) -> None:
    Plan.objects.filter(player=player, app=app).delete()


def _race_of(index: int, snapshot: Snapshot) -> datetime | None:
    duty = snapshot.players[index].duty
    racing = sum(seat.duty is not None for seat in snapshot.players)
    return duty.since + RACE if duty is not None and racing > 1 and snapshot.status == "playing" else None


def _note(plan: Plan, course: Course, snapshot: Snapshot, outlook: Outlook) -> None:
    plan.version, plan.in_turn, plan.begun = course.version, course.in_turn, course.begun
    plan.judged = snapshot.version
    plan.again_at = _race_of(plan.seat, snapshot) if outlook == "waits" else None
    plan.save(update_fields=["version", "in_turn", "begun", "judged", "again_at"])


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept plan: as JSON with defaults, the number of turns still to begin, and since when it is kept."""

    plan: dict[str, Any]
    turns_left: int
    kept_at: datetime


def keep_plan(game_id: UUID, player: Player, raw: object, *, app: str | None = None) -> Kept:
    """Keep a plan for the player's seat, replacing the one before; one that an app keeps ends with the app.

    Raises Invalid (bad_plan, naming the line and the field), Conflict (plans_off, bot_plays, resigned, already_out).
    """
    at = service_clock.now()
    snapshot, index = _seat_for_plans(game_id, player)
    plan = _read(snapshot, raw).as_json()
    with transaction.atomic():
        if app is not None:
            tokens.check_app(player, app)
        Plan.objects.update_or_create(
            game_id=game_id,
            seat=index,
            defaults={
                "player": player,
                "plan": plan,
                "app": app,
                "kept_at": at,
                "version": snapshot.version,
                "in_turn": snapshot.players[index].duty is not None,
                "begun": 0,
                "judged": -1,
                "again_at": None,
            },
        )
    return Kept(plan, plan["turns"], at)


def plan_of(game_id: UUID, player: Player) -> Kept:
    """The plan of the player's seat. Raises NotFound (no_plan)."""
    snapshot = existing(load(game_id))
    kept = plan_in(snapshot, member(snapshot, player), player)
    if kept is None:
        raise NotFound("no_plan", "You have no plan in this game.")
    return kept


def plan_in(game: Snapshot, seat: int, player: Player) -> Kept | None:
    if not game.is_running:
        return None
    plan = Plan.objects.filter(game_id=game.id, seat=seat, player=player).first()
    course = course_of(plan, game) if plan is not None else None
    if plan is None or course is None or course.is_over:
        return None
    return Kept(plan.plan, course.turns_left, plan.kept_at)


def drop_plan(game_id: UUID, player: Player) -> None:
    snapshot = existing(load(game_id))
    index = member(snapshot, player)
    Plan.objects.filter(game_id=game_id, seat=index, player=player).delete()


def try_plan(game_id: UUID, player: Player, raw: object) -> plans.Verdict:
    """Return what a plan would do now, or out of turn as if the player's turn began with the table as it is.

    Nothing is kept. Raises as `keep_plan` does.
    """
    snapshot, index = _seat_for_plans(game_id, player)
    plan = _read(snapshot, raw)
    return plans.judge_as_in_turn(snapshot.rules, snapshot.state, index, plan)


def _seat_for_plans(game_id: UUID, player: Player) -> tuple[Snapshot, int]:
    snapshot = existing(load(game_id))
    index = member(snapshot, player)
    check_running(snapshot)
    if not snapshot.plans:
        raise Conflict("plans_off", "Plans are turned off at this table.")
    if snapshot.players[index].bot is not None:
        raise Conflict("bot_plays", BOT_PLAYS)
    rules = snapshot.rules
    why_not = rules.why_not(snapshot.state, index)
    if why_not is not None and why_not["code"] in ("resigned", "already_out"):
        raise Conflict(why_not["code"], why_not["detail"])
    return snapshot, index


def _read(snapshot: Snapshot, raw: object) -> plans.Plan:
    try:
        return plans.read_plan(snapshot.rules, raw)
    except plans.PlanError as wrong:
        where = wrong.field if wrong.line is None else f"lines.{wrong.line}.{wrong.field}"
        raise Invalid("bad_plan", wrong.detail, field=where) from None
