"""The picture of a difference: bars with whiskers, in per cent of the first side.

It is as wide as a phone, so that it can be read there too.
"""

from collections.abc import Iterator
from html import escape
from math import ceil, copysign, inf, isfinite
from textwrap import wrap
from typing import NamedTuple

from games import wording
from games.lab.estimates import group_of
from games.lab.report import Report, unusual
from games.lab.words import GROUPS, decimals, in_a_sentence, label_of

WIDTH, MARGIN = 400, 12
MIDDLE, HALF = WIDTH / 2, WIDTH / 2 - MARGIN
ROW, BAR = 40, 12
BIG, SMALL = 15, 12
BIG_LINE, SMALL_LINE = 40, 58
"""The number of letters that fit into a line."""
STEP, MOST_SCALE = 10, 100
"""The per cent to which the scale is rounded, and the most that it reaches: bars beyond it are cut."""
MINUS = "\N{MINUS SIGN}"


class _Row(NamedTuple):
    label: str
    value: float
    low: float
    high: float
    is_apart: bool
    said: str


def picture(report: Report) -> str:
    """Return an SVG that shows what differs. The report must be of two sides.

    Its text has the colour of where it stands, and is black by itself.
    """
    rows = list(_rows(report))
    scale = _scale(rows)
    asked = wrap(question(report), BIG_LINE)
    marked = " An arrow: the bar goes on beyond the edge." if any(_is_beyond(row, scale) for row in rows) else ""
    marked += " Dashed: it was 0, so there is no percentage." if not all(isfinite(row.value) for row in rows) else ""
    told = wrap(f"Change in per cent of {_rules(report, 0)}, with the 95 % interval.{marked}", SMALL_LINE)
    played = wrap(f"{report.heading}. {caveat(report)}", SMALL_LINE)
    parts, y = [f"<title>{escape(question(report))}</title>"], 0.0
    for line in asked:
        y += 20
        parts.append(_text(MARGIN, y, line, size=BIG, weight=600))
    for line in told:
        y += 18
        parts.append(_text(MARGIN, y, line, opacity=0.75))
    y += 24
    bottom = y + 8 + ROW * len(rows)
    for at in (-scale, -scale / 2, 0, scale / 2, scale):
        parts += _grid(MIDDLE + at / scale * HALF, y, bottom, at, scale)
    for number, row in enumerate(rows):
        parts += _bar(row, y + 8 + ROW * number, scale)
    y = bottom + 6
    for line in played:
        y += 18
        parts.append(_text(MARGIN, y, line, opacity=0.75))
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + MARGIN:.0f}" width="{WIDTH}" role="img"'
        ' font-family="system-ui, sans-serif" fill="currentColor">'
    )
    return "\n".join([begin, *parts, "</svg>"]) + "\n"


def question(report: Report) -> str:
    """Return what the comparison asks, in a sentence."""
    first, second = (side.rules for side, _ in report.sides)
    if second.digest:
        other = f"{second.title} instead of {first.title}" if first.title != second.title else "its other rules"
        return f"What changes with {other}?"
    title = first.title
    return f"What changes in {title} with {_rules(report, 1)} instead of {_rules(report, 0)}?"


def caveat(report: Report) -> str:
    """Return what the players of the simulation are, in a sentence."""
    if report.bots and set(report.bots) == {"plain"}:
        return "Plain players look only at the rules."
    return "Simulated by bots." if report.bots else "Recorded games."


def _rules(report: Report, number: int) -> str:
    """Return the rules of one side in words: what it does not share with the other one."""
    (mine, _), (other, _) = report.sides[number], report.sides[1 - number]
    if mine.ruleset != other.ruleset:
        named, own = [mine.ruleset], unusual(mine)
    else:
        named, own = [], {name: value for name, value in mine.options.items() if value != other.options[name]}
    said = ", ".join(f"{wording.label_of(name)}: {wording.in_words(value)}" for name, value in own.items())
    return " with ".join([*named, *([f"“{said}”"] if said else [])])


