"""The chart of totals: by round, and narrow enough for a phone while there are few."""

from fractions import Fraction
from itertools import pairwise

import pytest

from tournaments.picture.chart import Chart, totals_chart
from tournaments.rules.counting import Step

PHONE = 390


def chart_of(rounds: int) -> Chart:
    """Ada wins every round, and Bob loses it."""
    course = [Step(number, [Fraction(number), Fraction()]) for number in range(rounds + 1)]
    chart = totals_chart(["e1", "e2"], course, {"e1": "ada", "e2": "bob"}, by_round=True)
    assert chart is not None
    return chart


@pytest.mark.parametrize("rounds", [1, 4, 5, 24])
def test_a_line_goes_from_zero_to_the_total_of_the_last_round(rounds: int) -> None:
    chart = chart_of(rounds)
    first, *_, last = chart.lines[0].points.split(" ")
    assert (first, last) == (f"{chart.left}.0,{chart.bottom - 0.8}", f"{chart.right}.0,{chart.top - 0.8}")
    assert [line.total for line in chart.lines] == [str(rounds), "0"]


def test_a_chart_of_few_rounds_fits_a_phone_and_one_of_many_scrolls() -> None:
    assert chart_of(4).narrow
    assert chart_of(4).width < PHONE
    assert not chart_of(5).narrow
    assert chart_of(5).width > PHONE


def test_no_name_stands_below_the_chart_or_on_another() -> None:
    leaders = [f"e{number}" for number in range(1, 7)]
    names = {key: f"player {key}" for key in leaders}
    ends = [Fraction(1), *[Fraction()] * 5]
    chart = totals_chart(leaders, [Step(0, [Fraction()] * 6), Step(1, ends)], names, by_round=True)
    assert chart is not None
    assert [line.name for line in chart.lines] == [f"player {key}" for key in leaders]
    heights = sorted(line.y for line in chart.lines)
    assert heights[-1] <= chart.bottom + 4
    assert all(below - above >= 18 for above, below in pairwise(heights))
