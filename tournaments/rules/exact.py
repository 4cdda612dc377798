"""Exact numbers: fractions, written in JSON as an integer or as text in lowest terms, like "5/3"."""

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from math import lcm

MAX_DIGITS = 1000
_NUMBER = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")


def read_exact(value: object) -> Fraction:
    """The number that an integer or a text like "-1/2" stands for. Raises ValueError, with a sentence."""
    if type(value) is int:
        if abs(value) >= 10**MAX_DIGITS:
            raise ValueError(f"A number can have at most {MAX_DIGITS} digits.")
        return Fraction(value)
    if isinstance(value, str) and (found := _NUMBER.fullmatch(value)):
        numerator, denominator = found.groups(default="1")
        if max(len(numerator), len(denominator)) > MAX_DIGITS:
            raise ValueError(f"A number can have at most {MAX_DIGITS} digits.")
        if not int(denominator):
            raise ValueError(f"{shown(value)} divides by zero.")
        return Fraction(int(numerator), int(denominator))
    raise ValueError(f'{shown(value)} is not an integer or a string such as "5/3".')


def exact_text(number: Fraction | int) -> str:
    """The number in lowest terms: "5/3", "2", "-1/2"."""
    top, bottom = number.numerator, number.denominator
    return _digits(top) if bottom == 1 else f"{_digits(top)}/{_digits(bottom)}"


def two_decimals(number: Fraction) -> Decimal:
    """Halves away from zero."""
    hundredths = int(abs(number) * 100 + Fraction(1, 2))
    return Decimal(hundredths if number >= 0 else -hundredths).scaleb(-2)


def exact_sum(numbers: Iterable[Fraction]) -> Fraction:
    """Their sum. Numbers of one denominator are added as integers, which is many times faster than as fractions."""
    numerators: defaultdict[int, int] = defaultdict(int)
    for number in numbers:
        numerators[number.denominator] += number.numerator
    common = lcm(*numerators)
    return Fraction(sum(top * (common // bottom) for bottom, top in numerators.items()), common)


def shown(value: object) -> str:
    """A value as JSON writes it, short enough for a sentence."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = _digits(value) if type(value) is int else f'"{value}"' if isinstance(value, str) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:50]}..."


def _digits(number: int) -> str:
    """`str` refuses integers of more than a few thousand digits; a sum of many fractions can have them."""
    return str(number) if abs(number) < 10**MAX_DIGITS else format(Decimal(number), "f")
