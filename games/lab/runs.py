"""Runs: many numbered games on one side or two, spread over processes, with their records."""

import json
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context
from typing import Any, BinaryIO

from games.lab.counting import Counted, count
from games.lab.playing import Lot, Side, Step, play, replayed
from games.lab.recorded import Refused
from games.rules.record import record_of
from games.rules.terminal import parse

CHUNK = 5
"""The number of games that a process plays at a time."""


@dataclass(frozen=True, slots=True)
class Run:
    """What decides all games of a run."""

    sides: Sequence[Side]
    games: int
    seed: str
    bots: Sequence[str]
    """The levels of the seats in game 0."""

    def lot(self, number: int) -> Lot:
        return Lot(self.seed, number, self.bots)


@dataclass(frozen=True, slots=True)
class Played:
    """One numbered game, on every side: its figures, and its record where records are kept."""

    figures: Sequence[Counted]
    records: Sequence[dict[str, Any]]


def play_all(run: Run, *, workers: int = 1, begin: int = 0, records: bool = False) -> Iterator[Played]:
    """Yield the games of a run in order, from number `begin` on. Only their speed depends on the workers."""
    numbers, play_one = range(begin, run.games), partial(play_number, run, records=records)
    if workers == 1:
        yield from map(play_one, numbers)
        return
    # Ctrl-C is for the process that prints what there is so far.
    with get_context("spawn").Pool(workers, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(play_one, numbers, CHUNK)


def play_number(run: Run, number: int, *, records: bool = True) -> Played:
    """Play one numbered game on every side."""
    lot, counted, kept = run.lot(number), [], []
    for side in run.sides:
        deal, played = play(side, lot)
        steps: Iterable[Step] = played
        if records:
            steps = made = list(played)
            events = chain([deal.event], *(step.events for step in made))
            kept.append({**record_of(side.rules, events), "lab": lot.as_json()})
        counted.append(count(deal, steps))
    return Played(counted, kept)


class Records:
    """The records of one side in a file, a game a line."""

    def __init__(self, file: BinaryIO, run: Run, side: Side) -> None:
        """Read the whole lines of a file that is open for reading and appending. Raises Refused."""
        self._file = file
        self.counted: list[Counted] = []
        """The figures of the games in it."""
        file.seek(0)
        end = 0
        for number, line in enumerate(file):
            if not line.endswith(b"\n"):
                break
            self.counted.append(_kept(f"{file.name}, line {number + 1}", number, line, run, side))
            end += len(line)
        file.truncate(end)

    def write(self, number: int, record: dict[str, Any]) -> None:
        """Write the record of a game, unless the file has it."""
        if number >= len(self.counted):
            self._file.write(line_of(record).encode())
            self._file.flush()


def line_of(record: dict[str, Any]) -> str:
    return json.dumps(record, separators=(",", ":")) + "\n"


def _kept(where: str, number: int, line: bytes, run: Run, side: Side) -> Counted:
    try:
        record: Any = parse(line)
        deal, steps = replayed(record)
    except ValueError as error:
        raise Refused(f"{where}: {error}") from None
    rules = (record["game"], record["seats"], record.get("ruleset"), record.get("options"))
    is_of_run = number < run.games and record.get("lab") == run.lot(number).as_json()
    if not is_of_run or rules != (side.game, side.seats, side.ruleset, side.options):
        raise Refused(f"{where}: this game does not belong to this run, so the file cannot be continued.")
    return count(deal, steps)
