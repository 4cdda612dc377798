"""How fast hands are laid out (TT7): `python benchmarks/lay_out.py [--hands N] [--seconds N]`, from the root.

Rates are over different hands, dealt at random from one to three decks, and in CPU seconds, so that what else the
machine does counts little. The plain memoised search beside it lays out the same hands, and must find the same.
The slowest hand is looked for among dealt hands of 14 and by changing hands so that they take longer: many wild
cards, copies, neighbours. A hand's time is the best of three, from an empty table of runs and from a full one.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.rules.cards import PLAIN_DECK, SUITS
from games.rules.three_thirteen import discards_to_go_out, lay_out
from games.rules.three_thirteen.lay_out.hands import read_hand

RUN_ORDER = "A23456789TJQK"
HandOf = tuple[list[str], str]


def dealt(chance: random.Random, size: int, wild: str) -> HandOf:
    """A hand dealt from one to three decks."""
    return chance.sample(PLAIN_DECK * chance.randint(1, 3), size), wild


def plain_search(cards: list[str], wild: str) -> int:
    """The least penalty by a plain memoised search: the first card is left over, or in each set or run with it."""

    def points(place: int) -> int:
        return 15 if place == 0 else min(place + 1, 10)

    naturals = sorted((card[1], RUN_ORDER.index(card[0])) for card in cards if card[0] != wild)
    wilds = len(cards) - len(naturals)

    @cache
    def least(rest: tuple[tuple[str, int], ...], wilds: int) -> int:
        if not rest:
            return 0
        first, others = rest[0], rest[1:]
        suit, place = first
        best = points(place) + least(others, wilds)
        same = [number for number, card in enumerate(others) if card[1] == place]
        for size in range(len(same) + 1):
            blanks = max(0, 2 - size)
            if blanks <= wilds:
                for chosen in combinations(same, size):
                    left = tuple(card for number, card in enumerate(others) if number not in chosen)
                    best = min(best, least(left, wilds - blanks))
        left_of_run, gaps = list(others), 0
        for last in range(place + 1, len(RUN_ORDER)):
            if (suit, last) in left_of_run:
                left_of_run.remove((suit, last))
            else:
                gaps += 1
            blanks = gaps + max(0, 2 - (last - place))
            if blanks <= wilds:
                best = min(best, least(tuple(left_of_run), wilds - blanks))
        return best

    penalty = least(tuple(naturals), wilds)
    nothing_melded = penalty == sum(points(place) for _, place in naturals)
    return penalty + (wilds * points(RUN_ORDER.index(wild)) if nothing_melded and wilds < 3 else 0)


def seconds(function: Callable[[list[str], str], object], hands: Iterable[HandOf]) -> float:
    """CPU seconds for all the hands."""
    start = process_time()
    for cards, wild in hands:
        function(cards, wild)
    return process_time() - start


def rates(chance: random.Random, count: int) -> None:
    """Hands a second for each round and in all; plain search on a tenth of the hands."""
    print(f"hands/s over {count} different hands a round, CPU seconds\n")
    print("round  cards  lay_out  discards_to_go_out  plain search  ratio")
    totals = [0.0, 0.0, 0.0]
    for round_number in range(1, 12):
        size, wild = round_number + 2, RUN_ORDER[round_number + 1]
        hands = [dealt(chance, size, wild) for _ in range(count)]
        drawn = [dealt(chance, size + 1, wild) for _ in range(count)]
        few = hands[: max(1, count // 10)]
        for cards, _ in few:
            if lay_out(cards, wild).penalty != plain_search(cards, wild):
                sys.exit(f"The two searches differ: {' '.join(cards)}, wild {wild}.")
        times = [
            seconds(lay_out, hands) / count,
            seconds(discards_to_go_out, drawn) / count,
            seconds(plain_search, few) / len(few),
        ]
        totals = [total + time for total, time in zip(totals, times, strict=True)]
        row(str(round_number), str(size), times)
    row("all", "", [total / 11 for total in totals])


def row(name: str, size: str, times: list[float]) -> None:
    """One line of the table, from seconds a hand."""
    ours, discards, plain = times
    print(f"{name:>5}  {size:>5}  {1 / ours:>7,.0f}  {1 / discards:>18,.0f}  {1 / plain:>12,.0f}  {plain / ours:>5.1f}")


def slowest(chance: random.Random, limit: float) -> None:
    """Looks for slow hands for so many seconds, and prints the slowest of each kind."""
    print("\nslowest single hand, ms (best of three)")
    for function in (lay_out, discards_to_go_out):
        for empty in (False, True):
            found = (0.0, "")
            end = perf_counter() + limit / 4
            while perf_counter() < end:
                hand = rich(chance) if chance.random() < 0.8 else dealt(chance, 14, chance.choice(RUN_ORDER[2:]))
                time = best_of_three(function, hand, empty)
                for _ in range(100):
                    other = changed(chance, hand)
                    slower = best_of_three(function, other, empty)
                    if slower >= time:
                        hand, time = other, slower
                found = max(found, (time, f"{' '.join(sorted(hand[0]))}, wild {hand[1]}"))
            print(f"{function.__name__:>18}, {'empty' if empty else 'full'} table: {found[0] * 1000:5.2f}  {found[1]}")


def best_of_three(function: Callable[[list[str], str], object], hand: HandOf, empty: bool) -> float:
    """CPU seconds for one hand."""
    times = []
    for _ in range(3):
        if empty:
            read_hand([], "3", 15).table.clear()
        times.append(seconds(function, [hand]))
    return min(times)


def rich(chance: random.Random) -> HandOf:
    """A hand of few ranks and suits with some wild cards."""
    wild = chance.choice(RUN_ORDER[2:])
    first = chance.randint(0, 10)
    ranks = chance.choice([RUN_ORDER[first : first + chance.randint(2, 6)], RUN_ORDER])
    suits = chance.sample(SUITS, chance.randint(1, 4))
    cards = [chance.choice(ranks) + chance.choice(suits) for _ in range(14)]
    wilds = chance.choice([0, 0, 1, 1, 2, 2, 3, 4, 5])
    return [wild + suit for suit in (SUITS * 2)[:wilds]] + cards[wilds:], wild


def changed(chance: random.Random, hand: HandOf) -> HandOf:
    """The hand with a few cards made wild, brought to another suit, or moved to a near rank."""
    cards, wild = list(hand[0]), hand[1]
    for _ in range(chance.randint(1, 3)):
        card = chance.choice(cards)
        rank, suit = card[0], card[1]
        near = RUN_ORDER[min(12, max(0, RUN_ORDER.index(rank) + chance.choice((-2, -1, 1, 2))))]
        cards[chance.randrange(len(cards))] = chance.choice([wild + suit, rank + chance.choice(SUITS), near + suit])
    return cards, wild


def main() -> None:
    """Reads the arguments and prints both parts."""
    parser = argparse.ArgumentParser(description="How fast hands of Three Thirteen are laid out.")
    parser.add_argument("--hands", type=int, default=3000, help="hands a round (default 3000)")
    parser.add_argument("--seconds", type=float, default=40, help="for the search for slow hands (default 40)")
    arguments = parser.parse_args()
    chance = random.Random(313)
    rates(chance, arguments.hands)
    slowest(chance, arguments.seconds)


if __name__ == "__main__":
    main()
