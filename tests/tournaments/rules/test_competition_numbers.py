"""Exact numbers and moments, as a record writes them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.exact import exact_sum, exact_text, read_exact, shown
from tournaments.rules.lines import read_moment


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, Fraction(3)),
        (-3, Fraction(-3)),
        ("5/3", Fraction(5, 3)),
        ("-4/6", Fraction(-2, 3)),
        ("007", Fraction(7)),
        ("-0", 0),
    ],
)
def test_a_number_is_an_integer_or_a_text_of_digits(value, number):
    assert read_exact(value) == number


@given(st.lists(st.fractions(max_denominator=50)))
def test_a_sum_is_exact(numbers):
    assert exact_sum(numbers) == sum(numbers)


@pytest.mark.parametrize(
    ("number", "text"), [(Fraction(10, 6), "5/3"), (Fraction(4, 2), "2"), (Fraction(-1, 2), "-1/2"), (Fraction(), "0")]
)
def test_a_number_is_written_in_lowest_terms(number, text):
    assert exact_text(number) == text


def test_numbers_of_any_length_are_written():
    assert exact_text(Fraction(10**9000 + 1, 3)).startswith("1000") and len(exact_text(10**9000)) == 9001


@pytest.mark.parametrize(
    ("value", "text"), [(None, "null"), (True, "true"), ([1], "a list"), ({}, "an object"), ("a\u2028b", '"a b"')]
)
def test_a_value_in_a_sentence_is_short_and_on_one_line(value, text):
    assert shown(value) == text
    assert len(shown("x" * 1000)) < 60


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-02T18:00:00Z",
        "2026-01-02t18:00:00z",
        "2026-01-02 18:00:00+01:30",
        "2024-02-29T00:00:00-23:59",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:59:60+01:00",
        "0000-01-01T00:00:00+05:00",
        "9999-12-31T23:59:59.999999999999-12:00",
    ],
)
def test_a_moment_is_one_of_rfc_3339(text):
    assert read_moment(text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-02",
        "2026-01-02T18:00Z",
        "2026-01-02T18:00:00",
        "2026-13-02T18:00:00Z",
        "2026-02-29T18:00:00Z",
        "2026-01-02T24:00:00Z",
        "2026-01-02T18:60:00Z",
        "2026-01-02T18:00:60Z",
        "2026-01-02T23:59:61Z",
        "2026-01-02T18:00:00.Z",
        "2026-01-02T18:00:00+0100",
        "2026-01-02T18:00:00+24:00",
        "2026-01-02T18:00:00+01:60",
        "26-01-02T18:00:00Z",
        "٢٠٢٦-01-02T18:00:00Z",
        "2026-01-02T18:00:00Z\n",
        "",
        None,
        5,
    ],
)
def test_other_values_are_no_moments(text):
    with pytest.raises(ValueError, match="RFC 3339"):
        read_moment(text)


def test_moments_are_compared_exactly_across_offsets():
    ordered = [
        "0000-01-01T00:00:00+00:01",
        "1999-12-31T23:59:59.9Z",
        "2000-01-01T00:00:00Z",
        "2000-01-01T00:00:00.05Z",
        "2000-01-01T01:00:00.5+01:00",
        "1999-12-31T20:00:01-04:00",
    ]
    moments = [read_moment(text) for text in ordered]
    assert moments == sorted(moments) and len(set(moments)) == len(moments)
    assert read_moment("2000-01-01T01:00:00.50+01:00") == read_moment("2000-01-01T00:00:00.5Z")
