"""What a move costs the whole machine: the processor time of every process of `make run`, for each move with its read.

    python -m benchmarks.move_cost [--tables 8] [--seconds 60]

At each table two players play Threes: they read their legal moves, and play one of them. Exit status 1 if the processes
beside the web and PostgreSQL take more than a quarter of what these take.
"""

import argparse
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import psutil

from benchmarks.clients import Table
from benchmarks.ground import spent_by
from benchmarks.service import PARTS, Service, postmaster, redis, served

MOST_BESIDE = 0.25


@dataclass
class CountingTable(Table):
    """A table that counts its moves."""

    moves: int = 0

    def took(self, game: str, key: str, body: dict[str, Any]) -> None:  # noqa: ARG002
        """Count it."""
        self.moves += 1


def measure(service: Service, options: argparse.Namespace) -> dict[str, float]:
    """The milliseconds that each part took for a move."""
    service.keeps = True
    tables = [
        CountingTable(service, [service.sign_up(f"player{2 * number + seat}") for seat in (0, 1)], bots=0)
        for number in range(options.tables)
    ]
    threads = [threading.Thread(target=table.run) for table in tables]
    for thread in threads:
        thread.start()
    time.sleep(options.warm_up)
    leading: dict[str, psutil.Process] = {name: service.part(name) for name in PARTS}
    leading |= {"PostgreSQL": postmaster(service), "Redis": redis(service)}
    moves, before = sum(table.moves for table in tables), {name: spent_by(one) for name, one in leading.items()}
    time.sleep(options.seconds)
    used = {name: spent_by(one) - before[name] for name, one in leading.items()}
    moves = sum(table.moves for table in tables) - moves
    service.stopping.set()
    for thread in threads:
        thread.join()
    print(f"{moves / options.seconds:.0f} moves a second at {options.tables} tables; milliseconds for each:")
    return {name: 1000 * seconds / moves for name, seconds in used.items()}


def main() -> None:
    """Measure, and print what each part took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm-up", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--port", type=int, default=8061)
    options = parser.parse_args()
    with served(options.port) as service:
        cost = measure(service, options)
    print(
        ", ".join(f"{name} {value:.2f}" for name, value in cost.items()), f"in all {sum(cost.values()):.2f}", sep=", "
    )
    most = cost["web"] + cost["PostgreSQL"]
    beside = (sum(cost.values()) - most) / most
    print(f"beside web and PostgreSQL: {beside:.2f} times these (at most {MOST_BESIDE})")
    sys.exit(beside > MOST_BESIDE)


if __name__ == "__main__":
    main()
