"""The chart of a tournament: the totals of the first in the standings, as they came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

from tournaments.picture.names import Name, shortened
from tournaments.picture.numbers import decimals
from tournaments.rules.counting import average_worth
from tournaments.rules.settings import Settings
from tournaments.selectors import Reckoned

HEIGHT, LEFT, TOP, BOTTOM = 290, 44, 16, 250
# Up to this many steps, the chart is narrow enough for a phone.
FEW_STEPS, NARROW, WIDE, NAMES = 5, 180, 516, 160
MOST_LINES = 6
MOST_STEPS = 24
MOST_LETTERS = 11
# Lines of equal totals run beside each other.
APART = 1.6
APART_NAMES = 18.0


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant's totals: the points of an SVG polyline, and the place of the name, which is the key at first."""

    name: str
    points: str
    total: str
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Totals over time; coordinates in the view box."""

    lines: Sequence[Line]
    rounds: Sequence[tuple[int, float]]
    """The numbers below the chart, and where they stand."""
    grid: Sequence[tuple[str, float]]
    label: str
    caption: str
    right: int
    narrow: bool
    height: int = HEIGHT
    left: int = LEFT
    top: int = TOP
    bottom: int = BOTTOM

    @property
    def width(self) -> int:
        """With room for the names on the right."""
        return self.right + NAMES

    def with_names(self, names: Mapping[str, Name]) -> Chart:
        """The chart with the names of the entrants in the place of their keys; beside the lines they are cut off."""
        said = ", ".join(f"{names[line.name].text} {line.total}" for line in self.lines)
        lines = [replace(line, name=shortened(names[line.name].text, MOST_LETTERS)) for line in self.lines]
        return replace(self, lines=lines, label=f"{self.label} {said}")


def totals_chart(names: Sequence[Name], games: Sequence[Reckoned], settings: Settings) -> Chart | None:
    """The totals of the first in the standings who have played; None before the first game.

    By round, or in a season after every few games. They are those of the counted games, without byes and adjustments.
    """
    steps = _steps(games)
    if len(steps) < 2:
        return None
    played = {key for game in games for key, _, _ in game.shares}
    shown = [name for name in names if name.key in played][:MOST_LINES]
    totals = _totals([name.key for name in shown], steps, settings)
    values = [value for row in totals.values() for value in row if value is not None]
    if not values or max(values) == min(values):
        return None
    low, high = min(values), max(values)
    narrow = len(steps) <= FEW_STEPS
    across = NARROW if narrow else WIDE

    def x(at: int) -> float:
        return round(LEFT + across * at / (len(steps) - 1), 1)

    def y(value: Fraction) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * float((value - low) / (high - low)), 1)

    lines, ends = [], _ends(totals, y)
    for number, name in enumerate(shown):
        row, beside = totals[name.key], (number - (len(shown) - 1) / 2) * APART
        points = " ".join(f"{x(at)},{y(value) + beside:.1f}" for at, value in enumerate(row) if value is not None)
        if row[-1] is not None:
            lines.append(Line(name.key, points, decimals(row[-1]), ends[name.key]))
    every = -(-len(steps) // 12)
    by_round = games[0].round is not None
    counts = (
        [one[-1].round or 0 if one else 0 for one in steps] if by_round else list(accumulate(len(one) for one in steps))
    )
    return Chart(
        lines,
        [(count, x(at)) for at, count in enumerate(counts) if at % every == 0 or at == len(steps) - 1],
        [(decimals(value), y(value)) for value in (low, (low + high) / 2, high)],
        f"Totals by {'round' if by_round else 'games played'}. At the end:",
        f"Totals of the counted games, {'after each round' if by_round else 'as the season went on'}.",
        LEFT + across,
        narrow,
    )


def _steps(games: Sequence[Reckoned]) -> list[list[Reckoned]]:
    """Return an empty first step, then the games of each round, or of each part of a season."""
    rounds = sorted({game.round for game in games if game.round is not None})
    if rounds:
        return [[], *([game for game in games if game.round == number] for number in rounds)]
    each = max(1, -(-len(games) // MOST_STEPS))
    return [[], *(list(games[at : at + each]) for at in range(0, len(games), each))]


def _totals(
    keys: Sequence[str], steps: Sequence[Sequence[Reckoned]], settings: Settings
) -> dict[str, list[Fraction | None]]:
    """Return the totals of some entrants after each step (PT2); None before an entrant has one."""
    points, played, scored = dict.fromkeys(keys, Fraction()), Counter[str](), Counter[str]()
    found: dict[str, list[Fraction | None]] = {key: [] for key in keys}
    for games in steps:
        for game in games:
            for key, share, _ in game.shares:
                if key in points:
                    points[key] += Fraction(share)
                    played[key] += 1
                    scored[key] += game.scored or 0
        for key in keys:
            found[key].append(_total(points[key], played[key], scored[key], settings))
    return found


def _total(points: Fraction, played: int, scored: int, settings: Settings) -> Fraction | None:
    if settings.less_is_better:
        return points / scored if scored else None
    if settings.total != "mean":
        return points
    count = played + settings.prior
    return (points + settings.prior * average_worth(settings)) / count if count else None


def _ends(totals: Mapping[str, Sequence[Fraction | None]], y: Callable[[Fraction], float]) -> dict[str, float]:
    """Return where the names stand beside the ends of their lines, none over another or below the chart."""
    ended = sorted((y(row[-1]), key) for key, row in totals.items() if row[-1] is not None)
    places, lowest = {}, TOP - APART_NAMES
    for at, key in ended:
        lowest = places[key] = max(at, lowest + APART_NAMES)
    highest = BOTTOM + APART_NAMES
    for _, key in reversed(ended):
        highest = places[key] = min(places[key], highest - APART_NAMES)
    return {key: at + 4 for key, at in places.items()}
