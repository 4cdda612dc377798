"""Keeping, reading and trying a plan for one's own seat (PL1, PL2, PL9)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core.accounts.models import Player
from core.refusals import Conflict, Invalid, NotFound
from games import plans
from games.models import Plan
from games.projections import Snapshot, load
from games.rules import GAMES
from games.services.commands import existing
from games.services.membership import check_running, member
from games.services.moves import BOT_PLAYS
from games.services.plan_moves import course_of


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept plan: as JSON with defaults, the number of turns still to begin, and since when it is kept."""

    plan: dict[str, Any]
    turns_left: int
    kept_at: datetime


def keep_plan(game_id: UUID, player: Player, raw: object, *, now: datetime | None = None) -> Kept:
    """Keep a plan for the player's seat, replacing the one before.

    Raises:
        Invalid: bad_plan, naming the line and the field; the plan before stays.
        NotFound, Forbidden (not_a_player), Conflict (not_started, game_cancelled, game_over, plans_off, bot_plays,
        resigned, already_out).
    """
    at = now or service_clock.now()
    snapshot, index = _seat_for_plans(game_id, player)
    plan = _read(snapshot, raw).as_json()
    Plan.objects.update_or_create(
        game_id=game_id,
        seat=index,
        defaults={
            "player": player,
            "plan": plan,
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
    """The plan of the player's seat.

    Raises:
        NotFound (no_plan where there is none), Forbidden (not_a_player).
    """
    snapshot = existing(load(game_id))
    kept = plan_in(snapshot, member(snapshot, player), player)
    if kept is None:
        raise NotFound("no_plan", "You have no plan in this game.")
    return kept


def plan_in(game: Snapshot, seat: int, player: Player) -> Kept | None:
    """The plan of the player's seat in a game that was read."""
    if not game.is_running:
        return None
    plan = Plan.objects.filter(game_id=game.id, seat=seat, player=player).first()
    course = course_of(plan, game) if plan is not None else None
    if plan is None or course is None or course.is_over:
        return None
    return Kept(plan.plan, course.turns_left, plan.kept_at)


def drop_plan(game_id: UUID, player: Player) -> None:
    """Drop the plan of the player's seat, if there is one. Raises NotFound, Forbidden (not_a_player)."""
    snapshot = existing(load(game_id))
    index = member(snapshot, player)
    Plan.objects.filter(game_id=game_id, seat=index, player=player).delete()


def try_plan(game_id: UUID, player: Player, raw: object) -> plans.Verdict:
    """Return what a plan would do now, or out of turn as if the player's turn began with the table as it is (PL9).

    Nothing is kept. Raises as `keep_plan` does.
    """
    snapshot, index = _seat_for_plans(game_id, player)
    plan = _read(snapshot, raw)
    return plans.judge_as_in_turn(GAMES[snapshot.game], snapshot.state, index, plan)


def _seat_for_plans(game_id: UUID, player: Player) -> tuple[Snapshot, int]:
    snapshot = existing(load(game_id))
    index = member(snapshot, player)
    check_running(snapshot)
    if not snapshot.plans:
        raise Conflict("plans_off", "This room is played without plans.")
    if snapshot.players[index].bot is not None:
        raise Conflict("bot_plays", BOT_PLAYS)
    rules = GAMES[snapshot.game]
    why_not = rules.why_not(snapshot.state, index)
    if why_not is not None and why_not["code"] in ("resigned", "already_out"):
        raise Conflict(why_not["code"], why_not["detail"])
    return snapshot, index


def _read(snapshot: Snapshot, raw: object) -> plans.Plan:
    try:
        return plans.read_plan(GAMES[snapshot.game], raw)
    except plans.PlanError as wrong:
        where = wrong.field if wrong.line is None else f"lines.{wrong.line}.{wrong.field}"
        raise Invalid("bad_plan", wrong.detail, field=where) from None
