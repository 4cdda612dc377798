"""CSV files: what a spreadsheet would misread begins with an apostrophe."""

import csv
import io
from decimal import Decimal
from fractions import Fraction

import pytest

from core.http.csv import csv_file


def cell(value: object) -> str:
    text = csv_file("file", ["value"], [[value]]).content.decode()
    assert text.startswith("\ufeff")
    return next(iter(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))))["value"]


@pytest.mark.parametrize(
    "text",
    [
        "1-2", "007", "1/2", "1e5", "3.10", "12:30", "2026-11-26", "Mar 1", "1-Dec", "sept2", "TRUE", "=1+1", "+1",
        "-a", "@SUM", "\t=1", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20a", "\uff11\uff0d\uff12",
    ],
)  # fmt: skip
def test_a_name_that_a_spreadsheet_would_read_otherwise_begins_with_an_apostrophe(text: str) -> None:
    assert cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["ada", "steady bot (e3)", "mary2", "Julia", "e3", "7th heaven", "", "a=b"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-3, "-3"),
        (Decimal("-0.50"), "-0.50"),
        (Fraction(5, 3), "5\u20443"),
        (Fraction(-1, 2), "-1\u20442"),
        (Fraction(2), "2"),
        ([Fraction(1), Fraction(1, 2)], "1 1\u20442"),
        (None, ""),
    ],
)
def test_numbers_are_numbers_and_fractions_no_dates(number: object, text: str) -> None:
    assert cell(number) == text
