"""Timing out turns.

A sweep reads the partial index on `Seat.due_at`, and games many at a time. It judges each turn again, and writes the
timeout and what follows from it in one append, at the version that it has read. So a turn is handled completely or not
at all, a second sweep finds nothing left to do, and a killed sweep has merely done less.
"""

import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import monotonic
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.calendars.calendar import Interval
from core.rows import fetch_all
from games import clocks
from games.events import BotSeated, DeadlineMoved, TimedOut
from games.hooks import next_planned, planned_in
from games.models import Seat, stream_of
from games.projections import GAME, SeatSnapshot, Snapshot, load_all
from games.projections.loading import GameKind
from games.selectors import DEADLINE_FIELDS, certain_until, deadline_of, known_outages, outages_of
from games.services.bots import choice_of
from games.services.commands import RESIGN, change, decided, evolved, existing, wake_server
from games.services.moves import judge
from games.services.outages import SWEEPER, beat
from games.services.seating import usual_level
from games.services.turns import deadline

logger = logging.getLogger(__name__)

CLOCK = log.Actor("clock")
BATCH = 200
# The number of games that a sweep reads at once. While it handles them, another sweep may be at them too.
AHEAD = 20
# A sweep is short, so that it never blocks a worker for long; the next one continues.
SWEEP_SECONDS = 20.0
# More moves than any turn has: a guard against a rule that never ends one.
MOVES_A_TURN = 1000

# The index `seat_due` gives them in order; a bot's turn does not time out.
_DUE = """
SELECT seat.id, seat.due_at
FROM games_seat AS seat
WHERE seat.due_at <= %(until)s AND seat.due_at >= %(after)s AND (seat.due_at, seat.id) > (%(after)s, %(after_id)s)
  AND seat.bot IS NULL
ORDER BY seat.due_at, seat.id
LIMIT %(limit)s
"""
# The errors of reading a damaged game.
UNREADABLE = (log.LogError, LookupError, ValueError)
_FIRST = (datetime.fromisoformat("1970-01-01T00:00:00+00:00"), UUID(int=0))


@dataclass(slots=True)
class Swept:
    timeouts: Counter[str] = field(default_factory=Counter)
    moved: int = 0

    @property
    def handled(self) -> int:
        return sum(self.timeouts.values())


def sweep(seconds: float = SWEEP_SECONDS) -> Swept:
    """Time out due turns, for at most `seconds`; any number of sweeps may run at once.

    Only deadlines before the last moment at which every part of the service is known to have run are handled: a later
    one may still turn out to have been extended by an outage.
    """
    swept = Swept()
    ends = monotonic() + seconds
    moment = service_clock.now()
    beat(SWEEPER)
    until = certain_until(moment)
    outages = known_outages(_FIRST[0], moment)
    beaten = monotonic()
    for batch in _batches(until):
        # After an outage many may not be overdue yet, and reading them takes time, too.
        beaten = _beat_again(beaten)
        overdue = _overdue(batch, outages, until)
        for number, seat in enumerate(overdue):
            beaten = _beat_again(beaten)
            if number % AHEAD == 0:
                ahead = ReadAhead([some.game_id for some in overdue[number : number + AHEAD]])
            try:
                done = time_out(
                    seat.game_id, seat.index, seat.due_at, until=until, now=service_clock.now(), ahead=ahead
                )
            except Exception:
                # A game that cannot go on is reported and left as it is; the others are handled all the same.
                logger.exception("the turn of seat %s of the game %s cannot be timed out", seat.index, seat.game_id)
                if not connection.is_usable():
                    raise
                continue
            if done in ("play", "bot", "resign"):
                swept.timeouts[done] += 1
            elif done == "moved":
                swept.moved += 1
            if monotonic() > ends:
                return swept
    return swept


def _beat_again(beaten: float) -> float:
    if monotonic() - beaten <= settings.TREY_HEARTBEAT:
        return beaten
    beat(SWEEPER)
    return monotonic()


def due(until: datetime, after: tuple[datetime, UUID] = _FIRST) -> list[tuple[UUID, datetime]]:
    return list(fetch_all(_DUE, {"until": until, "after": after[0], "after_id": after[1], "limit": BATCH}))


def _batches(until: datetime) -> Iterator[list[UUID]]:
    after = _FIRST
    while found := due(until, after):
        yield [seat_id for seat_id, _ in found]
        after = (found[-1][1], found[-1][0])


def _overdue(batch: Sequence[UUID], outages: Sequence[Interval], until: datetime) -> list[Seat]:
    """The seats that are overdue even with outages added, in random order, so that two sweeps seldom meet.

    Also those that only another calendar gives more time: their stored deadline is to be moved.
    """
    seats = Seat.objects.filter(pk__in=batch, due_at__isnull=False).select_related("player", "game")
    seats = seats.only(*DEADLINE_FIELDS)
    found = [seat for seat in seats if _is_overdue(seat, outages, until)]
    random.shuffle(found)
    return found


def _is_overdue(seat: Seat, outages: Sequence[Interval], until: datetime) -> bool:
    try:
        return not _moved_by(outages, seat) or (deadline_of(seat.game.clock, seat, outages) or until) <= until
    except UNREADABLE:
        logger.exception("the deadline of seat %s of the game %s cannot be read", seat.index, seat.game_id)
        return False


def _moved_by(outages: Sequence[Interval], seat: Seat) -> bool:
    due, since = seat.due_at, seat.duty_since
    return due is not None and since is not None and any(out < due and back > since for out, back in outages)


