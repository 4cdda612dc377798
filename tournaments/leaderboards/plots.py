"""The plot of a player's rating as points for an SVG; the template draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.leaderboards.models import Point
from tournaments.leaderboards.tally import Rating

WIDTH, HEIGHT = 720, 240
LEFT, RIGHT, TOP, BOTTOM = 8, 672, 10, 210
# More points than pixels would not be seen.
MOST_POINTS = 600
STEPS = (25, 50, 100, 200, 500)


@dataclass(frozen=True, slots=True)
class GridLine:
    y: float
    text: int

    @property
    def text_y(self) -> float:
        return self.y + 4


@dataclass(frozen=True, slots=True)
class Plot:
    grid: list[GridLine]
    line: str
    band: str
    last: tuple[float, float]
    first_date: datetime
    last_date: datetime
    label: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    label_x: int = RIGHT + 10
    dates_y: int = HEIGHT - 8


def plot_of(points: Sequence[Point]) -> Plot | None:
    """The plot of a history, oldest first; None for fewer than two points."""
    if len(points) < 2:
        return None
    every = -(-len(points) // MOST_POINTS)
    shown = [*points[:-1:every], points[-1]]
    ratings = [Rating(point.mu, point.sigma) for point in shown]
    low = min(one.shown - one.deviation for one in ratings)
    high = max(one.shown + one.deviation for one in ratings)
    step = next((step for step in STEPS if (high - low) / step <= 6), STEPS[-1])
    low, high = low // step * step, -(-high // step) * step

    def x(index: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * index / (len(shown) - 1), 1)

    def y(rating: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - low) / (high - low), 1)

    upper = [f"{x(index)},{y(one.shown + one.deviation)}" for index, one in enumerate(ratings)]
    lower = [f"{x(index)},{y(one.shown - one.deviation)}" for index, one in enumerate(ratings)]
    return Plot(
        grid=[GridLine(y(rating), rating) for rating in range(low, high + 1, step)],
        line=" ".join(f"{x(index)},{y(one.shown)}" for index, one in enumerate(ratings)),
        band=" ".join([*upper, *reversed(lower)]),
        last=(x(len(shown) - 1), y(ratings[-1].shown)),
        first_date=points[0].at,
        last_date=points[-1].at,
        label=f"Rating from {ratings[0].shown} to {ratings[-1].shown} over {len(points)} games",
    )
