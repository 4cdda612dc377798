"""The rules of competing at size: standings, bounds and seating (limits are those of the issue that asked for them).

    python -m benchmarks.tournaments [--entrants 1000] [--runs 3]

Prints a line for each: the best of a few runs in milliseconds of processor time, and the limit.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from tournaments.rules import Record, evolve, read_record
from tournaments.rules.bounds import bounds
from tournaments.rules.seating import next_round
from tournaments.rules.standings import standings


def tournament(entrants: int, rounds: int, *, open_tables: int = 0, **settings: Any) -> dict[str, Any]:
    """A tournament at fours with random seatings and results; the last round has some tables without one."""
    chance = random.Random(f"{entrants} {rounds} {open_tables}")
    log: list[dict[str, Any]] = []

    def write(**line: Any) -> None:
        log.append({"n": len(log) + 1, "at": "2026-01-02T00:00:00Z", **line})

    names = [f"e{number}" for number in range(1, entrants + 1)]
    for name in names:
        write(type="entered", entrant=name, name=name)
    for number in range(1, rounds + 1):
        order = chance.sample(names, entrants)
        tables = [order[at : at + 4] for at in range(0, entrants, 4)]
        write(type="seated", round=number, tables=tables, byes=[])
        played = tables[: len(tables) - open_tables] if number == rounds else tables
        for at, table in enumerate(played, 1):
            places = chance.choice(([1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 2, 4], [1, 1, 3, 4]))
            players = [
                {"entrant": name, "place": place, "score": 0, "timeouts": chance.randrange(3)}
                for name, place in zip(table, places, strict=True)
            ]
            write(type="result", id=f"{number}.{at}", round=number, table=at, source="game", players=players)
    return {
        "format": "trey-tournament/1",
        "title": "Benchmark",
        "game": "threes",
        "kind": "rounds",
        "seed": "5f" * 32,
        "settings": {"rounds": rounds + 1, **settings},
        "log": log,
    }


def milliseconds(work: Callable[[], object], runs: int) -> float:
    """The best of some runs, in processor time."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def one_more_line(record: Record) -> Record:
    """The record with a line more."""
    line = {"n": record.n + 1, "at": "2026-01-03T00:00:00Z", "type": "adjusted", "entrant": "e1", "points": "1"}
    return evolve(record, line)


def main() -> None:
    """Measures each and prints a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=1000, help="the limits are for 1000")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    many = wanted.entrants // 4 * 4
    some, few = many // 20 * 4, many // 80 * 4
    large, small = tournament(many, 20), tournament(12, 20)
    thousand, dozen = read_record(large), read_record(small)
    four_dozen = read_record(tournament(few, 20))
    planned = read_record(tournament(few, 0) | {"settings": {"seating": "even", "rounds": 20}})
    open_tables = read_record(tournament(some, 20, open_tables=some // 4))
    measured: list[tuple[str, Callable[[], object], int | None]] = [
        (f"read the record of {many} entrants, 20 rounds", lambda: read_record(large), None),
        ("add a line to it", lambda: one_more_line(thousand), None),
        (f"standings of {many} entrants, 20 rounds", lambda: standings(thousand), 500),
        ("standings of 12 entrants, 20 rounds", lambda: standings(dozen), 5),
        (f"bounds of {some} entrants, all tables open", lambda: bounds(open_tables), 2000),
        (f"seating of {many} entrants after 20 rounds", lambda: next_round(thousand), 2000),
        ("seating of 12 entrants after 20 rounds", lambda: next_round(dozen), 50),
        (f"seating of {few} entrants after 20 rounds", lambda: next_round(four_dozen), None),
        (f"first plan of 20 rounds for {few} entrants", lambda: next_round(planned), None),
    ]
    for what, work, limit in measured:
        print(f"{what:48} {milliseconds(work, wanted.runs):9.2f} ms" + (f"  (limit {limit} ms)" if limit else ""))


if __name__ == "__main__":
    main()
