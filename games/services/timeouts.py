"""Turns whose time is up.

A sweep reads what is due out of the partial index on `Seat.due_at`, takes one game at a time with SKIP LOCKED, judges
the turn again under that lock, and writes the timeout and what follows from it in one append: a turn is handled whole
or not at all, whoever comes second finds nothing left to do, and a sweep that is killed has only done less.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db import connection, transaction

from games import clock as service_clock
from games import clocks, log
from games.clocks.calendar import Interval
from games.models import Game, Seat
from games.projections import Picture
from games.rules import GAMES
from games.selectors import DEADLINE_FIELDS, deadline_of, duty_of, heartbeats, known_outages
from games.services.bots import choice_of
from games.services.moves import Cause, judge
from games.services.outages import SWEEPER, beat
from games.services.writing import Fact, ahead, change

logger = logging.getLogger(__name__)

# Ids of commands, each from its game, seat and duty: the same timeout has the same id, whoever writes it.
COMMANDS = UUID("5d9b3c52-6f0c-5d0f-8d61-0c1c5f4b9a77")
BATCH = 200
LEVEL = "steady"
# A sweep is short, so that a worker is never long away; the next one goes on.
SWEEP_SECONDS = 20.0
# More moves than any turn has; a rule that never ends one would be a fault.
MOVES_A_TURN = 1000

# The index `seat_due` gives them in order; a bot's turn is no timeout.
_DUE = """
SELECT seat.id, seat.due_at
FROM games_seat AS seat
WHERE seat.due_at <= %(until)s AND seat.due_at >= %(after)s AND (seat.due_at, seat.id) > (%(after)s, %(after_id)s)
  AND seat.bot IS NULL
ORDER BY seat.due_at, seat.id
LIMIT %(limit)s
"""
# The row of the game, as for every move: nobody else moves in it until this is done. None: another sweep has it, or
# it is no longer due.
_TAKE = """
SELECT game.id, seat.index
FROM games_seat AS seat JOIN games_game AS game ON game.id = seat.game_id
WHERE seat.id = %s AND seat.due_at = %s AND seat.bot IS NULL
FOR NO KEY UPDATE OF game SKIP LOCKED
"""
_FIRST = (datetime.fromisoformat("1970-01-01T00:00:00+00:00"), UUID(int=0))


@dataclass(slots=True)
class Swept:
    """What a sweep did: turns by what was done (``play``, ``bot``, ``resign``), deadlines that were written anew."""

    timeouts: Counter[str] = field(default_factory=Counter)
    moved: int = 0

    @property
    def handled(self) -> int:
        """How many turns were timed out."""
        return sum(self.timeouts.values())


def sweep(*, now: datetime | None = None, seconds: float = SWEEP_SECONDS) -> Swept:
    """Time out what is due, for at most so many seconds; any number may run at once.

    Only what was due before the last moment at which every part of the service is known to have lived: a later
    deadline may still turn out to have run through an outage.
    """
    swept = Swept()
    ends = monotonic() + seconds
    moment = now or service_clock.now()
    beat(SWEEPER, now=moment)
    until = clocks.certain_until(heartbeats(), moment)
    outages = known_outages(_FIRST[0], moment)
    beaten = monotonic()
    for batch in _batches(until):
        # After an outage there may be many whose time is not up yet: reading them takes time, too.
        beaten = _beat_again(beaten, now)
        for seat in _overdue(batch, outages, until):
            beaten = _beat_again(beaten, now)
            at = now or service_clock.now()
            try:
                done = time_out(seat.pk, seat.due_at, until=until, now=at)
            except (log.LogError, LookupError, ValueError):
                # A damaged game is told of and stays as it is; the others' turns are timed out all the same.
                logger.exception("the turn of seat %s of the game %s cannot be timed out", seat.index, seat.game_id)
                continue
            if done in ("play", "bot", "resign"):
                swept.timeouts[done] += 1
            elif done == "moved":
                swept.moved += 1
            if monotonic() > ends:
                return swept
    return swept


def _beat_again(beaten: float, now: datetime | None) -> float:
    """Beat once more when it is time; answers when that was last done."""
    if monotonic() - beaten <= settings.TREY_HEARTBEAT:
        return beaten
    beat(SWEEPER, now=now or service_clock.now())
    return monotonic()


def due(until: datetime, after: tuple[datetime, UUID] = _FIRST, limit: int = BATCH) -> list[tuple[UUID, datetime]]:
    """Seats (id, due_at) whose stored deadline is not after `until`, in order, from behind `after` on."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"until": until, "after": after[0], "after_id": after[1], "limit": limit})
        return list(cursor.fetchall())


def _batches(until: datetime) -> Iterator[list[UUID]]:
    after = _FIRST
    while found := due(until, after):
        yield [seat_id for seat_id, _ in found]
        after = (found[-1][1], found[-1][0])


