"""Deadlines as currently known, with the service's outages on top of what is stored; the clocks' state, for operators.

A seat's `due_at` leaves outages out, so that an outage need not be written to every game. Readers and the sweep add
them by these functions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from core import clock as service_clock
from core.accounts.models import Player
from core.calendars.calendar import Interval
from games import clocks
from games.models import Game, Heartbeat, Outage, Seat
from games.projections import Duty, SeatSnapshot, Snapshot, uptime_since

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


def outages_of(game: Snapshot, now: datetime) -> Sequence[Interval]:
    """The outages that may move a deadline of the game. One that has just been opened has none."""
    return game.uptime.outages(now) if game.uptime is not None else ()


def outages_for(games: Iterable[Game]) -> Sequence[Interval]:
    """The outages that may move a deadline of one of the games (seats loaded). No query if none has a deadline."""
    seats = [seat for game in games for seat in game.players.all() if not seat.bot]
    since = [seat.duty_since for seat in seats if seat.due_at and seat.duty_since]
    return known_outages(min(since), service_clock.now()) if since else ()


def clock_duty(
    game: Snapshot, seat: SeatSnapshot, began: datetime, outages: Sequence[Interval] = (), extra: int = 0
) -> clocks.Duty:
    return clocks.Duty(
        game.clock,
        began=began,
        bank=timedelta(seconds=seat.bank),
        extra=timedelta(seconds=extra),
        calendar=calendar_of(game.account_of(seat)),
        outages=outages,
    )


def deadlines(game: Snapshot) -> dict[int, datetime]:
    known = outages_of(game, service_clock.now())
    found = {}
    for index, seat, duty, due in _timed(game):
        found[index] = due
        if _moved_by(known, duty.since, due):
            found[index] = max(due, clocks.deadline(clock_duty(game, seat, duty.since, known, duty.extra)))
    return found


def deadline_of(clock: Any, seat: Seat, outages: Sequence[Interval]) -> datetime | None:
    """The same for the row of a seat whose player is loaded; None if it has no deadline (a bot never has one)."""
    due, since = seat.due_at, seat.duty_since
    if due is None or since is None or seat.bot is not None:
        return None
    if not _moved_by(outages, since, due):
        return due
    duty = clocks.Duty(
        clock,
        began=since,
        bank=timedelta(seconds=seat.bank),
        extra=timedelta(seconds=seat.duty_extra),
        calendar=calendar_of(seat.player if seat.player_id else None),
        outages=outages,
    )
    return max(due, clocks.deadline(duty))


def explained(game: Snapshot, player: Player, now: datetime | None = None) -> dict[str, Any]:
    """Each deadline to the second (`games.clocks.deadline`), the player's own in full, others' in neutral terms."""
    now = now or service_clock.now()
    known = outages_of(game, now)
    return {
        str(index): clocks.explain(
            clock_duty(game, seat, duty.since, known, duty.extra), now, owner=seat.player == player.pk
        )
        for index, seat, duty, _ in _timed(game)
    }


def _timed(game: Snapshot) -> Iterator[tuple[int, SeatSnapshot, Duty, datetime]]:
    for index, seat in enumerate(game.players):
        if seat.bot is None and seat.duty is not None and seat.duty.due is not None:
            yield index, seat, seat.duty, seat.duty.due


def _moved_by(outages: Sequence[Interval], since: datetime, due: datetime) -> bool:
    return any(began < due and ended > since for began, ended in outages)


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
