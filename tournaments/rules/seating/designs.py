"""Designs: seatings in which everybody meets everybody as evenly as can be, as data (SE4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Tables = list[list[int]]


@dataclass(frozen=True, slots=True)
class Design:
    """Rounds made from base rounds by adding 0, 1, 2, ... modulo `modulus` to the numbers of all points.

    Points are orbits of numbers (a0, a1, ..., b0, ...) and such as stay as they are (X, Y, Z). A base `(r, tables)`
    makes r rounds. Its tables and those that come from them by adding r, 2r, ... are its first round.
    """

    size: int
    modulus: int
    bases: tuple[tuple[int, str], ...]

    @property
    def entrants(self) -> int:
        """How many it seats."""
        return sum(map(len, self.rounds[0]))

    @property
    def rounds(self) -> list[Tables]:
        """Its rounds, of entrants numbered from 0."""
        return _developed(self)


@cache
def _developed(design: Design) -> list[Tables]:
    rounds = [
        {
            frozenset(_moved(point, first + more, design.modulus) for point in table.split())
            for more in range(0, design.modulus, count)
            for table in tables.split("|")
        }
        for count, tables in design.bases
        for first in range(count)
    ]
    points = sorted({point for table in rounds[0] for point in table})
    return [[sorted(map(points.index, table)) for table in sorted(map(sorted, tables))] for tables in rounds]


def _moved(point: str, by: int, modulus: int) -> str:
    orbit, number = point[0], point[1:]
    return f"{orbit}{(int(number) + by) % modulus:02}" if number else point


def lattice(size: int, prime: int) -> list[Tables]:
    """Rounds of `size` times `prime` entrants in which nobody meets anybody twice (`prime` is one, not below `size`).

    Seats are the points of `size` columns of `prime` each; the tables of a round are the lines of one slope. When there
    are as many columns as points in one, the columns are a round too, and everybody meets everybody (an affine plane).
    """
    rounds = [
        [[column * prime + (start + slope * column) % prime for column in range(size)] for start in range(prime)]
        for slope in range(prime)
    ]
    if size == prime:
        rounds.append([list(range(column * prime, (column + 1) * prime)) for column in range(size)])
    return rounds


def round_robin(entrants: int) -> list[Tables]:
    """Pairs in which everybody meets everybody once; an even number of entrants (the circle method)."""
    turning = entrants - 1
    return [
        [[turning, first], *([(first + by) % turning, (first - by) % turning] for by in range(1, entrants // 2))]
        for first in range(turning)
    ]


DESIGNS = (
    Design(4, 7, ((7, "X a0 a1 a3 | a2 a4 a5 a6"),)),
    Design(4, 3, ((3, "a0 a1 c1 c2 | a2 b1 d0 d2 | b0 b2 c0 d1"), (3, "a0 b0 b1 c0 | a1 a2 b2 d2 | c1 c2 d0 d1"))),
    Design(4, 11, ((11, "X a0 a1 a3 | a2 a6 a7 a9 | a4 a5 a8 a10"),)),
    Design(4, 5, ((5, "X a0 b0 c4 | a1 a4 b2 b3 | a2 a3 c0 c3 | b1 b4 c1 c2"),)),
    Design(4, 5, ((5, "a0 b2 d2 d4 | a1 a4 b4 c0 | a2 b1 c4 d0 | a3 c1 c3 d3 | b0 b3 c2 d1"),)),
    Design(
        4,
        1,
        (
            (1, "a c m o | b f p r | d k l t | e g h s | i j n q"),
            (1, "a d g i | b c e n | f h k o | j l p s | m q r t"),
            (1, "a b f n | c e l q | d o r s | g j k m | h i p t"),
            (1, "a n s t | b h l m | c i k r | d e f j | g o p q"),
            (1, "a f l q | b d g i | c j p s | e m r t | h k n o"),
            (1, "a h j r | b k q s | c f g t | d m n p | e i l o"),
            (1, "a e k p | b j o t | c d h q | f i m s | g l n r"),
        ),
    ),
    Design(4, 7, ((7, "X a1 b1 c2 | Y a5 b3 c0 | Z a4 b5 c1 | a0 a2 a6 c5 | a3 b0 b2 b6 | b4 c3 c4 c6"),)),
    Design(
        4, 9, ((9, "X a6 b4 c5 | a0 a3 a7 c1 | a1 a2 b5 c7 | a4 b0 c4 c6 | a5 b2 b6 c0 | a8 b1 b7 b8 | b3 c2 c3 c8"),)
    ),
    Design(
        4,
        8,
        (
            (4, "d0 c3 b3 d1 | b1 a0 c5 a5 | d2 b2 b0 a3 | c0 c2 d3 a6"),
            (4, "d4 a2 b0 b5 | c2 c3 a4 d2 | c0 a5 b7 a7 | d1 b6 c5 d7"),
            (2, "b5 b6 c0 c3 | d7 a7 d2 a6"),
        ),
    ),
)


def designs(size: int, entrants: int) -> Iterator[list[Tables]]:
    """Designs at tables of that size for about so many entrants."""
    for design in DESIGNS:
        if design.size == size and abs(design.entrants - entrants) <= size:
            yield design.rounds
    for prime in (3, 5, 7, 11, 13):
        if prime >= size and abs(size * prime - entrants) <= size:
            yield lattice(size, prime)
