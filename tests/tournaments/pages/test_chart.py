"""The chart of totals: by round, and narrow enough for a phone while there are few."""

from itertools import pairwise

import pytest

from tournaments.picture.chart import Chart, totals_chart
from tournaments.picture.names import Name
from tournaments.rules.settings import read_settings
from tournaments.selectors import Reckoned

PHONE = 390


def chart_of(rounds: int) -> Chart:
    """Ada wins every round, and Bob loses it."""
    games = [
        Reckoned(f"g{number}", number, 1, None, "game", (("e1", "1", 1), ("e2", "0", 2)))
        for number in range(1, rounds + 1)
    ]
    names = [Name("e1", "ada", None), Name("e2", "bob", None)]
    chart = totals_chart(names, games, read_settings("threes", "rounds", {}))
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


def test_whoever_has_not_played_has_no_line_and_no_name_stands_below_the_chart() -> None:
    games = [Reckoned("g1", 1, 1, None, "game", tuple((f"e{n}", "0" if n > 1 else "1", n) for n in range(1, 7)))]
    names = [Name(f"e{n}", f"player {n}", None) for n in (1, 7, 2, 3, 4, 5, 6)]
    chart = totals_chart(names, games, read_settings("threes", "rounds", {}))
    assert chart is not None
    assert [line.name for line in chart.lines] == ["e1", "e2", "e3", "e4", "e5", "e6"]
    heights = sorted(line.y for line in chart.lines)
    assert heights[-1] <= chart.bottom + 4
    assert all(below - above >= 18 for above, below in pairwise(heights))
