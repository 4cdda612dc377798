"""Deadlines as currently known, with the service's outages on top of what is stored; the clocks' state, for operators.

A seat's `due_at` leaves outages out, so that an outage need not be written to every game. Readers and the sweep add
them by these functions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from core import clock as service_clock
from core.accounts.models import Player
from core.calendars.calendar import Interval
from games import clocks
from games.models import Game, Heartbeat, Outage, Seat
from games.projections import SeatSnapshot, Snapshot, uptime_since

# The fields of a seat, its player and its game that `deadline_of` needs.
DEADLINE_FIELDS = (
    "index",
    "bot",
    "due_at",
    "duty_since",
    "duty_extra",
    "bank",
    "player__quiet_hours",
    "player__vacation",
    "game__clock",
)


def calendar_of(player: Player | None) -> clocks.Calendar:
    return clocks.load_calendar(player.calendar if player is not None else None)


def known_outages(since: datetime, now: datetime) -> list[Interval]:
    return uptime_since(since).outages(now)


def heartbeats() -> dict[str, datetime]:
    return {beat.part: beat.moment for beat in Heartbeat.objects.all()}


def certain_until(now: datetime) -> datetime:
    """The time up to which all outages are known: what was due later may yet be due later still."""
    return clocks.certain_until(heartbeats(), now)


def outages_of(game: Snapshot, now: datetime) -> Sequence[Interval]:
    """The outages that may move a deadline of the game. One that has just been opened has none."""
    return game.uptime.outages(now) if game.uptime is not None else ()


def outages_for(games: Iterable[Game]) -> Sequence[Interval]:
    """The outages that may move a deadline of one of the games (seats loaded). No query if none has a deadline."""
    seats = [seat for game in games for seat in game.players.all() if not seat.bot]
    since = [seat.duty_since for seat in seats if seat.due_at and seat.duty_since]
    return known_outages(min(since), service_clock.now()) if since else ()


def clock_duty(
    game: Snapshot,
    seat: SeatSnapshot,
    began: datetime,
    outages: Sequence[Interval] = (),
    *,
    extra: int = 0,
    due: datetime | None = None,
) -> clocks.Duty:
    return clocks.Duty(
        game.clock,
        began=began,
        bank=timedelta(seconds=seat.bank),
        extra=timedelta(seconds=extra),
        calendar=calendar_of(game.account_of(seat)),
        outages=outages,
        due=due,
    )


def deadlines(game: Snapshot) -> dict[int, datetime]:
    known = outages_of(game, service_clock.now())
    return {index: clocks.deadline(duty) for index, _, duty in _timed(game, known)}


def deadline_of(clock: Any, seat: Seat, outages: Sequence[Interval]) -> datetime | None:
    """The same for the row of a seat whose player is loaded; None if it has no deadline (a bot never has one)."""
    due, since = seat.due_at, seat.duty_since
    if due is None or since is None or seat.bot is not None:
        return None
    duty = clocks.Duty(
        clock,
        began=since,
        bank=timedelta(seconds=seat.bank),
        extra=timedelta(seconds=seat.duty_extra),
        calendar=calendar_of(seat.player if seat.player_id else None),
        outages=outages,
        due=due,
    )
    return clocks.deadline(duty)


def explained(game: Snapshot, player: Player, now: datetime | None = None) -> dict[str, Any]:
    """Each deadline to the second (`games.clocks.deadline`), the player's own in full, others' in neutral terms."""
    now = now or service_clock.now()
    known = outages_of(game, now)
    return {
        str(index): clocks.explain(duty, now, owner=seat.player == player.pk)
        for index, seat, duty in _timed(game, known)
    }


def _timed(game: Snapshot, outages: Sequence[Interval]) -> Iterator[tuple[int, SeatSnapshot, clocks.Duty]]:
    for index, seat in enumerate(game.players):
        duty = seat.duty
        if seat.bot is None and duty is not None and duty.due is not None:
            yield index, seat, clock_duty(game, seat, duty.since, outages, extra=duty.extra, due=duty.due)


def revision(version: int, at: datetime, outages: Sequence[Interval], began: datetime) -> tuple[int, datetime]:
    """A number and a moment that rise with each change of a deadline: an event (`version`, `at`) or an outage."""
    lost = clocks.since(outages, began)
    seconds = ceil(sum((back - out for out, back in lost), timedelta()).total_seconds())
    return version + len(lost) + seconds, max([at, *(back for _, back in lost)])


COUNTED = 10_000
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ClockStatus:
    """Turns that are due (counted up to a limit), the age of each part's heartbeat, recorded outages.

    The sweeper's heartbeat is its last sweep.
    """

    at: datetime
    due: int
    oldest_overdue: timedelta
    heartbeats: dict[str, datetime]
    outages: dict[str, int]

    def age(self, part: str) -> timedelta | None:
        last = self.heartbeats.get(part)
        return None if last is None else max(self.at - last, timedelta())


def clock_status(most: int = COUNTED) -> ClockStatus:
    """The turns due now, with outages added; at most this many turns are looked at. Five queries."""
    now = service_clock.now()
    outages = known_outages(_EVER, now)
    seats = Seat.objects.filter(due_at__lte=now, bot__isnull=True).select_related("player", "game")
    seats = seats.only(*DEADLINE_FIELDS)
    ends = [deadline_of(seat.game.clock, seat, outages) for seat in seats.order_by("due_at")[:most]]
    due = [end for end in ends if end is not None and end <= now]
    return ClockStatus(
        at=now,
        due=len(due),
        oldest_overdue=now - min(due) if due else timedelta(),
        heartbeats=heartbeats(),
        outages=dict(Counter(Outage.objects.values_list("part", flat=True))),
    )


def recent_outages(limit: int = 10) -> list[Outage]:
    return list(Outage.objects.order_by("-ended_at")[:limit])
