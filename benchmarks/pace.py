"""How long games last among people who look now and then, and what plans cost in strength.

    python benchmarks/pace.py [--games N] [--seats 4] [--looks 3] [--level steady] [GAME ...]
    python benchmarks/pace.py --strength N [--level steady] [GAME ...]

Both take `--keep RANK ...` and `--always`, which change the plan.

The first form plays whole games of simulated people through the rules, with the real code of plans, and prints a row
for each habit: nobody is told, people are told of their turns and look 1.5 waking hours later, they leave a plan for
one more turn at each look, or for two, with forced moves played. People live in four time zones, wake at 7 and sleep
at 23, and look at random moments of their waking hours. At a look they play all that is theirs to play, as a bot of a
level does (those of `benchmarks/bots.py`). A row has the median days to the end and the ninth decile, hand-overs, and
of the turns that began with a plan how many it played to their end.

The second form plays games of two, one of whom looks at each turn, while the other plays every other turn by a plan
that was left at the look before, if it fits. Were plans no worse than looking, the planner would win half of them.
The interval holds the true share in 95 of 100 cases (Wilson).

The plan is a simple one: while there is a stock, the lowest cards first, all of a rank, 2s and 10s kept; who cannot
play picks up (in Castle, draws where one may choose). Once the stock is out each card counts, so that its player looks,
but in Castle not while the hand has three cards or fewer. With `--always` the plan goes on. With nothing but face-down
cards it says nothing. In Three Thirteen it goes out, takes what helps by 5 points or melds, else draws from the stock,
and discards the best card.
"""

import argparse
import heapq
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bots import wilson
from benchmarks.levels import Chooser, chooser
from games.bots import forced_move
from games.plans import Plan, judge, read_plan
from games.rules import GAMES
from training.planning import KEPT, Rule, plan_of

ZONES = (0.0, 6.0, 12.0, 18.0)
"""Hours by which the clocks of the people are ahead."""
WAKES, SLEEPS = 7.0, 23.0
TOLD = 1.5
"""After so many waking hours does somebody look who is told of a turn."""
MOST_DAYS = 2000.0

RUMMY = {
    "lines": [
        {"move": {"move": "go_out"}},
        {"move": {"move": "draw", "from": "discard"}, "when": {"top_helps": 5}},
        {"move": {"move": "draw", "from": "discard"}, "when": {"top_melds": True}},
        {"move": {"move": "draw", "from": "stock"}},
        {"move": {"move": "draw", "from": "discard"}},
        {"move": {"move": "discard", "choose": "best"}},
    ]
}


def plan_for(game: str, rule: Rule) -> dict[str, Any]:
    """The plan that people leave."""
    return RUMMY if game == "three_thirteen" else plan_of(game, rule)


@dataclass(frozen=True)
class Habit:
    """What people do between their looks."""

    name: str
    told: bool = False
    turns: int = 0
    """For how many turns a look leaves a plan; 0: no plan."""
    forced: bool = False


HABITS = (
    Habit("not told"),
    Habit("told", told=True),
    Habit("told, plan for 1 turn", told=True, turns=1),
    Habit("told, plan for 2 turns, forced moves", told=True, turns=2, forced=True),
)