def _overdue(batch: Sequence[UUID], outages: Sequence[Interval], until: datetime) -> list[Seat]:
    """Those whose time is up with outages counted, too; in any order, so that two sweeps seldom meet."""
    seats = Seat.objects.filter(pk__in=batch, due_at__isnull=False).select_related("player", "game")
    seats = seats.only(*DEADLINE_FIELDS)
    found = [
        seat for seat in seats if (end := deadline_of(seat.game.clock, seat, outages)) is not None and end <= until
    ]
    random.shuffle(found)
    return found


def time_out(seat_id: UUID, due_at: datetime | None, *, until: datetime, now: datetime) -> str | None:
    """Judge one due turn under lock, and write down what follows.

    Answers ``play``, ``bot`` or ``resign``; ``moved`` where only the deadline was out of date (a calendar changed just
    then); None where there is nothing to do, or another sweep is at it.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_TAKE, [seat_id, due_at])
            row = cursor.fetchone()
        if row is None:
            return None
        game_id, index = row
        done: list[str] = []

        def decide(game: Game, picture: Picture) -> Sequence[Fact]:
            done.clear()
            facts, what = _judge(game, picture, index, until, now)
            done.extend(what)
            return facts

        player = Seat.objects.values_list("player_id", flat=True).get(pk=seat_id)
        actor = Cause("timeout", str(player) if player else None, "deadline").as_meta()
        change(game_id, decide, actor=actor, now=now, command_id=uuid5(COMMANDS, f"{game_id}/{index}/{due_at}"))
    return done[0] if done else None


def _judge(
    game: Game, picture: Picture, index: int, until: datetime, now: datetime
) -> tuple[Sequence[Fact], Sequence[str]]:
    seat, row = picture.players[index], game.seat_rows()[index]
    if seat.duty is None or seat.duty.due is None or seat.bot is not None:
        return (), ()
    plain = clocks.deadline(duty_of(picture.clock, row))
    if plain > seat.duty.due:
        return [deadline_moved(index, plain)], ["moved"]
    end = deadline_of(picture.clock, row, known_outages(seat.duty.since, now))
    if end is None or end > until:
        return (), ()
    misses = seat.misses + 1
    action = clocks.after_timeout(picture.clock, misses)
    told: dict[str, Any] = {"deadline_at": _text(end), "action": action, "misses": misses}
    facts = [Fact("timed_out", told, index)]
    if action == "resign":
        facts += judge(picture, index, {"move": "resign"})
    elif action == "bot":
        facts.append(Fact("bot_seated", {"bot": {"level": LEVEL}, "reason": "timeout"}, index))
    else:
        facts += _turn(picture, index, now)
    return facts, [action]


def deadline_moved(index: int, deadline: datetime) -> Fact:
    """The event of a running duty whose player's calendar changed."""
    return Fact("deadline_moved", {"deadline_at": _text(deadline)}, index)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _turn(picture: Picture, index: int, now: datetime) -> list[Fact]:
    """The rest of a seat's duty as the steady bot would play it, with all its draws and bonus plays."""
    rules = GAMES[picture.game]
    key = rules.duties(picture.state)[index]
    facts: list[Fact] = []
    for _ in range(MOVES_A_TURN):
        new = judge(picture, index, choice_of(picture, index, LEVEL).move)
        facts += new
        picture, _events = ahead(picture.id, picture, new, meta={}, now=now)
        if rules.duties(picture.state).get(index) != key:
            return facts
    raise RuntimeError(f"game {picture.id}: the turn of seat {index} does not end")


def move_deadlines(player_id: UUID, *, now: datetime | None = None) -> int:
    """After a change of a player's calendar: the new deadlines of what the player has to do now; answers how many."""
    now = now or service_clock.now()
    running = Seat.objects.filter(player_id=player_id, to_act=True, due_at__isnull=False, bot__isnull=True)
    moved = 0
    for game_id, index in list(running.values_list("game_id", "index")):

        def decide(game: Game, picture: Picture, index: int = index) -> Sequence[Fact]:
            if index >= len(picture.players):
                return ()
            seat, row = picture.players[index], game.seat_rows()[index]
            if seat.player != player_id or seat.bot is not None or seat.duty is None or seat.duty.due is None:
                return ()
            plain = clocks.deadline(duty_of(picture.clock, row))
            end = deadline_of(picture.clock, row, known_outages(seat.duty.since, now))
            # What is up is up: nothing that is declared afterwards brings a turn back.
            if plain == seat.duty.due or end is None or end <= now:
                return ()
            return [deadline_moved(index, plain)]

        actor = {"kind": "player", "id": str(player_id), "reason": "calendar"}
        moved += bool(change(game_id, decide, actor=actor, now=now).events)
    return moved
