"""The process that carries out plans is killed again and again."""

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from typing import Any
from uuid import UUID

import psutil
from plan_rooms import STEP, Room, WrongError, check_rebuilt, is_running, opened, owner, plan_for, turns_of

LIVES = (0.002, 0.2)
"""After how many seconds of processor time a process is killed, so that a busy machine does not make it idle."""
PATIENCE = 60.0
"""After so many seconds it is killed in any case."""


def carry_out(at: datetime, said: Connection) -> None:
    """Carry out plans as a worker does, for ever; say first by which process of PostgreSQL."""
    from django.db import connection

    from core import clock
    from games.plans import services as plan_moves

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        said.send(cursor.fetchone()[0])
    with clock.frozen(at):
        while True:
            if not plan_moves.sweep_plans():
                time.sleep(0.001)


def kill_again_and_again(players: tuple[Any, ...], kills: int, chance: random.Random) -> Counter[str]:
    """Kill the process that carries out plans so often; return counts of what was found. Raises WrongError."""
    from games.rules import GAMES

    at = datetime(2027, 3, 1, tzinfo=UTC)
    rooms: list[tuple[str, Room]] = []
    kept: Counter[tuple[UUID, int]] = Counter()
    found: Counter[str] = Counter()
    for number in range(kills):
        at += STEP
        rooms += [(game, opened(game, players, 0, at)) for game in GAMES if not _runs_one(rooms, game)]
        found["plans kept"] += sum(_keep_plans(game, room, at, kept, chance) for game, room in rooms)
        found[_life(at + STEP / 2, chance.uniform(*LIVES) if number % 10 else LIVES[1])] += 1
    at += STEP
    _play_out(at)
    for game, room in rooms:
        found["turns played as planned"] += _check_played(game, room, kept)
    found["games"] = len(rooms)
    return found


def _runs_one(rooms: list[tuple[str, Room]], game: str) -> bool:
    return any(kind == game and is_running(room.id) for kind, room in rooms)


def _keep_plans(game: str, room: Room, at: datetime, kept: Counter[tuple[UUID, int]], chance: random.Random) -> int:
    """Leave a plan for each seat that has none; count the turns that it is for."""
    from core import clock
    from games import services
    from games.plans import services as plan_moves
    from games.projections import load

    made = 0
    for player in room.players:
        with clock.frozen(at), suppress(services.Conflict):
            try:
                plan_moves.plan_of(room.id, player)
            except services.NotFound:
                snapshot, turns = load(room.id), chance.randint(1, 5)
                plan_moves.keep_plan(room.id, player, plan_for(game, turns))
                seat = snapshot.seat_of(player) if snapshot is not None else None
                if snapshot is not None and seat is not None:
                    kept[room.id, seat] += turns + (snapshot.players[seat].duty is not None)
                made += 1
    return made


@contextmanager
def carrying_out(at: datetime) -> Iterator[tuple[int, int]]:
    """Have a process carry out plans; yield its id and that of its process of PostgreSQL. It is killed at the end."""
    from django.db import connections

    connections.close_all()
    forking = multiprocessing.get_context("fork")
    ours, theirs = forking.Pipe()
    process = forking.Process(target=carry_out, args=(at, theirs), daemon=True)
    process.start()
    try:
        yield process.pid or 0, ours.recv()
    finally:
        process.kill()
        process.join()


def _life(at: datetime, seconds: float) -> str:
    """Let a process carry out plans for so many seconds of its time, stop and kill it; return where it was."""
    with carrying_out(at) as (pid, backend):
        process, until = psutil.Process(pid), time.monotonic() + PATIENCE
        ends = sum(process.cpu_times()[:2]) + seconds
        while sum(process.cpu_times()[:2]) < ends and time.monotonic() < until:
            time.sleep(0.002)
        os.kill(pid, signal.SIGSTOP)
        return f"killed {_where(backend)}"


def _where(backend: int) -> str:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT xact_start IS NOT NULL FROM pg_stat_activity WHERE pid = %s", [backend])
        row = cursor.fetchone()
    return "within a transaction" if row and row[0] else "between transactions"


def _play_out(at: datetime) -> None:
    """Carry out what is left of the plans, undisturbed."""
    from core import clock
    from games.plans import services as plan_moves

    with clock.frozen(at):
        # A sweep looks for half a second; a killed process may leave a lock for a moment.
        for _ in range(200):
            if not plan_moves.sweep_plans():
                time.sleep(0.05)
                if not plan_moves.sweep_plans():
                    return


def _check_played(game: str, room: Room, kept: Counter[tuple[UUID, int]]) -> int:
    """Return how many turns were played as planned. Raises WrongError unless that is each one, once."""
    from core import log
    from games.projections import load
    from games.projections.vocabulary import PLANNED

    check_rebuilt(room.id)
    snapshot = load(room.id)
    if snapshot is None:
        raise WrongError(f"{room.id} is gone")
    events = list(log.read(snapshot.stream))
    if [event.version for event in events] != list(range(1, len(events) + 1)):
        raise WrongError(f"{room.id}: its versions have gaps")
    events = events[room.version :]
    by_version, played = {event.version: event for event in events}, 0
    for seat in range(len(room.players)):
        turns = turns_of(seat, events, in_turn=seat in room.acting)
        whole = [turn for turn in turns if any(by_version[version].data.get(PLANNED) for version in turn)]
        for turn in whole:
            moves = [by_version[version] for version in turn if by_version[version].seat == seat]
            if not all(event.data.get(PLANNED) for event in moves):
                raise WrongError(f"{room.id}: a turn of seat {seat} was played otherwise: {turn}")
        planned = kept[room.id, seat] - _turns_left(room, seat)
        # A new deal ends plans, and so does the end of the game (PL3). Who loses an opening race does not play.
        exact = snapshot.is_running and game != "three_thirteen" and len(room.acting) == 1
        if len(whole) > planned or (exact and len(whole) < planned):
            raise WrongError(f"{game} {room.id}: seat {seat} played {len(whole)} turns, planned for {planned}")
        played += len(whole)
    return played


def _turns_left(room: Room, seat: int) -> int:
    from games import services
    from games.plans import services as plan_moves
    from games.projections import load

    snapshot = load(room.id)
    if snapshot is None or not snapshot.is_running:
        return 0
    try:
        return plan_moves.plan_of(room.id, owner(snapshot, seat)).turns_left
    except services.NotFound:
        return 0