class ReadAhead(GameKind):
    """Games that were read at once, and which of them have plans. A game that has changed since is read again."""

    def __init__(self, game_ids: Sequence[UUID]) -> None:
        try:
            self._games = {game.id: game for game in load_all(game_ids)}
        except UNREADABLE:
            # One of them is damaged: then each is read by itself.
            self._games = {}
        self.planned = {game for game, _ in planned_in(game_ids)}

    def load(self, stream_id: UUID, lock: log.Lock = log.Lock.NONE) -> Snapshot | None:
        return self._games.pop(stream_id, None) or super().load(stream_id, lock)


def time_out(
    game_id: UUID,
    index: int,
    due_at: datetime | None,
    *,
    until: datetime,
    now: datetime,
    ahead: ReadAhead | None = None,
) -> str | None:
    """Judge a seat's turn that was due at `due_at`, and time it out. `ahead` are games that have just been read.

    Return ``play``, ``bot`` or ``resign``; ``moved`` if only the deadline was out of date (the calendar has just
    changed); None if there is nothing to do or another process holds the game.
    """

    def decide(snapshot: Snapshot | None) -> log.Decided[str | None]:
        before = existing(snapshot)
        seat = before.players[index] if index < len(before.players) else None
        if seat is None or seat.bot is not None or seat.duty is None or seat.duty.due != due_at:
            return log.Decided((), None)
        has_plans = ahead is None or game_id in ahead.planned
        if has_plans and (planned := next_planned(before, now, seat=index)) is not None:
            # The plan was not carried out in time, which is the service's fault: it comes before the clock.
            none: str | None = None
            made = decided(game_id, before, planned.events(before), none, actor=planned.actor, now=now)
            return replace(made, actor=planned.actor)
        events, action = _judge(before, index, until, now)
        return decided(game_id, before, events, action, actor=CLOCK, now=now)

    executed = log.execute(ahead or GAME, game_id, decide, actor=CLOCK, now=now, lock=log.Lock.SKIP)
    wake_server(executed)
    return executed.result


def _judge(snapshot: Snapshot, index: int, until: datetime, now: datetime) -> tuple[Sequence[log.NewEvent], str | None]:
    seat = snapshot.players[index]
    duty = seat.duty
    if duty is None or duty.due is None:
        return (), None
    plain = deadline(snapshot, seat, duty)
    if plain > duty.due:
        return [_deadline_moved(index, plain)], "moved"
    end = deadline(snapshot, seat, duty, outages_of(snapshot, now), duty.due)
    if end > until:
        return (), None
    misses = seat.misses + 1
    action = clocks.after_timeout(snapshot.clock, misses)
    data = {
        "deadline_at": log.time_text(end),
        "action": action,
        "misses": misses,
        "timeouts": seat.timeouts + 1,
    }
    events = [log.NewEvent(TimedOut.type, data, index)]
    if action == "resign":
        events += judge(snapshot, index, RESIGN)
    elif action == "bot":
        events.append(bot_seated(snapshot, index, "timeout", lost_on_time=True))
    else:
        events += _rest_of_turn(snapshot, index, now)
    return events, action


def bot_seated(snapshot: Snapshot, index: int, reason: str, *, lost_on_time: bool) -> log.NewEvent:
    data = {"bot": {"level": usual_level(snapshot.game)}, "reason": reason, "lost_on_time": lost_on_time}
    return log.NewEvent(BotSeated.type, data, index)


def _deadline_moved(index: int, due: datetime) -> log.NewEvent:
    return log.NewEvent(DeadlineMoved.type, {"deadline_at": log.time_text(due)}, index)


def _rest_of_turn(snapshot: Snapshot, index: int, now: datetime) -> list[log.NewEvent]:
    """The rest of a seat's duty as a bot plays it, with all draws and bonus plays.

    It remembers nothing: a sweep plays twenty games, and would have to read the events of each.
    """
    before, rules = snapshot, snapshot.rules
    key = rules.duties(snapshot.state)[index]
    events: list[log.NewEvent] = []
    level = usual_level(snapshot.game)
    for _ in range(MOVES_A_TURN):
        pending = log.pending(stream_of(before.id), before, events, now)
        new = judge(snapshot, index, choice_of(snapshot, index, level, pending=pending, remembering=False))
        events += new
        snapshot = evolved(snapshot.id, snapshot, new, now)
        if rules.duties(snapshot.state).get(index) != key:
            return events
    raise RuntimeError(f"game {snapshot.id}: the turn of seat {index} does not end")


def follow_calendar(*, player: Player, now: datetime, **_: Any) -> None:
    """The player's calendar has changed: the deadlines of what the player has to do now move with it.

    If this is interrupted, or a turn has just begun, the sweep finds the new deadline.
    """

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        return [
            _deadline_moved(index, plain)
            for index, seat in enumerate(snapshot.players)
            if seat.player == player.pk and (plain := _new_deadline(snapshot, seat, now)) is not None
        ]

    running = Seat.objects.filter(player=player, to_act=True, due_at__isnull=False, bot__isnull=True)
    for game_id in list(running.values_list("game_id", flat=True)):
        change(game_id, decide, actor=log.Actor("player", str(player.pk)), reason="calendar", now=now)


def _new_deadline(snapshot: Snapshot, seat: SeatSnapshot, now: datetime) -> datetime | None:
    duty = seat.duty
    if seat.bot is not None or duty is None or duty.due is None:
        return None
    plain = deadline(snapshot, seat, duty)
    # A calendar change after the deadline does not revive a turn.
    if plain == duty.due or deadline(snapshot, seat, duty, outages_of(snapshot, now), duty.due) <= now:
        return None
    return plain