def _rows(report: Report) -> Iterator[_Row]:
    (_, first), (_, second) = report.sides
    for name, found in (report.difference or {}).items():
        base = first[name].value if name in first else 0
        if not (base or found.value) or not GROUPS[group_of(name)].is_pictured:
            continue
        bounds = [found.value if bound is None else bound for bound in (found.value, found.low, found.high)]
        value, least, most = (100 * bound / base if base else copysign(inf, bound) * bool(bound) for bound in bounds)
        said = f"{_signed(value)} %" if base else " → ".join(in_a_sentence(name, base, second[name].value))
        yield _Row(label_of(name, report.seats), value, least, most, found.is_apart, said)


def _is_beyond(row: _Row, scale: int) -> bool:
    return isfinite(row.value) and abs(row.value) > scale


def _scale(rows: list[_Row]) -> int:
    """Return the per cent that the scale reaches on both sides."""
    bounds = [abs(bound) for row in rows for bound in (row.value, row.low, row.high)]
    longest = max(filter(isfinite, bounds), default=0)
    return max(STEP, min(MOST_SCALE, STEP * ceil(longest / STEP)))


def _grid(x: float, top: float, bottom: float, at: float, scale: int) -> Iterator[str]:
    """Yield a line of the scale, with its number on top."""
    anchor = "start" if at == -scale else "end" if at == scale else "middle"
    yield _text(x, top, f"{_signed(at)} %" if at else "0", anchor=anchor, opacity=0.75, size=11)
    yield (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + 5:.1f}" y2="{bottom:.1f}" stroke="currentColor" opacity="0.5"'
        f' stroke-width="{0.5 if at else 1.5}"/>'
    )


def _bar(row: _Row, top: float, scale: int) -> Iterator[str]:
    def at(value: float) -> float:
        return MIDDLE + max(-scale, min(scale, value)) / scale * HALF

    left, right = sorted((MIDDLE, at(row.value)))
    colour, opacity = ("#2f7d6b", 1.0) if row.is_apart else ("currentColor", 0.35)
    y = top + 24
    yield _text(MARGIN, top + 14, row.label)
    yield _text(WIDTH - MARGIN, top + 14, row.said, anchor="end")
    box = f'x="{left:.1f}" y="{y - BAR / 2:.1f}" width="{right - left:.1f}" height="{BAR}" opacity="{opacity}"'
    if not isfinite(row.value):
        # It has no per cent, and so no length.
        yield f'<rect {box} fill="none" stroke="{colour}" stroke-dasharray="4 3"/>'
        return
    yield f'<rect {box} fill="{colour}"/>'
    if _is_beyond(row, scale):
        edge, tip = at(row.value), copysign(MARGIN - 3, row.value)
        yield (
            f'<path class="beyond" d="M{edge:.1f} {y - BAR / 2 - 2:.1f}l{tip:.1f} {BAR / 2 + 2:.1f}'
            f'l{-tip:.1f} {BAR / 2 + 2:.1f}z" fill="{colour}" opacity="{opacity}"/>'
        )
    yield (
        f'<path d="M{at(row.low):.1f} {y - 4:.1f}v8M{at(row.low):.1f} {y:.1f}H{at(row.high):.1f}'
        f'M{at(row.high):.1f} {y - 4:.1f}v8" stroke="currentColor" fill="none"/>'
    )


def _signed(value: float) -> str:
    digits = 0 if abs(value) >= 1 else decimals(value, 1)
    return (f"{value:+.{digits}f}" if value else "0").replace("-", MINUS)


def _text(
    x: float, y: float, words: str, *, size: int = SMALL, weight: int = 400, anchor: str = "start", opacity: float = 1
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
        f' opacity="{opacity}">{escape(words)}</text>'
    )
