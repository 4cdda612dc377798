"""A player's quiet hours and vacation: what may be asked for, and that nothing works backwards."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks import (
    Calendar,
    ClockError,
    Duty,
    change_calendar,
    complete_calendar,
    complete_clock,
    deadline,
    load_calendar,
    shown,
)

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def paused(calendar: Calendar) -> list[tuple[datetime, datetime]]:
    """The vacation as unbroken stretches of time."""
    stretches: list[tuple[datetime, datetime]] = []
    for begin, end in sorted(calendar.vacations):
        if stretches and begin <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(end, stretches[-1][1]))
        elif begin < end:
            stretches.append((begin, end))
    return stretches


def test_an_empty_calendar_has_no_pauses() -> None:
    assert complete_calendar({}) == {"time_zone": "UTC", "quiet_hours": None, "vacation": []}
    assert shown(None) == complete_calendar({})


def test_vacations_are_sorted_and_joined() -> None:
    asked = {"vacation": [["2026-12-28", "2027-01-02"], ["2026-05-01", "2026-05-03"], ["2026-12-24", "2026-12-27"]]}
    assert complete_calendar(asked)["vacation"] == [["2026-05-01", "2026-05-03"], ["2026-12-24", "2027-01-02"]]


@pytest.mark.parametrize(
    ("field", "raw"),
    [
        *[("calendar", raw) for raw in (None, [], "UTC")],
        *[("calendar.time_zone", {"time_zone": raw}) for raw in (None, "Nowhere", 2, "Europe")],
        *[
            ("calendar.quiet_hours", {"quiet_hours": raw})
            for raw in (
                "22:00-07:00", [], ["22:00"], ["22:00", "07:00", "08:00"], ["22", "07"], ["24:00", "07:00"],
                ["22:00", 7], ["22:00:00", "07:00"], ["7:00", "08:00"], ["\uff122:00", "07:00"], {}, True,
            )
        ],
        ("calendar.quiet_hours", {"quiet_hours": ["22:00", "22:00"]}),
        ("calendar.quiet_hours", {"quiet_hours": ["20:00", "08:01"]}),
        ("calendar.quiet_hours", {"quiet_hours": ["08:00", "07:00"]}),
        *[
            ("calendar.vacation", {"vacation": raw})
            for raw in (
                None, {}, ["2026-12-24"], [["2026-12-24"]], [["20261224", "20261225"]], [["2026-12-24", None]],
                [["2026-02-29", "2026-03-01"]], [["2026-12-24", "2026-12-23"]], [["2026-W01-1", "2026-W01-2"]],
                [["2026-01-01", "9999-12-31"]], [["2026-01-01", "2026-01-01"]] * 61,
            )
        ],
        ("calendar.vacation", {"vacation": [["2026-12-01", "2026-12-31"]]}),
        ("calendar.vacation", {"vacation": [["2026-01-01", "2026-01-20"], ["2026-07-01", "2026-07-11"]]}),
        ("calendar.holidays", {"holidays": []}),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_the_name_of_the_field(field: str, raw: object) -> None:
    with pytest.raises(ClockError) as refusal:
        complete_calendar(raw)
    assert refusal.value.field == field
    assert refusal.value.detail.endswith(".")


@pytest.mark.parametrize("hours", [["20:00", "08:00"], ["00:00", "12:00"], ["13:30", "13:45"]])
def test_quiet_hours_of_up_to_twelve_hours_are_allowed(hours: list[str]) -> None:
    assert complete_calendar({"quiet_hours": hours})["quiet_hours"] == hours


def test_the_allowance_is_thirty_days_in_each_year() -> None:
    turn_of_the_year = [["2026-12-02", "2027-01-30"]]
    assert complete_calendar({"vacation": turn_of_the_year})["vacation"] == turn_of_the_year
    with pytest.raises(ClockError, match=r"31 days of vacation in 2027: the yearly allowance is 30\."):
        complete_calendar({"vacation": [["2026-12-02", "2027-01-31"]]})


def test_the_same_day_counts_once() -> None:
    assert complete_calendar({"vacation": [["2026-12-01", "2026-12-30"], ["2026-12-10", "2026-12-12"]]})


def test_what_is_left_out_stays_and_sending_back_what_is_shown_changes_nothing() -> None:
    asked = {
        "time_zone": "Europe/Berlin",
        "quiet_hours": ["22:00", "07:00"],
        "vacation": [["2026-12-24", "2026-12-31"]],
    }
    stored = change_calendar(None, asked, NOW)
    assert shown(stored) == asked
    for moment in (NOW, NOW + 3 * DAY, NOW + 35 * DAY, NOW + 100 * DAY):
        assert change_calendar(stored, {}, moment) == stored
        assert change_calendar(stored, shown(stored), moment) == stored
    assert shown(change_calendar(stored, {"quiet_hours": None}, NOW)) == {**asked, "quiet_hours": None}


def test_a_vacation_declared_today_counts_from_now() -> None:
    """A turn of a day that is up at 16:00 is saved by half an hour's notice, one that was up at 15:00 is not."""
    clock = complete_clock({})
    own = load_calendar(change_calendar(None, {"vacation": [["2026-11-21", "2026-11-22"]]}, NOW))
    assert paused(own) == [(NOW, datetime(2026, 11, 23, tzinfo=UTC))]
    saved = Duty(clock, datetime(2026, 11, 20, 16, tzinfo=UTC), calendar=own)
    assert deadline(saved) == datetime(2026, 11, 23, 0, 30, tzinfo=UTC)
    lapsed = Duty(clock, datetime(2026, 11, 20, 15, tzinfo=UTC), calendar=own)
    assert deadline(lapsed) == datetime(2026, 11, 21, 15, tzinfo=UTC)


