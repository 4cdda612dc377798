"""Whole random games of the shedding games, beside rlcard's uno in the same run.

Every step asks for the legal moves, decides and evolves. The limit is rlcard's `uno` (2 players, its default, random
agents) through its `env.run`: no fewer moves a second than that. rlcard is needed by this benchmark alone:

    pip install rlcard==1.2.0
    python -m benchmarks.rules [--rounds 25]

Prints games and moves a second of processor time, and the ratio to rlcard, each the median of the rounds. Ours and
theirs take short turns, so that a busy machine slows both.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable

from games.rules import GAMES
from games.rules.shedding import SHEDDING_GAMES
from tests.rules.playing import RandomGame

SEATS = 4
SECONDS = 0.2
UNO = "rlcard uno"


def measure(play: Callable[[], int]) -> tuple[float, float]:
    """Games and moves a second of `play`, which plays one game and returns its moves."""
    games = moves = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        moves += play()
        games += 1
    return games / spent, moves / spent


def ours(name: str) -> Callable[[], int]:
    """A random game of Trey's with four seats."""
    seeds = random.Random(name)
    return lambda: sum(1 for _ in RandomGame(name, seeds.getrandbits(32), seats=SEATS).steps())


def uno() -> Callable[[], int] | None:
    """A random game of rlcard's uno, if it is installed."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    env = rlcard.make("uno")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return play


def main() -> None:
    """Measures all in turn and prints a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    wanted = parser.parse_args()
    players = {game.name: ours(game.name) for game in SHEDDING_GAMES}
    if theirs := uno():
        players = {UNO: theirs, **players}
    else:
        print("without rlcard, which is not installed: pip install rlcard==1.2.0")
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in players}
    for _ in range(wanted.rounds):
        for name, play in players.items():
            figures[name].append(measure(play))
    limit = [moves for _, moves in figures.get(UNO, ())]
    print(f"{'':12} {'games/s':>9} {'moves/s':>9} {'ratio to uno':>13}")
    for name, rounds in figures.items():
        games = statistics.median(games for games, _ in rounds)
        moves = statistics.median(moves for _, moves in rounds)
        ratios = [mine / theirs for (_, mine), theirs in zip(rounds, limit, strict=False)]
        title = GAMES[name].title if name in GAMES else name
        print(f"{title:12} {games:9.0f} {moves:9.0f} {statistics.median(ratios or [0]):13.2f}")


if __name__ == "__main__":
    main()
