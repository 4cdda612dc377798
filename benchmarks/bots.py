"""How good the bots are, how long games between them last, and how long their hardest decisions take.

    python -m benchmarks.bots [--games N] [--seats N] [--level steady] [--against random] [--play-on] [GAME ...]
    python -m benchmarks.bots --hardest N [GAME ...]

The first form plays whole games of one bot of a level against bots of another. The one changes seats from game to game.
A level is `random`, `steady`, `weights` (steady without its networks), or one of an earlier commit, as
`steady@767e212`. If two levels were equally good the one would win one game in `--seats`; a first place shared by two
counts as half a win. After the share of wins comes its interval, which holds the true share in 95 of 100 cases
(Wilson). Bots settle as soon as they may, as in the service (S14). With `--play-on` they never do, and a game that
stands still goes on to its end or to a stalemate (S13).

The second form times single decisions of a steady bot in N hard positions of each game, in CPU time: hands of up to
200 cards, and in Three Thirteen hands with many wild cards and copies.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmarks.levels import Chooser, chooser
from games.bots import choose
from games.rules import GAMES
from games.rules.game import Event
from tests.games.bots.positions import big_hand, rich_hand

OFTEN = 1.96
"""Standard errors on each side of an interval that holds the true share in 95 of 100 cases."""


def interrupts(level: str) -> float:
    """How often a bot that may interrupt does: the service asks at the bots' own pace, here they are asked at once."""
    return 0.5 if level == "random" else 1.0


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the bounds of Wilson's interval for a share."""
    share, squared = wins / games, OFTEN**2
    middle = (share + squared / (2 * games)) / (1 + squared / games)
    half = OFTEN * sqrt(share * (1 - share) / games + squared / (4 * games**2)) / (1 + squared / games)
    return middle - half, middle + half


def play(
    game: str,
    levels: Sequence[str],
    seed: str,
    bots: dict[str, Chooser],
    *,
    settle: bool = True,
    happened: list[Event] | None = None,
) -> tuple[dict[str, Any], int]:
    """The result of one game between bots of these levels, by seat, and the number of moves it took.

    Its events are added to `happened`.
    """
    rules, chance = GAMES[game], Random(seed)

    def shuffle(cards: Sequence[str]) -> list[str]:
        return chance.sample(cards, len(cards))

    state, dealt = rules.deal(len(levels), None, {}, chance.randrange(len(levels)), shuffle)
    seen = [rules.redact(event, "public") for event in dealt]
    happened = [] if happened is None else happened
    happened += dealt
    moves = 0
    while (result := rules.result(state)) is None:
        interrupting = [seat for seat in rules.may_interrupt(state) if chance.random() < interrupts(levels[seat])]
        seat = chance.choice(interrupting or rules.to_act(state))
        if settle and (settling := rules.may_settle(state)):
            seat, move = settling[0], {"move": "settle"}
        else:
            view, legal = rules.view(state, seat), rules.legal_moves(state, seat)
            move = bots[levels[seat]](rules, view, legal, f"{seed} {moves}", seen)
        for event in rules.decide(state, seat, move, shuffle):
            state = rules.evolve(state, event)
            happened.append(event)
            seen.append(rules.redact(event, "public"))
        moves += 1
    return result, moves


def time_hardest(game: str, count: int) -> None:
    """Print how long decisions in hard positions take."""
    hard = big_hand if GAMES[game].family == "shedding" else lambda _, chance: rich_hand(chance)
    taken = []
    for number in range(count):
        view, legal = hard(game, Random(number))
        began = process_time()
        choose("steady", GAMES[game], view, legal, number)
        taken.append(1e3 * (process_time() - began))
    taken.sort()
    print(f"{game:15} {count} hard positions: median {taken[count // 2]:.1f} ms, longest {taken[-1]:.1f} ms")


def compare(game: str, arguments: argparse.Namespace) -> None:
    """Play the games of one bot against others, and print a line."""
    began, wins = process_time(), 0.0
    bots = {level: chooser(level) for level in (arguments.level, arguments.against)}
    places: Counter[int] = Counter()
    ended: Counter[str] = Counter()
    moves = []
    for number in range(arguments.games):
        levels = [arguments.against] * arguments.seats
        levels[number % arguments.seats] = arguments.level
        result, taken = play(game, levels, f"{game} {number}", bots, settle=not arguments.play_on)
        place = {entry["seat"]: entry["place"] for entry in result["placements"]}
        mine = place[number % arguments.seats]
        places[mine] += 1
        wins += (mine == 1) / Counter(place.values())[1]
        ended[result["ended_by"]] += 1
        moves.append(taken)
    seconds = process_time() - began
    low, high = wilson(wins, arguments.games)
    counts = " ".join(f"{place}:{places[place]}" for place in range(1, arguments.seats + 1))
    print(
        f"{game:15} {arguments.level} against {arguments.seats - 1} x {arguments.against}: "
        f"first {wins / arguments.games:.1%} ({low:.1%} to {high:.1%}) of {arguments.games} games, places {counts}, "
        f"ended {dict(ended)}, {median(moves):.0f} moves a game (longest {max(moves)}), "
        f"{1e6 * seconds / sum(moves):.0f} us a move",
        flush=True,
    )


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help=f"of {', '.join(GAMES)}; all by default")
    parser.add_argument("--games", type=int, default=400, help="how many of each")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--level", default="steady", help="random, steady, weights, or LEVEL@COMMIT")
    parser.add_argument("--against", default="random", help="the level of the others")
    parser.add_argument("--play-on", action="store_true", help="bots never settle (S14)")
    parser.add_argument("--hardest", type=int, metavar="N", help="time the hardest decisions instead")
    arguments = parser.parse_args()
    try:
        for name in arguments.game or GAMES:
            if arguments.hardest:
                time_hardest(name, arguments.hardest)
            else:
                compare(name, arguments)
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