def test_a_vacation_cannot_begin_on_a_day_that_is_over() -> None:
    with pytest.raises(ClockError, match=r"2026-11-20 is already over"):
        change_calendar(None, {"vacation": [["2026-11-20", "2026-11-25"]]}, NOW)
    stored = change_calendar(None, {"vacation": [["2026-11-22", "2026-11-25"]]}, NOW)
    with pytest.raises(ClockError, match=r"2026-11-21 is already over"):
        change_calendar(stored, {"vacation": [["2026-11-21", "2026-11-25"]]}, NOW + 2 * DAY)


def test_days_are_those_of_the_players_zone() -> None:
    asked = {"time_zone": "Pacific/Auckland", "vacation": [["2026-11-22", "2026-11-22"]]}
    own = load_calendar(change_calendar(None, asked, NOW))  # there it is the 22nd, 04:30, already
    assert paused(own) == [(NOW, datetime(2026, 11, 22, 11, tzinfo=UTC))]
    with pytest.raises(ClockError, match=r"2026-11-21 is already over"):
        change_calendar(None, {**asked, "vacation": [["2026-11-21", "2026-11-22"]]}, NOW)


def test_a_vacation_day_on_which_clocks_change_is_whole() -> None:
    """In Havana clocks jump from midnight to 01:00 in March, and from 01:00 back to midnight in November."""
    asked = {"time_zone": "America/Havana", "vacation": [["2026-03-08", "2026-03-08"], ["2026-10-31", "2026-11-01"]]}
    own = load_calendar(change_calendar(None, asked, datetime(2026, 1, 5, tzinfo=UTC)))
    assert [(end - start) / HOUR for start, end in own.vacations] == [23, 24, 25]


def test_a_vacation_can_be_ended_and_its_days_stay_used() -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-21", "2026-12-05"]]}, NOW)
    home = NOW + 3 * DAY
    ended = change_calendar(stored, {"vacation": []}, home)
    assert paused(load_calendar(ended)) == [(NOW, home)]
    assert shown(ended)["vacation"] == [["2026-11-21", "2026-11-24"]]
    with pytest.raises(ClockError, match="31 days of vacation in 2026"):
        change_calendar(ended, {"vacation": [["2026-11-21", "2026-11-24"], ["2026-12-05", "2026-12-31"]]}, home)
    assert change_calendar(ended, {"vacation": [["2026-12-06", "2026-12-31"]]}, home)


