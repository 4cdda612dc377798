"""How long one player waits for the bots at a table while another one keeps hundreds busy.

    nice python benchmarks/fairness.py [--tables 40] [--bots 31] [--turns 40] [--port 8051] [--own 3] [--resigned]

Starts the service as `make run` does, in a folder of the state directory of its own that is removed at the end.
Measures from the response to one's own move until one is to move again: first alone, then while another player's tables
play as fast as they can. With --resigned that player has resigned at all of them, so that the bots never wait.
"""

import argparse
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from benchmarks.service import Service, say, served  # noqa: E402  found by the line above

# Threads that move for the player with many tables.
HANDS = 6


def open_table(service: Service, token: str, bots: int) -> str:
    """The path of a started game of Threes against so many bots."""
    room = service.surely("POST", "games", {"game": "threes", "seats": bots + 1, "bots": bots}, token=token)
    service.surely("POST", f"games/{room['id']}/start", {}, token=token)
    return f"games/{room['id']}"


def move(service: Service, path: str, token: str) -> bool:
    """Make the first legal move; whether there was one."""
    legal = service.surely("GET", f"{path}/moves", token=token)
    if not legal or not legal["moves"]:
        return False
    return service.surely("POST", f"{path}/moves", legal["moves"][0]["send"], token=token) is not None


def turns(service: Service, token: str, bots: int, count: int) -> list[float]:
    """How long the bots took, for so many moves; in games one after another."""
    took: list[float] = []
    path = open_table(service, token, bots)
    while len(took) < count:
        game = service.surely("GET", path, token=token)
        if game["status"] not in ("setup", "playing"):
            path = open_table(service, token, bots)
        elif move(service, path, token):
            begun = time.monotonic()
            while True:
                game = service.surely("GET", path, token=token)
                if game["your_seat"] in game["to_act"] or game["status"] not in ("setup", "playing"):
                    break
                time.sleep(0.02)
            took.append(time.monotonic() - begun)
        else:
            time.sleep(0.02)
    return sorted(took)


def keep_busy(service: Service, token: str, paths: list[str]) -> None:
    """Move at each of these tables whenever it is one's turn."""
    while not service.stopping.is_set():
        for path in paths:
            with suppress(TypeError):
                move(service, path, token)


def shown(took: list[float]) -> str:
    """The median, the 95th percentile and the longest, in seconds."""
    return f"{took[len(took) // 2]:.2f} s (median), {took[int(len(took) * 0.95)]:.2f} s (95 %), {took[-1]:.2f} s (most)"


def measure(service: Service, tables: int, bots: int, count: int, *, own: int, resigned: bool) -> None:
    """Print how long one's own bots take, alone and beside the other player's tables."""
    one, many = service.sign_up("one"), service.sign_up("many")
    say(f"alone: {shown(turns(service, one, own, count))}; load {os.getloadavg()[0]:.1f}")
    paths = [open_table(service, many, bots) for _ in range(tables)]
    for path in paths if resigned else ():
        service.surely("POST", f"{path}/moves", {"move": "resign"}, token=many)
    for number in range(0 if resigned else HANDS):
        threading.Thread(target=keep_busy, args=[service, many, paths[number::HANDS]], daemon=True).start()
    took = turns(service, one, own, count)
    say(f"beside {tables} tables of {bots} bots: {shown(took)}; load {os.getloadavg()[0]:.1f}")


def main() -> None:
    """Start the service, measure, and remove everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--bots", type=int, default=31)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--port", type=int, default=8051)
    parser.add_argument("--own", type=int, default=3)
    parser.add_argument("--resigned", action="store_true")
    options = parser.parse_args()
    with served(options.port) as service:
        measure(service, options.tables, options.bots, options.turns, own=options.own, resigned=options.resigned)


if __name__ == "__main__":
    main()
