"""Estimates of many games, each of which counts once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from math import ceil
from typing import Any, Literal, TypeAlias

from games.lab.counting import Counted

Number: TypeAlias = int | float
Figures: TypeAlias = dict[str, "Estimate"]

FEWEST = 30
"""With fewer games there is no interval."""
Z = Decimal("1.96")
PLACES = Decimal("0.000001")
EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)
SPREAD = ("moves", "hand_overs", "days", "pick_ups")
"""The figures of which the median and the ninth decile are given, too."""
COUNTS_OF_KINDS = ("ended", "closings")
"""The groups in which a figure that a game does not have is 0."""
SHARES = ("ended", "nobody_out", "won_blind")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure of many games, with its interval of 95 %; `low` and `high` are None with fewer than FEWEST games."""

    kind: Literal["mean", "share"]
    value: Number
    low: Number | None
    high: Number | None
    games: int
    median: Number | None = None
    p90: Number | None = None

    def as_json(self) -> dict[str, Any]:
        shown = {"kind": self.kind, "value": self.value, "low": self.low, "high": self.high, "games": self.games}
        return shown if self.median is None else {**shown, "median": self.median, "p90": self.p90}

    @property
    def is_apart(self) -> bool:
        """True if the interval does not hold 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


def group_of(name: str) -> str:
    """Return the group of a figure: "points" for "points.2"."""
    return name.partition(".")[0]


def figures(games: Sequence[Counted], names: Iterable[str]) -> Figures:
    """Return the estimates of these figures, in their order. Figures that no game has are left out."""
    found: Figures = {}
    for name in names:
        values = [value for game in games if (value := _value(game, name)) is not None]
        if values:
            found[name] = share(values) if group_of(name) in SHARES else _with_spread(name, values)
    return found


def differences(pairs: Sequence[tuple[Counted, Counted]], names: Iterable[str]) -> Figures:
    """Return the estimates of the second side less the first, game by game."""
    found: Figures = {}
    for name in names:
        both = [(_value(first, name), _value(second, name)) for first, second in pairs]
        values = [second - first for first, second in both if first is not None and second is not None]
        if values:
            found[name] = _mean(values)
    return found


def names_of(sides: Iterable[Iterable[Counted]], order: Callable[[str], Any]) -> list[str]:
    """Return the names of all figures that a game on any side has."""
    return sorted({name for games in sides for game in games for name in game}, key=order)


def _value(game: Counted, name: str) -> int | Fraction | None:
    return game.get(name, 0 if group_of(name) in COUNTS_OF_KINDS else None)


def _with_spread(name: str, values: Sequence[int | Fraction]) -> Estimate:
    mean = _mean(values)
    if name not in SPREAD:
        return mean
    median, p90 = (_ranked(values, share) for share in (Fraction(1, 2), Fraction(9, 10)))
    return Estimate("mean", mean.value, mean.low, mean.high, mean.games, median, p90)


def _ranked(values: Sequence[int | Fraction], share: Fraction) -> Number:
    """Return the value of the nearest rank."""
    return _number(_decimal(sorted(values)[ceil(share * len(values)) - 1]))


def _mean(values: Sequence[int | Fraction]) -> Estimate:
    count, total = len(values), Fraction(sum(values))
    with localcontext(EXACT):
        mean = _decimal(total / count)
        if count < FEWEST:
            return Estimate("mean", _number(mean), None, None, count)
        squares = Fraction(sum(value * value for value in values))
        half = Z * _decimal((squares - total * total / count) / (count - 1) / count).sqrt()
        return Estimate("mean", _number(mean), _number(mean - half), _number(mean + half), count)


def share(values: Sequence[int | Fraction]) -> Estimate:
    """Return the share of games of which something is true: values are 0 or 1."""
    count = len(values)
    with localcontext(EXACT):
        share = _decimal(Fraction(sum(values), count))
        if count < FEWEST:
            return Estimate("share", _number(share), None, None, count)
        square = Z * Z / count
        middle = share + square / 2
        half = (square * (share * (1 - share) + square / 4)).sqrt()
        low, high = ((middle + side * half) / (1 + square) for side in (-1, 1))
        return Estimate("share", _number(share), _number(low), _number(high), count)


def _decimal(value: int | Fraction) -> Decimal:
    with localcontext(EXACT):
        return Decimal(value.numerator) / value.denominator


def _number(value: Decimal) -> Number:
    """Return a number of at most six decimals."""
    rounded = value.quantize(PLACES, context=EXACT)
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)


def as_json(figures: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: estimate.as_json() for name, estimate in figures.items()}