def test_what_is_over_cannot_be_dropped_and_what_is_to_come_can() -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-22", "2026-11-23"], ["2026-12-24", "2026-12-26"]]}, NOW)
    later = change_calendar(stored, {"vacation": []}, NOW + 9 * DAY)
    assert shown(later)["vacation"] == [["2026-11-22", "2026-11-23"]]


def test_a_vacation_that_runs_can_be_prolonged_without_a_gap() -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-21", "2026-11-23"]]}, NOW)
    longer = change_calendar(stored, {"vacation": [["2026-11-21", "2026-11-25"]]}, NOW + DAY)
    assert paused(load_calendar(longer)) == [(NOW, datetime(2026, 11, 26, tzinfo=UTC))]


@pytest.mark.parametrize(
    "change",
    [
        {"quiet_hours": ["22:00", "07:00"]},
        {"time_zone": "Europe/Berlin"},
        {"vacation": [["2026-11-21", "2026-11-23"]]},
        {"vacation": [["2026-11-21", "2026-11-23"], ["2026-12-24", "2026-12-24"]]},
    ],
)
def test_a_vacation_dropped_today_does_not_come_back_with_another_change(change: dict[str, Any]) -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-21", "2026-11-30"]]}, NOW)
    home = NOW + 2 * DAY
    dropped = change_calendar(stored, {"vacation": []}, home)
    later = change_calendar(dropped, change, home + HOUR)
    assert [stretch for stretch in paused(load_calendar(later)) if stretch[0] < home + DAY] == [(NOW, home)]


def test_a_dropped_vacation_can_be_declared_again_from_tomorrow() -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-21", "2026-11-30"]]}, NOW)
    dropped = change_calendar(stored, {"vacation": []}, NOW + HOUR)
    again = change_calendar(dropped, {"vacation": [["2026-11-21", "2026-11-30"]]}, NOW + 2 * HOUR)
    midnight = datetime(2026, 11, 22, tzinfo=UTC)
    assert paused(load_calendar(again)) == [(NOW, NOW + HOUR), (midnight, midnight + 9 * DAY)]


def test_declaring_and_dropping_today_again_and_again_changes_nothing() -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-21", "2026-11-21"]]}, NOW)
    dropped = change_calendar(stored, {"vacation": []}, NOW + HOUR)
    for minutes in range(61, 120):
        wanted = [["2026-11-21", "2026-11-21"]] if minutes % 2 else []
        assert change_calendar(dropped, {"vacation": wanted}, NOW + timedelta(minutes=minutes)) == dropped


def test_one_day_of_vacation_stays_one_day_wherever_the_player_travels() -> None:
    """The same date begins 26 hours later at GMT+12 than on Kiritimati."""
    begins = datetime(2026, 11, 23, 10, tzinfo=UTC)
    stored = change_calendar(None, {"time_zone": "Pacific/Kiritimati", "vacation": [["2026-11-24", "2026-11-24"]]}, NOW)
    for hours in (1, 23, 24, 25, 49):
        moved = change_calendar(stored, {"time_zone": "Etc/GMT+12"}, begins + hours * HOUR)
        assert paused(load_calendar(moved)) == [(begins, begins + DAY)]


def test_vacation_days_to_come_follow_the_zone() -> None:
    stored = change_calendar(None, {"vacation": [["2026-12-24", "2026-12-24"]]}, NOW)
    moved = change_calendar(stored, {"time_zone": "Asia/Tokyo"}, NOW + DAY)
    begins = datetime(2026, 12, 23, 15, tzinfo=UTC)
    assert paused(load_calendar(moved)) == [(begins, begins + DAY)]


def test_a_day_that_is_over_in_the_new_zone_before_it_began_in_the_old_is_not_used() -> None:
    stored = change_calendar(None, {"time_zone": "Etc/GMT+12", "vacation": [["2026-11-24", "2026-11-24"]]}, NOW)
    moved = change_calendar(stored, {"time_zone": "Pacific/Kiritimati"}, datetime(2026, 11, 24, 11, tzinfo=UTC))
    assert shown(moved)["vacation"] == []


