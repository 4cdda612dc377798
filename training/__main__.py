"""Make networks, check the simulator, measure networks and a plan: `python -m training --help`."""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

from games.bots.shedding.network import FILES, stored_in
from training.checking import check_game
from training.library import GAMES, Learner
from training.making import KEEPING, TURN, figures, make, save
from training.planning import KEPT, Rule, planner_share
from training.storing import fill, rounded

GAMES_TO_LEARN = 300_000


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="make the networks of a game")
    making.add_argument("game", choices=GAMES)
    making.add_argument("--games", type=int, default=GAMES_TO_LEARN, help="games to learn from")
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--keeping", type=float, default=KEEPING, help="lambda of TD(lambda)")
    making.add_argument("--turn", type=float, default=TURN, help="what each turn leaves of a win against random bots")
    making.add_argument("--to", type=Path, default=FILES, help="the folder to write to; by default the bot's own")
    checking = commands.add_parser("check", help="compare the simulator with the rules, and with the bot")
    checking.add_argument("--moves", type=int, default=100_000, help="how many moves, over all games")
    checking.add_argument("--seed", type=int, default=1)
    measuring = commands.add_parser("measure", help="play games of the bot's networks in the simulator")
    measuring.add_argument("game", choices=GAMES)
    measuring.add_argument("--games", type=int, default=20_000)
    planning = commands.add_parser("plan", help="play a planner against its twin who looks at each turn")
    planning.add_argument("game", choices=GAMES)
    planning.add_argument("--games", type=int, default=2_000)
    planning.add_argument("--keep", nargs="+", default=KEPT, metavar="RANK", help="the ranks that the plan keeps")
    planning.add_argument("--always", action="store_true", help="the plan plays once the stock is out, too")
    arguments = parser.parse_args()
    if arguments.command == "make":
        settings = {"keeping": arguments.keeping, "turn": arguments.turn}
        made = make(arguments.game, arguments.games, arguments.seed, lambda line: print(line, flush=True), **settings)
        print(save(arguments.game, *made, arguments.to))
    elif arguments.command == "check":
        print(dict(check(arguments.moves, arguments.seed)))
    elif arguments.command == "plan":
        rule = Rule(arguments.keep, arguments.always)
        share = planner_share(arguments.game, learner_of(arguments.game), arguments.games, rule)
        error = (share * (1 - share) / arguments.games) ** 0.5
        print(f"{arguments.game}: the planner wins {share:.1%} +- {error:.1%} of {arguments.games} games")
    else:
        print(figures(arguments.game, learner_of(arguments.game), arguments.games))


def learner_of(game: str) -> Learner:
    """Return a learner with the networks of the bot. Ends the program if it has none."""
    path = FILES / f"{game}.json"
    if not path.exists():
        sys.exit(f"{game} has no networks.")
    learner = Learner(0)
    fill(learner, stored_in(path))
    return learner


def check(moves: int, seed: int) -> Counter[str]:
    """Compare so many moves of games of all kinds, and ratings by chance networks in some. Raises DiffersError."""
    compared: Counter[str] = Counter()
    learner = Learner(seed)
    rated_by = rounded(learner)
    number = 0
    while compared["moves"] < moves:
        game, chance = GAMES[number % len(GAMES)], Random(f"{seed} {number}")
        compared += check_game(game, chance, *((learner, rated_by) if number % 40 < len(GAMES) else ()))
        number += 1
    return compared


if __name__ == "__main__":
    main()