@dataclass
class Table:
    """A game with the plans that its seats have left."""

    game: str
    seats: int
    seed: str
    people: Chooser
    rule: Rule
    plans: dict[int, int] = field(default_factory=dict)
    """By seat: how many more turns its plan is for."""
    done: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rules, self.chance = GAMES[self.game], Random(self.seed)
        self.plan: Plan = read_plan(self.rules, plan_for(self.game, self.rule))
        dealer = self.chance.randrange(self.seats)
        self.state, dealt = self.rules.deal(self.seats, None, {}, dealer, self.shuffle)
        self.moves = 0
        self.seen = [self.rules.redact(event, "public") for event in dealt]
        self.by_plan: set[int] = set()

    def shuffle(self, cards: Sequence[str]) -> list[str]:
        """Chance, from the seed."""
        return self.chance.sample(cards, len(cards))

    @property
    def is_over(self) -> bool:
        """Whether the game is."""
        return self.rules.result(self.state) is not None

    def acting(self) -> set[int]:
        """The seats that must act."""
        return set(self.rules.to_act(self.state))

    def apply(self, seat: int, move: dict[str, Any]) -> None:
        """Make a move; count the turns that end and begin by it, and drop plans that are used up."""
        before, rounds = self.acting(), self.rules.rounds_scored(self.state)
        for event in self.rules.decide(self.state, seat, move, self.shuffle):
            self.state = self.rules.evolve(self.state, event)
            self.seen.append(self.rules.redact(event, "public"))
        self.moves += 1
        after = self.acting()
        if self.rules.rounds_scored(self.state) != rounds:
            self.plans.clear()
        for ended in before - after:
            self.done["turns"] += 1
            if ended in self.by_plan:
                self.done["planned to the end"] += 1
                self.by_plan.discard(ended)
            if self.plans.get(ended) == 0:
                del self.plans[ended]
        for begun in after - before:
            if begun in self.plans:
                self.plans[begun] -= 1
                self.done["begun with a plan"] += 1
                self.by_plan.add(begun)

    def look(self, seat: int) -> None:
        """Play by hand whatever is the seat's to play, an interruption too."""
        self.by_plan.discard(seat)
        while not self.is_over and (legal := self.rules.legal_moves(self.state, seat)):
            self.apply(seat, self.chosen(seat, legal))

    def chosen(self, seat: int, legal: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The move that the seat's player makes by hand."""
        view = self.rules.view(self.state, seat)
        move: dict[str, Any] = self.people(self.rules, view, legal, f"{self.seed} {self.moves}", self.seen)
        return move

    def server_moves(self, *, forced: bool) -> None:
        """Make all moves that plans say, and forced ones."""
        while not self.is_over and (step := self._server_move(forced=forced)) is not None:
            self.apply(*step)

    def _server_move(self, *, forced: bool) -> tuple[int, dict[str, Any]] | None:
        for seat in self.plans:
            if (move := judge(self.rules, self.state, seat, self.plan).move) is not None:
                return seat, move
        for seat in self.acting() if forced else ():
            move = forced_move(self.rules.legal_moves(self.state, seat))
            if move is not None and self.rules.is_safe_to_force(self.state, seat, move):
                return seat, move
        return None


def awake(moment: float, zone: float, waking: float) -> float:
    """The moment (hours) so many waking hours later."""
    local = (moment + zone) % 24
    if local < WAKES:
        moment, local = moment + WAKES - local, WAKES
    elif local >= SLEEPS:
        moment, local = moment + 24 - local + WAKES, WAKES
    while waking > SLEEPS - local:
        waking -= SLEEPS - local
        moment, local = moment + SLEEPS - local + 24 - SLEEPS + WAKES, WAKES
    return moment + waking


def looks_of_day(day: int, zone: float, looks: int, chance: Random) -> list[float]:
    """The moments (hours) of a day at which somebody looks unasked."""
    return [24 * day - zone + chance.uniform(WAKES, SLEEPS) for _ in range(looks)]


def days_of(game: str, seed: str, habit: Habit, arguments: argparse.Namespace) -> tuple[float, Table]:
    """Play a game; return the days from its beginning to its end, and the table."""
    seats, looks = arguments.seats, arguments.looks
    table = Table(game, seats, seed, chooser(arguments.level), rule_of(arguments))
    chance = Random(f"{seed} looks")
    order = count()
    queue: list[tuple[float, int, int]] = []
    zones = [ZONES[seat % len(ZONES)] for seat in range(seats)]
    begins = chance.uniform(24, 48)
    day = -1
    waiting: set[int] = set()
    moment = begins
    while not table.is_over:
        if habit.told:
            for seat in table.acting() - waiting:
                heapq.heappush(queue, (awake(moment, zones[seat], TOLD), next(order), seat))
        waiting = table.acting()
        while not queue or queue[0][0] >= 24 * day:
            day += 1
            for seat in range(seats):
                for at in looks_of_day(day + 1, zones[seat], looks, chance):
                    heapq.heappush(queue, (at, next(order), seat))
        at, _, seat = heapq.heappop(queue)
        if at < begins:
            continue
        moment = at
        if moment > 24 * MOST_DAYS:
            raise RuntimeError(f"{game} {seed} does not end")
        table.look(seat)
        if habit.turns and not table.is_over and table.rules.status(table.state) == "playing":
            table.plans[seat] = habit.turns
        table.server_moves(forced=habit.forced)
        # Of who still has to act, only those who had to before know of it.
        waiting &= table.acting()
    return (moment - begins) / 24, table


def planner_wins(game: str, seed: str, planner: int, people: Chooser, rule: Rule) -> float:
    """Play a game of two in which one seat plays every other turn by plan; return its share of the first place."""
    table = Table(game, 2, seed, people, rule)
    while not table.is_over:
        seat = min(table.acting(), key=lambda one: (one != planner, one))
        if seat == planner and seat in table.plans:
            move = judge(table.rules, table.state, seat, table.plan).move
            if move is not None:
                table.apply(seat, move)
                continue
        turn = table.rules.duties(table.state)[seat]
        while not table.is_over and table.rules.duties(table.state).get(seat) == turn:
            legal = table.rules.legal_moves(table.state, seat)
            table.apply(seat, table.chosen(seat, legal))
        if seat == planner and table.rules.status(table.state) == "playing":
            table.plans[seat] = 1
    result = table.rules.result(table.state) or {}
    places: dict[int, int] = {row["seat"]: row["place"] for row in result["placements"]}
    return (places[planner] == 1) / Counter(places.values())[1]


def pace(game: str, arguments: argparse.Namespace) -> None:
    """Print the rows of a game."""
    for habit in (HABITS[number - 1] for number in arguments.habits or range(1, len(HABITS) + 1)):
        began = time.process_time()
        days, done = [], Counter[str]()
        for number in range(arguments.games):
            taken, table = days_of(game, f"{game} {number}", habit, arguments)
            days.append(taken)
            done += table.done
        fits = f", plans fit {done['planned to the end'] / done['begun with a plan']:.0%}" if habit.turns else ""
        spent = time.process_time() - began
        print(
            f"{game:15} {habit.name:37} {median(days):5.1f} days ({quantiles(days, n=10)[-1]:.1f}), "
            f"{done['turns'] / arguments.games:.0f} hand-overs{fits}; {arguments.games} games, {spent:.0f} s",
            flush=True,
        )


def strength(game: str, games: int, level: str, rule: Rule) -> None:
    """Print what share of games of two the planner wins."""
    people = chooser(level)
    wins = sum(planner_wins(game, f"{game} {number // 2}", number % 2, people, rule) for number in range(games))
    low, high = wilson(wins, games)
    print(
        f"{game:15} {level}: the planner wins {wins / games:.1%} ({low:.1%} to {high:.1%}) of {games} games", flush=True
    )


def rule_of(arguments: argparse.Namespace) -> Rule:
    """The rule by which the plan is made."""
    return Rule(arguments.keep, arguments.always)


def main() -> None:
    """Print a row for each game and habit, or a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help=f"of {', '.join(GAMES)}; all by default")
    parser.add_argument("--games", type=int, default=100, help="how many of each")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--looks", type=int, default=3, help="how often a day people look unasked")
    parser.add_argument("--habits", nargs="+", type=int, choices=range(1, 5), help="which rows; all by default")
    parser.add_argument("--level", default="steady", help="how people play: as this level of benchmarks/bots.py")
    parser.add_argument("--strength", type=int, metavar="N", help="play N games of a planner and its twin instead")
    parser.add_argument("--keep", nargs="+", default=KEPT, metavar="RANK", help="the ranks that the plan keeps")
    parser.add_argument("--always", action="store_true", help="the plan plays once the stock is out, too")
    arguments = parser.parse_args()
    for name in arguments.game or GAMES:
        if arguments.strength:
            strength(name, arguments.strength, arguments.level, rule_of(arguments))
        else:
            pace(name, arguments)


if __name__ == "__main__":
    main()
