from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from msgspec import UNSET, UnsetType

from core.refusals import Conflict, Forbidden, NotFound
from tournaments.stream.state import Status, Tournament

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class By:
    """The caller: a player, or the service itself (None). Staff may do whatever an organiser may."""

    player: UUID | None
    staff: bool = False
    guest: bool = False
    """An account that has not been kept yet."""

    def organises(self, t: Tournament) -> bool:
        return self.staff or self.player is None or self.player in t.organisers


SERVICE = By(None)
ANSWER_WITHIN = timedelta(hours=12)
"""How long somebody who is asked may take to answer, before the next one is (LI3, LI4, LI7)."""


def named(rows: Mapping[K, V], key: K, code: str, detail: str) -> V:
    """The row of a key. Raises NotFound with this code."""
    row = rows.get(key)
    if row is None:
        raise NotFound(code, detail)
    return row


def check_organiser(t: Tournament, by: By) -> None:
    """Raises Forbidden (not_an_organiser)."""
    if not by.organises(t):
        raise Forbidden("not_an_organiser", "Only an organiser of the tournament may do this.")


def check_not_over(t: Tournament) -> None:
    """Raises Conflict (tournament_over)."""
    if t.is_over:
        raise Conflict("tournament_over", f"The tournament is {t.status.value}.")


def check_before_start(t: Tournament) -> None:
    """Raises Conflict (tournament_over, already_started)."""
    check_not_over(t)
    if t.status is Status.RUNNING:
        raise Conflict("already_started", "The tournament has started.")


def check_can_have_results(t: Tournament) -> None:
    """A finished tournament takes results by ruling, too (LI3). Raises Conflict (not_started, tournament_over)."""
    if t.status is not Status.FINISHED:
        check_running(t)


def check_running(t: Tournament) -> None:
    """Raises Conflict (tournament_over, not_started)."""
    check_not_over(t)
    if t.status is not Status.RUNNING:
        raise Conflict("not_started", "The tournament has not started yet.")


def check_season(t: Tournament, now: datetime) -> None:
    """Raises Conflict (not_a_season, not_started, tournament_over, season_closed) where no game can begin."""
    if t.plan.kind != "season":
        raise Conflict("not_a_season", "You cannot open games in this tournament. They open round by round.")
    check_running(t)
    opens, closes = t.plan.opens_at, t.plan.closes_at
    if opens is not None and now < opens:
        raise Conflict("not_started", f"The season opens at {opens:%Y-%m-%d %H:%M} UTC.")
    if closes is not None and now >= closes:
        raise Conflict("season_closed", "The season is closed, so no new games can begin.")


def said_of_stage(t: Tournament, stage: int | None) -> int | UnsetType:
    """What an event says of its stage: nothing in the present one (SG3). Raises NotFound (no_such_stage)."""
    return UNSET if stage in (None, t.stage) else begun_stage(t, stage)


def begun_stage(t: Tournament, stage: int | None) -> int:
    """A stage that has begun, by default the present one. Raises NotFound (no_such_stage)."""
    if stage is None:
        return t.stage
    if not 1 <= stage <= t.stage:
        raise NotFound("no_such_stage", f"Stage {stage} has not begun.")
    return stage
