"""What the pages of a tournament draw: progress, and points by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tournaments.models import TournamentGame

if TYPE_CHECKING:
    from tournaments.picture.picture import Picture

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 290, 40, 560, 12, 250
MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """What a round was for an entrant: `text` for the eye, `said` for a screen reader."""

    text: str
    said: str


@dataclass(frozen=True, slots=True)
class Line:
    """An entrant's points, cumulated: the points of an SVG polyline, and where the name stands."""

    name: str
    points: str
    total: str
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Points by round; coordinates in the view box."""

    lines: Sequence[Line]
    rounds: Sequence[tuple[int, float]]
    highest: str
    label: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM


def progress(picture: Picture) -> dict[str, Any] | None:
    """Rounds x entrants: places taken, games running, byes; in the order of the standings."""
    rounds = list(reversed(picture.rounds))
    if not rounds:
        return None
    cells: dict[tuple[str, int | None], list[Cell]] = {}
    for game in picture.games:
        for key in game.entrants:
            cells.setdefault((key, game.round), []).append(_cell(game, key))
    for one in rounds:
        for name in one.byes:
            cells[name.key, one.number] = [Cell("bye", "bye")]
    names = [row.name for row in picture.rows]
    return {
        "rounds": rounds,
        "rows": [(name.text, [cells.get((name.key, one.number), []) for one in rounds]) for name in names],
    }


def _cell(game: TournamentGame, key: str) -> Cell:
    if game.outcome == "open":
        return Cell("…", "running")
    if game.outcome != "result":
        return Cell("✕", "void")
    row = next((row for row in (game.result or {}).get("players", ()) if row["entrant"] == key), None)
    if row is None or row.get("absent"):
        return Cell("abs", "absent")
    return Cell(str(row["place"]), f"place {row['place']}")


def points_by_round(picture: Picture) -> Chart | None:
    """The chart of cumulated points of counted games, of the first in the standings."""
    at = {str(game.game): game.round or 0 for game in picture.games}
    shares = {
        one.row.name.key: [(at.get(game.id, 0), Fraction(game.points)) for game in one.games] for one in picture.details
    }
    names = {row.name.key: row.name.text for row in picture.rows}
    rounds = len(picture.round_rows)
    if rounds < 1 or not any(shares.values()):
        return None
    shown = list(shares)[:MOST_LINES]
    totals = {
        key: [sum((p for r, p in shares[key] if r <= at), Fraction()) for at in range(rounds + 1)] for key in shown
    }
    highest = max((max(row) for row in totals.values()), default=Fraction()) or Fraction(1)

    def x(at: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * at / rounds, 1)

    def y(value: Fraction) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * float(value / highest), 1)

    ends = sorted(shown, key=lambda key: -totals[key][-1])
    places = {}
    lowest = TOP - 14.0
    for key in ends:
        lowest = max(y(totals[key][-1]), lowest + 14)
        places[key] = lowest
    lines = [
        Line(
            names.get(key, key),
            " ".join(f"{x(at)},{y(value)}" for at, value in enumerate(totals[key])),
            _short(totals[key][-1]),
            places[key] + 4,
        )
        for key in shown
    ]
    said = ", ".join(f"{line.name} {line.total}" for line in lines)
    return Chart(
        lines,
        [(at, x(at)) for at in range(1, rounds + 1)],
        _short(highest),
        f"Points by round. At the end: {said}",
    )


def _short(points: Fraction) -> str:
    return f"{float(points):.2f}".rstrip("0").rstrip(".")
