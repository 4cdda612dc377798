"""A plan, a hand, the clock and a bot want a turn at one moment."""

import multiprocessing
import random
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any
from uuid import UUID

from plan_rooms import (
    STEP,
    Room,
    WrongError,
    check_rebuilt,
    is_running,
    opened,
    owner,
    plan_for,
    silent_plan,
    turns_of,
)

from games.events import TimedOut

LATEST = 0.012
"""A racer starts up to so many seconds after the others, so that each of them is first now and then."""
RACERS = ("hand", "plan", "plan", "clock", "bot")


@dataclass(frozen=True)
class Job:
    """One moment, as each racer is told of it."""

    game: UUID
    seat: int
    player: UUID
    version: int
    due: datetime | None
    move: dict[str, Any]
    at: datetime
    late: tuple[float, ...]


def race(number: int, jobs: Connection, ready: Barrier) -> None:
    """Be one of the racers, until told to stop: take a job, wait for the others, try to move, and say what was done."""
    from django.db import connection

    from core import clock

    connection.ensure_connection()
    while (job := jobs.recv()) is not None:
        try:
            with clock.frozen(job.at):
                ready.wait(60)
                time.sleep(job.late[number])
                jobs.send(_try(RACERS[number], job))
        except Exception as error:  # noqa: BLE001  whatever it is, the benchmark ends with it
            jobs.send(f"failed: {error!r}")
    connection.close()


def _try(racer: str, job: Job) -> Any:
    """Return what the racer did: the version the hand made, how many moves, or what the clock did."""
    from core.accounts.models import Player
    from games import services
    from games.plans import services as plan_moves
    from games.services.timeouts import time_out

    if racer == "plan":
        return plan_moves.sweep_plans()
    if racer == "bot":
        return services.play_bots(job.game)
    if racer == "clock":
        return time_out(job.game, job.seat, job.due, until=job.at, now=job.at)
    try:
        player = Player.objects.get(pk=job.player)
        played = services.play(job.game, player, job.move, if_match=lambda snapshot: snapshot.version == job.version)
        return {"versions": [event.version for event in played.events if event.seat is not None]}
    except services.Refused as refused:
        return refused.code


class Racers:
    """The processes of a race."""

    def __init__(self) -> None:
        from django.db import connections

        connections.close_all()
        forking = multiprocessing.get_context("fork")
        ready = forking.Barrier(len(RACERS))
        self._ends = []
        self._processes = []
        for number in range(len(RACERS)):
            ours, theirs = forking.Pipe()
            process = forking.Process(target=race, args=(number, theirs, ready), daemon=True)
            process.start()
            self._ends.append(ours)
            self._processes.append(process)

    def run(self, job: Job) -> list[Any]:
        """Let all go at once; return what each did, in the order of RACERS. Raises WrongError if one failed."""
        for end in self._ends:
            end.send(job)
        said = [end.recv() for end in self._ends]
        if failed := [one for one in said if isinstance(one, str) and one.startswith("failed")]:
            raise WrongError(failed[0])
        return said

    def stop(self) -> None:
        """End the processes."""
        for end in self._ends:
            end.send(None)
        for process in self._processes:
            process.join(30)


def race_for_turns(players: tuple[Any, ...], moments: int, chance: random.Random) -> Counter[str]:
    """Have so many turns wanted by all at one moment; return who had the first move of them. Raises WrongError."""
    from games.rules import GAMES

    at = datetime(2027, 3, 1, tzinfo=UTC)
    firsts: Counter[str] = Counter()
    racers = Racers()
    kinds, rooms = sorted(GAMES), dict[str, Room]()
    try:
        for number in range(moments):
            game = kinds[number % len(kinds)]
            at += STEP
            if game not in rooms or not is_running(rooms[game].id):
                if game in rooms:
                    check_rebuilt(rooms[game].id)
                rooms[game] = opened(game, players, 1, at)
                at += STEP
            firsts[_moment(racers, rooms[game], game, at, chance)] += 1
    finally:
        racers.stop()
    for room in rooms.values():
        check_rebuilt(room.id)
    return firsts


