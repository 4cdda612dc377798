"""The chart of a tournament: the totals of the first in the standings, as they came about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.picture.wording import decimals, shortened
from tournaments.rules.counting import Step

HEIGHT, LEFT, TOP, BOTTOM = 290, 44, 16, 250
# Up to this many steps, the chart is narrow enough for a phone.
FEW_STEPS, NARROW, WIDE, NAMES = 5, 180, 516, 160
MOST_LETTERS = 11
# Lines of equal totals run beside each other.
APART = 1.6
APART_NAMES = 18.0


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant's totals: the points of an SVG polyline, and the place of the name."""

    name: str
    points: str
    total: str
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    lines: Sequence[Line]
    rounds: Sequence[tuple[int, float]]
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
        return self.right + NAMES


def totals_chart(
    leaders: Sequence[str], course: Sequence[Step], names: Mapping[str, str], *, by_round: bool, before: int = 0
) -> Chart | None:
    """The totals of the leaders after each round, or of a season after every few games; None before the first game.

    `names` are those of the entrants; beside the lines they are cut off. Rounds are counted from the one after
    `before`.
    """
    if len(course) < 2:
        return None
    totals = {key: [step.totals[at] for step in course] for at, key in enumerate(leaders)}
    values = [value for row in totals.values() for value in row if value is not None]
    if not values or max(values) == min(values):
        return None
    low, high = min(values), max(values)
    narrow = len(course) <= FEW_STEPS
    across = NARROW if narrow else WIDE

    def x(at: int) -> float:
        return round(LEFT + across * at / (len(course) - 1), 1)

    def y(value: Fraction) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * float((value - low) / (high - low)), 1)

    lines, said, ends = list[Line](), list[str](), _ends(totals, y)
    for number, (key, row) in enumerate(totals.items()):
        beside = (number - (len(totals) - 1) / 2) * APART
        points = " ".join(f"{x(at)},{y(value) + beside:.1f}" for at, value in enumerate(row) if value is not None)
        if row[-1] is not None:
            total = decimals(row[-1])
            lines.append(Line(shortened(names[key], MOST_LETTERS), points, total, ends[key]))
            said.append(f"{names[key]} {total}")
    every = -(-len(course) // 12)
    return Chart(
        lines,
        [
            (max(step.number - before, 0), x(at))
            for at, step in enumerate(course)
            if at % every == 0 or at == len(course) - 1
        ],
        [(decimals(value), y(value)) for value in (low, (low + high) / 2, high)],
        f"Totals by {'round' if by_round else 'games played'}. At the end: {', '.join(said)}",
        f"Totals {'after each round' if by_round else 'as the season went on'}.",
        LEFT + across,
        narrow,
    )


def _ends(totals: Mapping[str, Sequence[Fraction | None]], y: Callable[[Fraction], float]) -> dict[str, float]:
    ended = sorted((y(row[-1]), key) for key, row in totals.items() if row[-1] is not None)
    places, lowest = {}, TOP - APART_NAMES
    for at, key in ended:
        lowest = places[key] = max(at, lowest + APART_NAMES)
    highest = BOTTOM + APART_NAMES
    for _, key in reversed(ended):
        highest = places[key] = min(places[key], highest - APART_NAMES)
    return {key: at + 4 for key, at in places.items()}
