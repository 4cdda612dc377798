"""A player's quiet hours and vacation: what may be asked for, and that nothing works backwards."""

from datetime import UTC, datetime, timedelta

import pytest

from games.clocks import (
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
    assert own.vacations == ((NOW, datetime(2026, 11, 23, tzinfo=UTC)),)
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
    assert own.vacations == ((NOW, datetime(2026, 11, 22, 11, tzinfo=UTC)),)
    with pytest.raises(ClockError, match=r"2026-11-21 is already over"):
        change_calendar(None, {**asked, "vacation": [["2026-11-21", "2026-11-22"]]}, NOW)


def test_a_vacation_day_on_which_clocks_change_is_whole() -> None:
    asked = {"time_zone": "America/Havana", "vacation": [["2026-03-08", "2026-03-08"], ["2026-11-01", "2026-11-01"]]}
    own = load_calendar(change_calendar(None, asked, datetime(2026, 1, 5, tzinfo=UTC)))
    assert [(end - start) // timedelta(hours=1) for start, end in own.vacations] == [23, 25]


def test_a_vacation_can_be_ended_and_its_days_stay_used() -> None:
    stored = change_calendar(None, {"vacation": [["2026-11-21", "2026-12-05"]]}, NOW)
    home = NOW + 3 * DAY
    ended = change_calendar(stored, {"vacation": []}, home)
    assert load_calendar(ended).vacations == ((NOW, home),)
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
    assert load_calendar(longer).vacations == ((NOW, datetime(2026, 11, 26, tzinfo=UTC)),)


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
