"""The chart of totals: by round, and narrow enough for a phone while there are few."""

import pytest

from tournaments.picture.figures import Chart, totals_chart
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
