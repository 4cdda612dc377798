"""A search for designs like those of `tournaments.rules.seating.designs`.

    python -m tests.tournaments.rules.finding_designs SIZE ENTRANTS MODULUS ROUNDS... [--q Q] [--seed SEED]

ROUNDS are those of each base: `4 32 8 4 4 2` looks for 32 entrants at fours over 4 + 4 + 2 rounds, modulo 8. Prints a
design in which the sum of m(m - 1)/2 is at most Q (default 0). Most take seconds; 28 x 9, 32 x 10 and 20 x 7 (seven
bases of one round, modulo 1) a minute or two; 36 x 11 (9 1 1, modulo 9) may take an hour.

Two pairs that come from each other by adding the same to both points meet equally often. So the search counts such
kinds of pairs and anneals at one temperature: two points of a base exchange their seats, or one moves by a multiple of
its base's rounds; always if that does not raise the sum, else with the chance exp(-rise / (TEMPERATURE * MODULUS)).
"""

import argparse
import math
import random
import string
from itertools import combinations

TEMPERATURE = 0.33
FIXED = "XYZUVW"


class Bases:
    """Base rounds on their way to a design. Points are numbered: orbit by orbit, then those that stay as they are."""

    def __init__(self, size: int, entrants: int, modulus: int, rounds: list[int], seed: int) -> None:
        self.size, self.entrants, self.modulus = size, entrants, modulus
        self.chance = random.Random(seed)
        self.moving = entrants // modulus * modulus
        self.seats: list[int] = []
        self.stride: list[int] = []
        self.of_base: list[range] = []
        for count in rounds:
            points = [orbit + number for orbit in range(0, self.moving, modulus) for number in range(count)]
            points += range(self.moving, entrants) if count == modulus else ()
            self.chance.shuffle(points)
            self.of_base += [range(len(self.seats), len(self.seats) + len(points))] * len(points)
            self.seats += points
            self.stride += [count] * len(points)
        self.kind = self._kinds(entrants)
        self.times = [0] * len(self.pairs)
        self.q = sum(self._count(at, self.seats[at], 1, range(at // size * size, at)) for at in range(len(self.seats)))

    def _kinds(self, entrants: int) -> list[list[int]]:
        kind = [[-1] * entrants for _ in range(entrants)]
        self.pairs: list[int] = []
        """How many pairs each kind has."""
        for one, other in combinations(range(entrants), 2):
            if kind[one][other] < 0:
                alike = {frozenset((self._moved(one, by), self._moved(other, by))) for by in range(self.modulus)}
                for a, b in map(tuple, alike):
                    kind[a][b] = kind[b][a] = len(self.pairs)
                self.pairs.append(len(alike))
        return kind

    def _moved(self, point: int, by: int) -> int:
        return point if point >= self.moving else point - point % self.modulus + (point + by) % self.modulus

    def _q(self, kind: int) -> int:
        m = self.times[kind] * self.modulus // self.pairs[kind]
        return self.pairs[kind] * (m * (m - 1) // 2)

    def _count(self, at: int, point: int, by: int, seats: range) -> int:
        """Counts the pairs of a point on one seat with those on others; returns by how much that changes Q."""
        change = 0
        for seat in seats:
            if seat != at:
                kind = self.kind[point][self.seats[seat]]
                change -= self._q(kind)
                self.times[kind] += by
                change += self._q(kind)
        return change

    def step(self) -> None:
        """Tries one change."""
        chance, one = self.chance, self.chance.randrange(len(self.seats))
        if self.stride[one] < self.modulus and chance.random() < 0.5:
            by = self.stride[one] * chance.randrange(1, self.modulus // self.stride[one])
            self._try({one: self._moved(self.seats[one], by)})
        else:
            other = chance.choice(self.of_base[one])
            if one // self.size != other // self.size:
                self._try({one: self.seats[other], other: self.seats[one]})

    def _try(self, points: dict[int, int]) -> None:
        change = self._replace(points)
        if change > 0 and self.chance.random() >= math.exp(-change / (TEMPERATURE * self.modulus)):
            self._replace(self.before)
        else:
            self.q += change

    def _replace(self, points: dict[int, int]) -> int:
        self.before = {at: self.seats[at] for at in points}
        change = 0
        for at, point in points.items():
            table = range(at // self.size * self.size, at // self.size * self.size + self.size)
            change += self._count(at, self.before[at], -1, table) + self._count(at, point, 1, table)
            self.seats[at] = point
        return change

    def __str__(self) -> str:
        """The design as `CHARTS` has it."""
        names = [
            f"{string.ascii_lowercase[point // self.modulus]}{point % self.modulus}"
            if point < self.moving
            else FIXED[point - self.moving]
            for point in self.seats
        ]
        tables = [" ".join(sorted(names[at : at + self.size])) for at in range(0, len(names), self.size)]
        starts = dict.fromkeys(seats.start // self.size for seats in self.of_base)
        parts = [tables[start:end] for start, end in zip(starts, [*list(starts)[1:], None], strict=True)]
        counts = [self.stride[start * self.size] for start in starts]
        title = f"{self.entrants} x {sum(counts)} at {self.size}, modulo {self.modulus}"
        bases = [f"{count}: {' | '.join(sorted(part))}" for count, part in zip(counts, parts, strict=True)]
        return "\n".join([title, *bases])

    def search(self, q: int) -> int:
        """Tries changes until Q is down to `q`; returns how many."""
        steps = 0
        while self.q > q:
            self.step()
            steps += 1
        return steps


def main() -> None:
    """Prints the first design that it finds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("size", "entrants", "modulus"):
        parser.add_argument(name, type=int)
    parser.add_argument("rounds", type=int, nargs="+")
    parser.add_argument("--q", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    bases = Bases(asked.size, asked.entrants, asked.modulus, asked.rounds, asked.seed)
    print(f"After {bases.search(asked.q)} steps, with Q = {bases.q}:\n\n{bases}")


if __name__ == "__main__":
    main()