def _moment(racers: Racers, room: Room, game: str, at: datetime, chance: random.Random) -> str:
    from core import clock, log
    from games import selectors, services
    from games.plans import services as plan_moves
    from games.projections import load
    from tests.games.services.service_scene import choices

    with clock.frozen(at):
        services.play_bots(room.id)
        before = load(room.id)
        if before is None or before.status != "playing":
            return "the bot ended it before"
        acting = {index: one.duty for index, one in enumerate(before.players) if one.duty and not one.bot}
        # Of those who may open in a race, only one has a deadline.
        seat = min(acting, key=lambda index: (acting[index].due is None, index))
        player = owner(before, seat)
        fits = chance.random() < 0.75
        plan_moves.keep_plan(room.id, player, plan_for(game, 1) if fits else silent_plan(game))
        move = choices(chance.choice(selectors.legal_moves(player, before).moves))
        late = tuple(chance.uniform(0, LATEST) for _ in RACERS)
        job = Job(room.id, seat, player.pk, before.version, acting[seat].due, move, at + STEP / 2, late)
    said = racers.run(job)
    with clock.frozen(job.at):
        plan_moves.drop_plan(room.id, player)
    first = check_moment(job, said, list(log.read(before.stream, after=before.version)))
    return first if fits else f"{first}, the plan being silent"


def check_moment(job: Job, said: list[Any], events: list[Any]) -> str:
    """Return who made the move. Raises WrongError unless the log has what the racers say, each move of it once."""
    from games.projections.vocabulary import PLANNED

    hand, *plans, clock, bot = said
    # What follows from a move, such as a new deal or the end, has no seat.
    moves = [(event, event.meta["actor"]["kind"]) for event in events if event.seat is not None]
    by_hand = [event for event, kind in moves if kind == "player" and not event.data.get(PLANNED)]
    by_plan = [event for event in events if event.data.get(PLANNED)]
    timed_out = [event for event in events if event.type == TimedOut.type and event.seat == job.seat]
    where = f"{job.game} at {job.version}: {said}, {[(event.version, event.type) for event in events]}"
    made = hand["versions"] if isinstance(hand, dict) else []
    if not isinstance(hand, dict) and hand not in ("stale_version", "bot_plays"):
        raise WrongError(f"the hand was refused for another reason than being late: {where}")
    if made[:1] not in ([], [job.version + 1]) or [event.version for event in by_hand] != made:
        raise WrongError(f"the hand's moves are not those of the log: {where}")
    if len(timed_out) != (clock in ("play", "bot", "resign")):
        raise WrongError(f"what the clock did is not in the log: {where}")
    if {event.seat for event in by_plan} - {job.seat}:
        raise WrongError(f"a plan played for another seat: {where}")
    if (extra := len(by_plan) + sum(kind == "bot" for _, kind in moves) - sum(plans) - bot) not in (0, 1):
        # One move of the plan may be the clock's work, which says so of none (PL6).
        raise WrongError(f"{extra} moves of plans and bots that nobody made: {where}")
    _check_turns(job, events, {event.version for event in by_hand})
    if not events:
        raise WrongError(f"nobody moved: {where}")
    first = events[0]
    if first.seat != job.seat:
        raise WrongError(f"somebody else moved: {where}")
    return "clock" if first.type == TimedOut.type else "plan" if first.data.get(PLANNED) else "hand"


def _check_turns(job: Job, events: list[Any], by_hand: set[int]) -> None:
    """Raise WrongError if more than the turn that was wanted, and the one that the plan was for, were played."""
    turns = [turn for turn in turns_of(job.seat, events, in_turn=True) if turn]
    if len(turns) > 2:
        raise WrongError(f"{job.game} at {job.version}: {len(turns)} turns of seat {job.seat}")
    if any(by_hand & set(turn) for turn in turns[1:]):
        raise WrongError(f"{job.game} at {job.version}: the hand moved in a turn that it had not seen")
