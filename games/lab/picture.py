"""The picture of a difference (LB10): bars with whiskers, in per cent of the first side."""

from collections.abc import Iterator
from html import escape
from math import ceil
from typing import NamedTuple

from games.lab.estimates import group_of
from games.lab.report import Report, ruled
from games.lab.words import GROUPS, label_of
from games.rules import GAMES

WIDTH, LABELS, MARGIN = 720, 250, 16
ROW, BAR, HEAD, FOOT = 26, 12, 84, 64
LEAST_SCALE = 10
"""The least per cent that the scale reaches on both sides."""
MINUS = "\N{MINUS SIGN}"
MOST_SCALE = 100
"""The most: a bar beyond it is cut, and its number says how far it goes."""


class _Row(NamedTuple):
    label: str
    value: float
    low: float
    high: float
    is_apart: bool


def picture(report: Report) -> str:
    """Return an SVG that shows what differs. The report must be of two sides.

    It takes its text's colour from where it stands, and is black on white by itself.
    """
    rows = list(_rows(report))
    scale = _scale(rows)
    height = HEAD + ROW * len(rows) + FOOT
    middle = LABELS + (WIDTH - LABELS - MARGIN) / 2
    unit = (WIDTH - LABELS - MARGIN - 2 * 56) / 2 / scale
    bottom = HEAD + ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" class="lab-picture"'
        f' font-family="system-ui, sans-serif" font-size="13" fill="currentColor">',
        f"<title>{escape(question(report))}</title>",
        _text(MARGIN, 28, question(report), size=17, weight=600),
        _text(MARGIN, 50, f"Change in per cent of {_rules(report, 0)}, with the interval of 95 %.", opacity=0.75),
        *(_grid(middle + at * unit, bottom, at) for at in (-scale, -scale // 2, 0, scale // 2, scale)),
    ]
    for number, row in enumerate(rows):
        parts += _bar(row, HEAD + ROW * number + ROW / 2, middle, unit, scale)
    parts += [
        _text(MARGIN, bottom + 38, f"{report.heading}. {caveat(report)}", opacity=0.75),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def question(report: Report) -> str:
    """Return what the comparison asks, in a sentence."""
    title = GAMES[report.game].title
    return f"What changes in {title} with {_rules(report, 1)} instead of {_rules(report, 0)}?"


def caveat(report: Report) -> str:
    """Return what the players of the simulation are, in a sentence."""
    if report.bots and set(report.bots) == {"plain"}:
        return "Plain players look at nothing but the rules."
    return "Simulated by bots." if report.bots else "Recorded games."


def _rules(report: Report, number: int) -> str:
    """Return the rules of one side: what it does not share with the other one."""
    (mine, _), (other, _) = report.sides[number], report.sides[1 - number]
    if mine.ruleset != other.ruleset:
        return ruled(mine)
    differing = [name for name in mine.options if mine.options[name] != other.options[name]]
    return ", ".join(f"{name} {str(mine.options[name]).lower()}" for name in differing)


def _rows(report: Report) -> Iterator[_Row]:
    (_, first), _ = report.sides
    for name, found in (report.difference or {}).items():
        base = first[name].value if name in first else 0
        if not base or not GROUPS[group_of(name)].is_pictured:
            continue
        low, high = (found.value if bound is None else bound for bound in (found.low, found.high))
        value, least, most = (100 * bound / base for bound in (found.value, low, high))
        yield _Row(label_of(name, report.seats), value, least, most, found.is_apart)


def _scale(rows: list[_Row]) -> int:
    """Return the per cent that the scale reaches: a round number that holds the bars, up to MOST_SCALE."""
    longest = max((abs(bound) for row in rows for bound in (row.value, row.low, row.high)), default=0)
    return max(LEAST_SCALE, min(MOST_SCALE, 10 * ceil(longest / 10)))


def _grid(x: float, bottom: float, at: int) -> str:
    """Return a line of the scale, with its number on top."""
    number = _text(x, HEAD - 12, f"{_signed(at)} %" if at else "0", anchor="middle", opacity=0.75, size=11)
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{HEAD - 6}" y2="{bottom}" stroke="currentColor" opacity="0.5"'
        f' stroke-width="{0.5 if at else 1.5}"/>{number}'
    )


def _bar(row: _Row, y: float, middle: float, unit: float, scale: int) -> Iterator[str]:
    def at(value: float) -> float:
        return middle + max(-scale, min(scale, value)) * unit

    left, right = sorted((middle, at(row.value)))
    colour, opacity = ("#2f7d6b", 1.0) if row.is_apart else ("currentColor", 0.35)
    yield _text(LABELS - 8, y + 4, row.label, anchor="end")
    yield (
        f'<rect x="{left:.1f}" y="{y - BAR / 2:.1f}" width="{right - left:.1f}" height="{BAR}" fill="{colour}"'
        f' opacity="{opacity}"/>'
    )
    yield (
        f'<path d="M{at(row.low):.1f} {y - 4:.1f}v8M{at(row.low):.1f} {y:.1f}H{at(row.high):.1f}'
        f'M{at(row.high):.1f} {y - 4:.1f}v8" stroke="currentColor" fill="none"/>'
    )
    beyond = max(at(row.high), right) if row.value >= 0 else min(at(row.low), left)
    side, anchor = (6, "start") if row.value >= 0 else (-6, "end")
    yield _text(beyond + side, y + 4, f"{_signed(row.value)} %", anchor=anchor, size=12)


def _signed(value: float) -> str:
    return f"{value:+.0f}".replace("-", MINUS)


def _text(
    x: float, y: float, words: str, *, size: int = 13, weight: int = 400, anchor: str = "start", opacity: float = 1
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
        f' opacity="{opacity}">{escape(words)}</text>'
    )
