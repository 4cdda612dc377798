"""NT6: when a reminder goes out."""

from datetime import UTC, datetime, timedelta

import pytest

from games.clocks import Calendar, load_calendar
from games.notifications.turns import moment

SINCE = datetime(2026, 11, 21, 12, tzinfo=UTC)
DUE = SINCE + timedelta(days=2)
QUIET = load_calendar(
    {
        "hours": [{"since": "2026-01-01T00:00:00Z", "time_zone": "UTC", "quiet_hours": ["22:00", "07:00"]}],
        "vacation": [],
    }
)


@pytest.mark.parametrize(
    ("mark", "hours"),
    [("20%", 48 * 0.8), ("50%", 24), ("24h", 24), ("90m", 46.5), ("1d", 24)],
)
def test_nt6_a_mark_is_a_share_of_the_time_left_or_a_span_before_the_deadline(mark, hours):
    assert moment(mark, SINCE, DUE, Calendar()) == SINCE + timedelta(hours=hours)


def test_nt6_a_mark_before_the_turns_beginning_is_skipped():
    assert moment("3d", SINCE, DUE, Calendar()) is None
    assert moment("2d", SINCE, DUE, Calendar()) == SINCE


def test_nt6_a_mark_in_quiet_hours_goes_out_just_before_they_begin():
    due = datetime(2026, 11, 22, 12, tzinfo=UTC)
    at = moment("6h", SINCE, due, QUIET)  # at 06:00, in the night
    assert at == datetime(2026, 11, 21, 21, 59, tzinfo=UTC)


@pytest.mark.parametrize(("due", "moved"), [("02:00", True), ("07:59", True), ("08:00", True), ("08:01", False)])
def test_nt6_a_mark_whose_deadline_falls_in_quiet_hours_or_within_an_hour_after(due, moved):
    due = datetime.fromisoformat(f"2026-11-22T{due}:00+00:00")
    mark = "30m"
    at = moment(mark, SINCE, due, QUIET)
    assert at == (datetime(2026, 11, 21, 21, 59, tzinfo=UTC) if moved else due - timedelta(minutes=30))


def test_nt6_a_mark_that_lies_before_the_quiet_hours_stays_where_it_is():
    due = datetime(2026, 11, 22, 7, 30, tzinfo=UTC)
    assert moment("10h", SINCE, due, QUIET) == datetime(2026, 11, 21, 21, 30, tzinfo=UTC)


def test_nt6_a_turn_that_begins_in_the_night_has_no_mark_before_it():
    since = datetime(2026, 11, 21, 23, tzinfo=UTC)
    assert moment("1h", since, datetime(2026, 11, 22, 6, tzinfo=UTC), QUIET) is None
