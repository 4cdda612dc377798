"""How often a steady bot comes first against three random ones, beside its goal.

    python -m benchmarks.bots [--games 400] [GAME ...]

The games are those of `games.lab`, with the default options; the steady bot moves on by a seat from game to game. A
first place shared by two counts as half a win, so an equal would win one game in four. After the share comes the
interval that holds the true share in 95 of 100 cases (Wilson). Exit status 1 if that of a game lies below its goal.
"""

import argparse
import sys
from collections import Counter
from fractions import Fraction
from time import process_time

from games.lab.estimates import share
from games.lab.playing import Lot, Side, play
from games.rules import GAMES

LEVELS = ("steady", "random", "random", "random")
GOALS = {"three_card": 0.8, "tripp_jokes": 0.85, "threes": 0.83, "castle": 0.72, "three_thirteen": 0.95}


def is_good_enough(game: str, games: int) -> bool:
    """Play so many games and print a line; returns whether the goal is reached."""
    rules, began, moves, wins = GAMES[game], process_time(), 0, list[Fraction]()
    side = Side(game, len(LEVELS), *rules.complete_options(len(LEVELS), None, {}))
    for number in range(games):
        deal, steps = play(side, Lot("1", number, LEVELS))
        state = deal.state
        for step in steps:
            state, moves = step.after, moves + 1
        result = rules.result(state)
        assert result is not None
        places = {row["seat"]: row["place"] for row in result["placements"]}
        steady = places[Lot("1", number, LEVELS).levels.index("steady")]
        wins.append(Fraction(steady == 1, Counter(places.values())[1]))
    found = share(wins)
    low, high = found.low or 0, 1 if found.high is None else found.high
    print(
        f"{game:15} first in {found.value:.1%} ({low:.1%} to {high:.1%}; goal {GOALS[game]:.0%}) of {games} games, "
        f"{1e6 * (process_time() - began) / moves:.0f} us a move",
        flush=True,
    )
    return high >= GOALS[game]


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help=f"of {', '.join(GAMES)}; all by default")
    parser.add_argument("--games", type=int, default=400, help="how many of each")
    wanted = parser.parse_args()
    if unknown := set(wanted.game) - set(GAMES):
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    good = [is_good_enough(game, wanted.games) for game in wanted.game or GAMES]
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
