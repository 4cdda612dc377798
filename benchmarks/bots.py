"""How good the bots are, and how long their hardest decisions take.

    python benchmarks/bots.py [--games N] [--seats N] [--level steady] [--against random] [GAME ...]
    python benchmarks/bots.py --hardest N [GAME ...]

The first form plays whole games of one bot of a level against bots of another. The one changes seats from game to game.
If the levels were equally good it would win one game in `--seats`; a first place shared by two counts as half a win.
After the share of wins comes its standard error.

The second form times single decisions of a steady bot in N hard positions of each game, in CPU time: hands of up to
200 cards, and in Three Thirteen hands with many wild cards and copies.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from games.bots import BOTS, choose
from games.rules import GAMES
from tests.games.bots.positions import big_hand, rich_hand

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


def time_hardest(game: str, count: int) -> None:
    """Print how long decisions in hard positions take."""
    hard = big_hand if GAMES[game].family == "shedding" else lambda _, chance: rich_hand(chance)
    taken = []
    for number in range(count):
        view, legal = hard(game, Random(number))
        began = process_time()
        choose("steady", view, legal, number)
        taken.append(1e3 * (process_time() - began))
    taken.sort()
    print(f"{game:15} {count} hard positions: median {taken[count // 2]:.1f} ms, longest {taken[-1]:.1f} ms")


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help=f"of {', '.join(GAMES)}; all by default")
    parser.add_argument("--games", type=int, default=400, help="how many of each")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--level", choices=BOTS, default="steady")
    parser.add_argument("--against", choices=BOTS, default="random")
    parser.add_argument("--hardest", type=int, metavar="N", help="time the hardest decisions instead")
    arguments = parser.parse_args()
    for name in arguments.game or GAMES:
        if arguments.hardest:
            time_hardest(name, arguments.hardest)
            continue
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
        share = wins / arguments.games
        error = (share * (1 - share) / arguments.games) ** 0.5
        counts = " ".join(f"{place}:{places[place]}" for place in range(1, arguments.seats + 1))
        print(
            f"{name:15} {arguments.level} against {arguments.seats - 1} x {arguments.against}: "
            f"first {share:.1%} +- {error:.1%} of {arguments.games} games, places {counts}, ended {dict(ended)}, "
            f"{moves / arguments.games:.0f} moves a game, {1e6 * seconds / moves:.0f} us a move"
        )


if __name__ == "__main__":
    main()
