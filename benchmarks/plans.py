"""A plan, a hand, the clock and a bot that want a turn at one moment; and plans whose process is killed.

    nice python benchmarks/plans.py [--moments 10000] [--kills 100] [--seed 1]

Starts PostgreSQL and Redis in a folder of the state directory of its own, which is removed at the end, and plays games
of all five kinds through the services.

At each moment a person has to move who has a plan and whose time is up. Five processes are let go at once: a hand that
moves at the version it has seen, two sweeps of plans, the clock, and the task that plays for bots, one of whom sits at
each table. One moment in four the plan does not say what to do. What each of them says that it did must be in the log,
and nothing else: one of them makes the move, and no turn is played twice.

Then people leave plans for everything, and a process that carries them out is killed (signal 9) again and again at a
random moment: it is stopped first, to see whether that is within a transaction. In the end each turn that a plan was
for must have been played by it, once. Exit status 1 otherwise. POSIX only.
"""

import argparse
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.plan_kills import kill_again_and_again
from benchmarks.plan_races import race_for_turns
from benchmarks.plan_rooms import WrongError


def measure(moments: int, kills: int, seed: int) -> None:
    """Do both, and print what was found. Raises WrongError."""
    from core.accounts.models import Player

    players = tuple(Player.objects.create(username=name) for name in ("ann", "ben"))
    began = time.monotonic()
    firsts = race_for_turns(players, moments, random.Random(seed))
    print(f"{moments} moments: one move each, first {dict(firsts)}; {_spent(began)}", flush=True)
    began = time.monotonic()
    found = kill_again_and_again(players, kills, random.Random(seed))
    print(f"{kills} times killed: {dict(found)}, each turn once; {_spent(began)}", flush=True)


def _spent(began: float) -> str:
    return f"{time.monotonic() - began:.0f} s, load of the machine {os.getloadavg()[0]:.1f}"


def main() -> None:
    """Start the servers, measure, and remove everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["TREY_PROFILE"] = "plans"
    os.environ["TREY_LOG_LEVEL"] = "error"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from benchmarks.ground import own_place

    try:
        with own_place():
            from django.core.management import call_command

            measure(options.moments, options.kills, options.seed)
            call_command("log", "verify")
    except WrongError as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
