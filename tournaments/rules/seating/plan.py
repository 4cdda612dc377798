"""Planning all rounds that are left at once, so that everybody meets everybody as evenly as can be (SE4)."""

from collections.abc import Iterator, Sequence

from tournaments.rules.lots import Numbers, drawn
from tournaments.rules.seating.anneal import Met, Rounds, annealed, met_with, q_of
from tournaments.rules.seating.bound import Sitting, lower_bound
from tournaments.rules.seating.designs import designs
from tournaments.rules.seating.meetings import Meetings, Tables
from tournaments.rules.seating.refit import refitted


def planned(
    meetings: Meetings, sittings: Sequence[Sitting], seed: str, *, start: Sequence[Tables] = (), steps: int
) -> list[Tables]:
    """Tables for all these rounds: the best of `start`, the designs and so many steps of annealing.

    `start` is an older plan for the first of these rounds, for other entrants maybe.
    """
    everybody = sorted({entrant for sitting in sittings for entrant in sitting.entrants})
    entrants = drawn(seed, "plan", sittings[0].round, everybody)
    position = {entrant: at for at, entrant in enumerate(entrants)}
    met = [[row.get(at, 0) for at in range(len(entrants))] for row in meetings.among(entrants)]
    seated = [[position[entrant] for entrant in entrants if entrant in set(sitting.entrants)] for sitting in sittings]
    sizes = [sitting.sizes for sitting in sittings]
    known = [[[position[entrant] for entrant in table if entrant in position] for table in tables] for tables in start]
    target = lower_bound(meetings, sittings) - meetings.q + q_of(met)

    best: Rounds = []
    least = -1
    for rounds in _starts(known, sizes, met):
        fitted = _fitted(rounds, seated, sizes, met)
        q = q_of(met_with(met, fitted))
        if least < 0 or q < least:
            best, least = fitted, q
        if least <= target:
            break
    numbers = Numbers(seed, "annealing", sittings[0].round)
    for share, warmth in ((0.25, 0.03), (0.75, 0.25)):
        if least > target:
            rounds = annealed(best, met, numbers, steps=int(steps * share), warmth=warmth, target=target)
            q = q_of(met_with(met, rounds))
            if q < least:
                best, least = rounds, q
    return [[[entrants[at] for at in table] for table in tables] for tables in best]


def _starts(known: Rounds, sizes: Sequence[Sequence[int]], met: Met) -> Iterator[Rounds]:
    yield known
    if not any(map(any, met)):
        for design in designs(sizes[0][0], len(met)):
            yield [design[at % len(design)] for at in range(len(sizes))]


def _fitted(rounds: Rounds, seated: list[list[int]], sizes: Sequence[Sequence[int]], met: Met) -> Rounds:
    fitted: Rounds = []
    for at, (entrants, wished) in enumerate(zip(seated, sizes, strict=True)):
        tables = refitted(rounds[at] if at < len(rounds) else [], entrants, wished, met)
        met = met_with(met, [tables])
        fitted.append(tables)
    return fitted
