"""Designs: seatings in which everyone meets everyone as evenly as possible, as data (SE4)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Tables = list[list[int]]

PRIMES = (3, 5, 7, 11, 13)

CHARTS = """
8 x 7 at 4, modulo 7
7: X a0 a1 a3 | a2 a4 a5 a6

12 x 6 at 4, modulo 3
3: a0 a1 c1 c2 | a2 b1 d0 d2 | b0 b2 c0 d1
3: a0 b0 b1 c0 | a1 a2 b2 d2 | c1 c2 d0 d1

12 x 11 at 4, modulo 11
11: X a0 a1 a3 | a2 a6 a7 a9 | a4 a5 a8 a10

16 x 5 at 4, modulo 5
5: X a0 b0 c4 | a1 a4 b2 b3 | a2 a3 c0 c3 | b1 b4 c1 c2

20 x 5 at 4, modulo 5
5: a0 b2 d2 d4 | a1 a4 b4 c0 | a2 b1 c4 d0 | a3 c1 c3 d3 | b0 b3 c2 d1

20 x 7 at 4, modulo 1
1: a c m o | b f p r | d k l t | e g h s | i j n q
1: a d g i | b c e n | f h k o | j l p s | m q r t
1: a b f n | c e l q | d o r s | g j k m | h i p t
1: a n s t | b h l m | c i k r | d e f j | g o p q
1: a f l q | b d g i | c j p s | e m r t | h k n o
1: a h j r | b k q s | c f g t | d m n p | e i l o
1: a e k p | b j o t | c d h q | f i m s | g l n r

24 x 7 at 4, modulo 7
7: X a1 b1 c2 | Y a5 b3 c0 | Z a4 b5 c1 | a0 a2 a6 c5 | a3 b0 b2 b6 | b4 c3 c4 c6

28 x 9 at 4, modulo 9
9: X a6 b4 c5 | a0 a3 a7 c1 | a1 a2 b5 c7 | a4 b0 c4 c6 | a5 b2 b6 c0 | a8 b1 b7 b8 | b3 c2 c3 c8

32 x 10 at 4, modulo 8
4: a0 a5 b1 c5 | a3 b0 b2 d2 | a6 c0 c2 d3 | b3 c3 d0 d1
4: a2 b0 b5 d4 | a4 c2 c3 d2 | a5 a7 b7 c0 | b6 c5 d1 d7
2: a6 a7 d2 d7 | b5 b6 c0 c3

36 x 11 at 4, modulo 9
9: a0 c5 c8 d5 | a1 b8 c3 c4 | a2 b1 d6 d8 | a3 a8 d1 d2 | a4 a5 a7 b0 | a6 b3 c1 c6 | b2 b4 b7 d4
   | b5 b6 c7 d0 | c0 c2 d3 d7
1: a8 b8 c5 d0
1: a1 b2 c2 d1

15 x 7 at 3, modulo 7
7: X a0 b0 | a1 a6 b5 | a2 a5 b3 | a3 a4 b6 | b1 b2 b4

18 x 8 at 3, modulo 3
3: a0 a2 f2 | a1 b0 b2 | b1 d0 f0 | c0 c2 f1 | c1 e1 e2 | d1 d2 e0
3: a0 c2 e1 | a1 b1 e0 | a2 c0 d0 | b0 c1 f1 | b2 d2 e2 | d1 f0 f2
1: a0 e0 f1 | b1 c1 d2
1: a0 c0 d2 | b0 e1 f0

21 x 10 at 3, modulo 7
7: a0 b4 c5 | a1 a3 a4 | a2 b3 c6 | a5 b5 c4 | a6 b1 c1 | b0 b2 b6 | c0 c2 c3
1: a4 b3 c5
1: a4 b0 c4
1: a2 b0 c5

24 x 11 at 3, modulo 11
11: X a3 b3 | Y a1 b4 | a0 a8 b1 | a2 a4 b10 | a5 a9 a10 | a6 b0 b8 | a7 b5 b6 | b2 b7 b9

27 x 13 at 3, modulo 13
13: X a9 b0 | a0 b2 b10 | a1 a12 b6 | a2 a8 b3 | a3 b1 b12 | a4 a7 b7 | a5 b4 b11 | a6 a10 a11 | b5 b8 b9

30 x 14 at 3, modulo 14
14: X a7 b6 | Y a9 b7 | a0 a5 a8 | a1 a3 b5 | a2 a6 b2 | a4 b1 b11 | a10 b4 b13 | a11 a12 b3 | a13 b0 b8
   | b9 b10 b12
"""
"""Each design is a few base rounds, found by `python -m tests.tournaments.rules.finding_designs`.

Points are numbers modulo the modulus, of kinds (a, b, ...), and points that stay fixed (X, Y, Z). Adding 1, 2, ... to
all numbers of a base makes as many rounds as the number before it says; adding that number again and again gives the
rest of the tables of a base that has fewer rounds than the modulus.
"""


@dataclass(frozen=True, slots=True)
class Design:
    size: int
    entrants: int
    rounds: list[Tables]
    """The tables of each round, of entrants numbered from 0."""


@cache
def charts() -> list[Design]:
    return [read_chart(chart) for chart in CHARTS.strip().split("\n\n")]


def near(size: int, entrants: int) -> Iterator[Design]:
    """Designs at tables of that size for that number of entrants, give or take a table."""
    lattices = (lattice(size, prime) for prime in PRIMES if prime >= size)
    for design in (*charts(), *lattices):
        if design.size == size and abs(design.entrants - entrants) <= size:
            yield design


def lattice(size: int, prime: int) -> Design:
    """For `size` times `prime` entrants, of whom nobody meets twice: lines of each slope over `size` columns of points.

    With as many columns as points in a column these are a round, too, and everybody meets everybody (an affine plane).
    """
    rounds = [
        [[column * prime + (start + slope * column) % prime for column in range(size)] for start in range(prime)]
        for slope in range(prime)
    ]
    if size == prime:
        rounds.append([list(range(start, start + prime)) for start in range(0, size * prime, prime)])
    return Design(size, size * prime, rounds)


def round_robin(entrants: int) -> list[Tables]:
    """Pairs in which everybody meets everybody once: the circle method. Of an odd number, r has the bye in round r."""
    turning = entrants - 1 + entrants % 2
    pairs = range(1, (turning + 1) // 2)
    return [
        [[first, turning]] * (1 - entrants % 2) + [[(first + by) % turning, (first - by) % turning] for by in pairs]
        for first in range(turning)
    ]


def read_chart(chart: str) -> Design:
    """The design that a chart describes, in the form of `CHARTS`."""
    title, text = chart.split("\n", 1)
    entrants, _, size, modulus = map(int, re.findall(r"\d+", title))
    rounds = []
    for base in re.split(r"\n(?=\d)", text):
        count, tables = base.split(":")
        for first in range(int(count)):
            steps = range(first, first + modulus, int(count))
            moved = {
                frozenset(_moved(point, by, modulus) for point in table.split())
                for by in steps
                for table in tables.split("|")
            }
            rounds.append(moved)
    points = sorted(frozenset().union(*rounds[0]))
    return Design(
        size,
        entrants,
        [[sorted(map(points.index, table)) for table in sorted(map(sorted, tables))] for tables in rounds],
    )


def _moved(point: str, by: int, modulus: int) -> str:
    kind, number = point[0], point[1:]
    return f"{kind}{(int(number) + by) % modulus:02}" if number else point