ZONES = st.sampled_from(["UTC", "Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin", "America/Havana"])
SPANS = st.lists(
    st.tuples(st.integers(-1, 6), st.integers(0, 3)).map(
        lambda span: [str(date(2026, 10, 30) + timedelta(days=days)) for days in (span[0], span[0] + span[1])]
    ),
    max_size=2,
)
CHANGES = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.fixed_dictionaries({}, optional={"time_zone": ZONES, "vacation": SPANS}),
    ),
    max_size=8,
)


@given(CHANGES)
def test_whatever_is_changed_the_past_stays_and_a_day_counts_once(changes: list[tuple[int, dict[str, Any]]]) -> None:
    """The clocks of Berlin and Havana are set back in these days, so that a day may have 25 hours."""
    now = datetime(2026, 10, 29, tzinfo=UTC)
    stored = None
    for hours, wanted in changes:
        now += hours * HOUR
        before = load_calendar(stored)
        try:
            stored = change_calendar(stored, wanted, now)
        except ClockError:
            continue
        after = load_calendar(stored)

        def past(calendar: Calendar, now: datetime = now) -> list[tuple[datetime, datetime]]:
            return [(begin, min(end, now)) for begin, end in paused(calendar) if begin < now]

        assert past(after) == past(before)
        days = [entry["day"] for entry in stored["vacation"]]
        assert len(days) == len(set(days))
        assert all(begin < end <= begin + 25 * HOUR for begin, end in after.vacations)
        assert change_calendar(stored, shown(stored), now + HOUR) == stored


def test_a_vacation_is_declared_a_year_ahead_at_most() -> None:
    assert change_calendar(None, {"vacation": [["2027-11-01", "2027-11-20"]]}, NOW)
    with pytest.raises(ClockError, match="more than a year ahead"):
        change_calendar(None, {"vacation": [["2027-12-01", "2027-12-02"]]}, NOW)


def test_quiet_hours_cannot_follow_the_sun() -> None:
    stored = None
    for change in range(10):
        stored = change_calendar(stored, {"quiet_hours": [f"{change:02}:00", f"{change + 10}:00"]}, NOW + change * DAY)
    with pytest.raises(ClockError, match="10 times in 30 days"):
        change_calendar(stored, {"time_zone": "Asia/Tokyo"}, NOW + 10 * DAY)
    assert change_calendar(stored, {"vacation": [["2026-12-24", "2026-12-26"]]}, NOW + 10 * DAY)
    assert change_calendar(stored, {"time_zone": "Asia/Tokyo"}, NOW + 31 * DAY)


def test_the_first_calendar_does_not_save_a_turn_that_runs() -> None:
    """Neither from now on nor backwards: the turn began without quiet hours."""
    began = datetime(2026, 11, 20, 16, tzinfo=UTC)
    own = load_calendar(change_calendar(None, {"quiet_hours": ["16:00", "04:00"]}, NOW))
    assert deadline(Duty(complete_clock({}), began, calendar=own)) == began + DAY
    assert deadline(Duty(complete_clock({}), NOW, calendar=own)) > NOW + DAY


def test_a_calendar_of_defaults_is_no_change() -> None:
    assert change_calendar(None, {}, NOW) == change_calendar(None, shown(None), NOW) == {"hours": [], "vacation": []}


def test_each_turn_keeps_the_hours_that_it_began_under() -> None:
    stored = change_calendar(None, {"quiet_hours": ["22:00", "06:00"]}, NOW)
    stored = change_calendar(stored, {"quiet_hours": None}, NOW + 2 * DAY)
    own = load_calendar(stored)
    assert deadline(Duty(complete_clock({}), NOW + DAY, calendar=own)) == NOW + 2 * DAY + timedelta(hours=16)
    assert deadline(Duty(complete_clock({}), NOW + 2 * DAY, calendar=own)) == NOW + 3 * DAY


def test_hours_that_no_turn_can_have_begun_under_are_forgotten() -> None:
    stored = None
    for year in range(12):
        hours = ["22:00", "06:00"] if year % 2 else None
        stored = change_calendar(stored, {"quiet_hours": hours}, NOW + year * 365 * DAY)
    assert stored is not None
    assert len(stored["hours"]) == 3
