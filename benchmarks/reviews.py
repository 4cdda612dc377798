"""How much the expected places of reviews say (RV2): their squared error, beside that of "all stand equal".

    python -m benchmarks.reviews [--games N] [GAME ...]

Plays games of two, three and four steady bots in turn, as in the service, and reviews them. At each version the error
of a seat in play is how far its expected place is from the one that it got. Printed is its sum of squares as a share
of that of "all equal": over all versions, and over games, in which each game counts as much as another; then both for
each number of seats. Of four hundred games each, the share differs by some hundredths from one half to the other.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.bots import play
from benchmarks.levels import chooser
from games.review import numbered, review
from games.rules import GAMES
from games.rules.game import Event, Game

SEATS = (2, 3, 4)
Errors = tuple[float, float, int]
"""The sums of squares of expected places and of "all equal", and the number of versions."""


def errors(game: str, seats: int, seed: str) -> Errors:
    """Play and review a game; return how far off its expected places are."""
    happened: list[Event] = []
    result, _ = play(game, ["steady"] * seats, seed, {"steady": chooser("steady")}, happened=happened)
    places = {line["seat"]: line["place"] for line in result["placements"]}
    versions = review(GAMES[game], numbered(happened))["places"][:-1]
    in_play = dict(enumerate(_in_play(GAMES[game], happened), start=1))
    expected = equal = 0.0
    for one in versions:
        left = in_play[one["version"]]
        middle = sum(places[seat] for seat in left) / len(left)
        expected += sum((float(one["seats"][seat]) - places[seat]) ** 2 for seat in left)
        equal += sum((middle - places[seat]) ** 2 for seat in left)
    return expected, equal, len(versions)


def _in_play(game: Game, happened: Iterable[Event]) -> Iterator[list[int]]:
    state = None
    for event in happened:
        state = game.evolve(state, event)
        yield [player["seat"] for player in game.view(state, "public")["players"] if player["place"] is None]


def shares(found: Sequence[Errors]) -> str:
    """The errors as shares of those of "all equal": over versions, and over games."""
    expected, equal = (sum(one[at] for one in found) for at in range(2))
    each = [(expected / versions, equal / versions) for expected, equal, versions in found]
    of_games = sum(one for one, _ in each) / sum(other for _, other in each)
    return f"{expected / equal:.3f} / {of_games:.3f}"


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    shedding = [name for name, game in GAMES.items() if game.family == "shedding"]
    parser.add_argument("game", nargs="*", help=f"of {', '.join(shedding)}; all by default")
    parser.add_argument("--games", type=int, default=200, help="how many of each")
    parser.add_argument("--seed", default="reviews")
    arguments = parser.parse_args()
    for name in arguments.game or shedding:
        found: dict[int, list[Errors]] = {seats: [] for seats in SEATS}
        for number in range(arguments.games):
            seats = SEATS[number % len(SEATS)]
            found[seats].append(errors(name, seats, f"{arguments.seed} {name} {number}"))
        by_seats = ", ".join(f"{seats} seats {shares(found[seats])}" for seats in SEATS)
        every = [one for some in found.values() for one in some]
        print(f"{name:15} {shares(every)} of {arguments.games} games by version / by game; {by_seats}", flush=True)


if __name__ == "__main__":
    main()
