"""Annealing: exchanges that lower Q, and fewer and fewer that raise it, over all rounds of a plan at once (SE4)."""

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

from tournaments.rules.lots import Numbers
from tournaments.rules.seating.meetings import dealt

Rounds: TypeAlias = list[list[list[int]]]
"""The tables of each round, of entrants numbered from 0."""

Met: TypeAlias = list[list[int]]
"""m for each two entrants."""

PHASES = 16
_ONE = 1 << 16
_DEAREST = 64


def met_with(met: Met, rounds: Rounds) -> Met:
    """Return m after these rounds."""
    met = [list(row) for row in met]
    for tables in rounds:
        for table in tables:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
    return met


def q_of(met: Met) -> int:
    """The sum of m(m - 1)/2 over all pairs."""
    return sum(m * (m - 1) for row in met for m in row) // 4


def annealed(rounds: Rounds, met: Met, numbers: Numbers, *, steps: int, warmth: float, target: int) -> Rounds:
    """The best rounds found in `steps` exchanges of two entrants within a round (Kirkpatrick, Gelatt and Vecchi, 1983).

    `met` is m before these rounds. One that raises Q by d is made with the chance p to the power of d; p is `warmth` at
    first and falls by three eighths a phase, compared as integers so that every machine decides alike. Ends early at
    `target`.
    """
    order = [[entrant for table in tables for entrant in table] for tables in rounds]
    spans = [_spans(tables) for tables in rounds]
    met = met_with(met, rounds)
    q = least = q_of(met)
    best = [list(seats) for seats in order]
    chance = int(warmth * _ONE)
    for _ in range(PHASES if least > target else 0):
        chances = [_ONE * chance**rise // _ONE**rise for rise in range(_DEAREST)]
        for number in numbers.block(steps // PHASES):
            at = (number & 0xFFFF) * len(order) >> 16
            seats = order[at]
            i = (number >> 16 & 0xFFFF) * len(seats) >> 16
            j = (number >> 32 & 0xFFFF) * len(seats) >> 16
            span = spans[at][i]
            if span is spans[at][j]:
                continue
            one, other = seats[i], seats[j]
            met_one, met_other = met[one], met[other]
            here, there = seats[span], seats[spans[at][j]]
            rise = len(here) + len(there) - 2 - 2 * met_one[other]
            for entrant in here:
                rise += met_other[entrant] - met_one[entrant]
            for entrant in there:
                rise += met_one[entrant] - met_other[entrant]
            if rise > 0 and (rise >= _DEAREST or number >> 48 >= chances[rise]):
                continue
            _replace(met, one, other, here)
            _replace(met, other, one, there)
            seats[i], seats[j] = other, one
            q += rise
            if q < least:
                least, best = q, [list(seats) for seats in order]
                if q <= target:
                    break
        if least <= target:
            break
        chance = chance * 5 // 8
    return [dealt(seats, map(len, tables)) for seats, tables in zip(best, rounds, strict=True)]


def _spans(tables: Sequence[Sequence[int]]) -> list[slice]:
    """For each seat of a round the seats of its table."""
    spans = []
    start = 0
    for table in tables:
        spans += [slice(start, start + len(table))] * len(table)
        start += len(table)
    return spans


def _replace(met: Met, leaving: int, coming: int, table: Sequence[int]) -> None:
    """Counts that `coming` sits at the table in place of `leaving`."""
    met_leaving, met_coming = met[leaving], met[coming]
    for entrant in table:
        if entrant != leaving:
            met_leaving[entrant] -= 1
            met_coming[entrant] += 1
            met[entrant][leaving] -= 1
            met[entrant][coming] += 1
