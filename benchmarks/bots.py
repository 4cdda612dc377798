"""How good the bots are: one player of a level among players of another, whole games, places counted.

    python benchmarks/bots.py [--games N] [--seats N] [--level steady] [--against random] [GAME ...]

The one changes seats from game to game. A share of first places of one in `--seats` would mean that the level makes
no difference; a place shared by two counts as half a win.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.bots import BOTS, choose
from games.rules import GAMES

INTERRUPTS = {"random": 0.5, "steady": 1.0}
"""How often a bot that may interrupt does: the service asks its bots at their own pace, here they are asked at once."""


def play(game: str, levels: Sequence[str], seed: str) -> tuple[dict[str, Any], int]:
    """The result of one game between bots of these levels, by seat, and the number of moves it took."""
    rules, chance = GAMES[game], Random(seed)

    def shuffle(cards: Sequence[str]) -> list[str]:
        return chance.sample(cards, len(cards))

    state, _ = rules.deal(len(levels), None, {}, chance.randrange(len(levels)), shuffle)
    moves = 0
    while (result := rules.result(state)) is None:
        interrupting = [seat for seat in rules.may_interrupt(state) if chance.random() < INTERRUPTS[levels[seat]]]
        seat = chance.choice(interrupting or rules.to_act(state))
        move = choose(levels[seat], rules.view(state, seat), rules.legal_moves(state, seat), f"{seed} {moves}")
        for event in rules.decide(state, seat, move, shuffle):
            state = rules.evolve(state, event)
        moves += 1
    return result, moves


def main() -> None:
    """Print a table of first places and places."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help=f"of {', '.join(GAMES)}; all by default")
    parser.add_argument("--games", type=int, default=400, help="how many of each")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--level", choices=BOTS, default="steady")
    parser.add_argument("--against", choices=BOTS, default="random")
    arguments = parser.parse_args()
    for name in arguments.game or GAMES:
        began, wins, moves = time.perf_counter(), 0.0, 0
        places: Counter[int] = Counter()
        ended: Counter[str] = Counter()
        for number in range(arguments.games):
            levels = [arguments.against] * arguments.seats
            levels[number % arguments.seats] = arguments.level
            result, taken = play(name, levels, f"{name} {number}")
            place = {entry["seat"]: entry["place"] for entry in result["placements"]}
            mine = place[number % arguments.seats]
            places[mine] += 1
            wins += (mine == 1) / Counter(place.values())[1]
            ended[result["ended_by"]] += 1
            moves += taken
        seconds = time.perf_counter() - began
        counts = " ".join(f"{place}:{places[place]}" for place in range(1, arguments.seats + 1))
        print(
            f"{name:15} {arguments.level} against {arguments.seats - 1} x {arguments.against}: "
            f"first {wins / arguments.games:.1%} of {arguments.games} games, places {counts}, ended {dict(ended)}, "
            f"{moves / arguments.games:.0f} moves a game, {1e6 * seconds / moves:.0f} us a move"
        )


if __name__ == "__main__":
    main()
