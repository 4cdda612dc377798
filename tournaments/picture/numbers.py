from collections.abc import Sequence
from fractions import Fraction

from games.wording import ordinal
from tournaments.rules.exact import two_decimals

NONE = "\N{EN DASH}"
TIMES = "\N{MULTIPLICATION SIGN}"
MINUS = "\N{MINUS SIGN}"
TIE_BREAKS = {
    "opponents_strength": "opponents' strength",
    "wins": "wins",
    "head_to_head": "head to head",
    "countback": "countback",
    "timeouts": "missed turns",
    "lot": "lot",
    "total": "total",
    "seed": "seed",
    "stage": "stage",
}


def decimals(value: Fraction | str | None) -> str:
    """Return a number with two decimals, or none if it is whole; a dash for None."""
    return NONE if value is None else _with_minus(_rounded(Fraction(value)))


def exact(value: Fraction | str | None) -> str:
    """Return two decimals as everywhere, and after them the exact number if it differs: "1.67 (5/3)"."""
    if value is None or Fraction(_rounded(Fraction(value))) == Fraction(value):
        return decimals(value)
    return f"{decimals(value)} ({_with_minus(str(value))})"


def _rounded(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else str(two_decimals(number))


def _with_minus(number: str) -> str:
    """A number as people read it: a hyphen is narrower than a digit, and hardly seen in a column."""
    return number.replace("-", MINUS)


def span(places: Sequence[int]) -> str:
    best, worst = places
    return ordinal(best) if best == worst else f"{ordinal(best)} to {ordinal(worst)}"


def tie_break_value(name: str, value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, list):
        counts = [(decimals(str(number)), ordinal(at)) for at, number in enumerate(value, 1)]
        return ", ".join(f"{count} {TIMES} {place}" for count, place in counts if count != "0") or "none"
    return str(value)[:12] if name == "lot" else decimals(str(value))
