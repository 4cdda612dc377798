"""Deadlines and their explanations, over daylight saving, leap days and outages, against a count of single minutes."""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.calendars.calendar import Hours, Interval
from games.clocks import (
    Calendar,
    Duty,
    complete_clock,
    deadline,
    explain,
    load_calendar,
    public_segments,
    segments,
    spent,
)

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def at(text: str, zone: str = "UTC") -> datetime:
    """A local time as an instant."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def calendar(zone: str, begin: str, end: str, *vacations: Interval) -> Calendar:
    quiet = (time.fromisoformat(begin), time.fromisoformat(end))
    return Calendar((Hours(datetime.min.replace(tzinfo=UTC), ZoneInfo(zone), quiet),), vacations)


def test_without_pauses_the_deadline_is_the_time_per_turn_later() -> None:
    assert deadline(Duty(complete_clock({}), at("2026-11-21 10:00"))) == at("2026-11-22 10:00")


def test_the_bank_follows_the_turns_own_time() -> None:
    duty = Duty(complete_clock({"per_turn": 3600}), at("2026-11-21 10:00"), bank=2 * HOUR)
    assert deadline(duty) == at("2026-11-21 13:00")
    assert [(part.reason, part.length) for part in segments(duty)] == [("turn", HOUR), ("bank", 2 * HOUR)]


@pytest.mark.parametrize(
    ("hours", "turn", "bank"), [(0, 0, 0), (0.5, 0.5, 0), (1, 1, 0), (1.5, 1, 0.5), (3, 1, 2), (9, 1, 2)]
)
def test_a_duty_uses_the_turn_first_and_never_more_than_there_is(hours: float, turn: float, bank: float) -> None:
    duty = Duty(complete_clock({"per_turn": 3600}), at("2026-11-21 10:00"), bank=2 * HOUR)
    used = spent(duty, duty.began + hours * HOUR)
    assert (used.turn, used.bank) == (turn * HOUR, bank * HOUR)


def test_the_weekend_pause_is_the_games_own_saturday_and_sunday() -> None:
    clock = complete_clock({"weekend_pause": True, "time_zone": "America/New_York"})
    friday = at("2026-11-20 18:00", "America/New_York")
    assert deadline(Duty(clock, friday)) == at("2026-11-23 18:00", "America/New_York")
    sunday = at("2026-11-22 12:00", "America/New_York")
    assert deadline(Duty(clock, sunday)) == at("2026-11-24 00:00", "America/New_York")


def test_a_deadline_at_the_very_start_of_a_pause_does_not_wait_for_its_end() -> None:
    clock = complete_clock({"weekend_pause": True})
    assert deadline(Duty(clock, at("2026-11-20 00:00"))) == at("2026-11-21 00:00")


def test_quiet_hours_past_midnight_pause_each_night() -> None:
    duty = Duty(
        complete_clock({}),
        at("2026-11-20 20:00", "Europe/Berlin"),
        calendar=calendar("Europe/Berlin", "22:00", "07:00"),
    )
    # 2 h on the first evening, 15 h on the day after, 7 h on the third.
    assert deadline(duty) == at("2026-11-22 14:00", "Europe/Berlin")


@pytest.mark.parametrize("switch", ["quiet_hours", "vacation"])
def test_a_game_can_do_without_private_pauses(switch: str) -> None:
    began = at("2026-11-20 20:00")
    own = calendar("UTC", "21:00", "06:00", (began, began + 5 * DAY))
    with_both = deadline(Duty(complete_clock({}), began, calendar=own))
    assert deadline(Duty(complete_clock({switch: False}), began, calendar=own)) < with_both
    assert deadline(Duty(complete_clock({"quiet_hours": False, "vacation": False}), began, calendar=own)) == began + DAY


def test_quiet_hours_moved_during_a_turn_do_not_change_it() -> None:
    began = at("2026-11-20 20:00")
    hours = [
        {"since": "2026-01-01T00:00:00Z", "time_zone": "UTC", "quiet_hours": None},
        {"since": "2026-11-20T20:00:01Z", "time_zone": "UTC", "quiet_hours": ["20:00", "08:00"]},
    ]
    own = load_calendar({"hours": hours, "vacation": []})
    assert deadline(Duty(complete_clock({}), began, calendar=own)) == began + DAY
    assert deadline(Duty(complete_clock({}), began + HOUR, calendar=own)) == at("2026-11-22 20:00")


@pytest.mark.parametrize(
    ("zone", "evening", "morning", "running_that_day"),
    [
        ("Europe/Berlin", "2026-03-28 22:00", "2026-03-29 07:00", 15),  # a night of 8 hours, the day before 15
        ("Europe/Berlin", "2026-10-24 22:00", "2026-10-25 07:00", 15),  # a night of 10
        ("America/New_York", "2026-03-07 22:00", "2026-03-08 07:00", 15),
        ("America/New_York", "2026-10-31 22:00", "2026-11-01 07:00", 15),
        ("Australia/Lord_Howe", "2026-04-04 22:00", "2026-04-05 07:00", 15),  # clocks go back by half an hour
        ("Australia/Lord_Howe", "2026-10-03 22:00", "2026-10-04 07:00", 15),
    ],
)
def test_a_night_in_which_clocks_change_is_quiet_from_wall_time_to_wall_time(
    zone: str, evening: str, morning: str, running_that_day: int
) -> None:
    own = calendar(zone, "22:00", "07:00")
    duty = Duty(complete_clock({"per_turn": running_that_day * 3600}), at(evening, zone), calendar=own)
    assert segments(duty)[0].reason == "quiet_hours"
    assert segments(duty)[0].end == at(morning, zone)
    assert deadline(duty) == at(morning, zone) + running_that_day * HOUR


def test_quiet_hours_that_begin_in_a_skipped_hour_begin_at_the_jump() -> None:
    own = calendar("Europe/Berlin", "02:30", "06:00")
    first, second, third = segments(Duty(complete_clock({}), at("2026-03-28 23:00"), calendar=own))[:3]
    assert (first.end, second.end) == (at("2026-03-29 01:00"), at("2026-03-29 04:00"))
    assert (first.reason, second.reason, third.reason) == ("turn", "quiet_hours", "turn")


def test_quiet_hours_that_end_in_a_repeated_hour_end_at_its_second_time() -> None:
    own = calendar("Europe/Berlin", "22:00", "02:30")
    night = segments(Duty(complete_clock({}), at("2026-10-24 20:00"), calendar=own))[0]
    assert night.end == at("2026-10-25 01:30")


@pytest.mark.parametrize(("end", "hours"), [("01:59", 3 + 59 / 60), ("02:00", 4), ("02:01", 5 + 1 / 60), ("03:00", 6)])
def test_clocks_set_back_to_the_very_end_of_a_pause_do_not_prolong_it(end: str, hours: float) -> None:
    """In Berlin on 25 October 2026 the time from 02:00 to 03:00 occurs twice."""
    own = calendar("Europe/Berlin", "22:00", end)
    night = segments(Duty(complete_clock({}), at("2026-10-24 20:00"), calendar=own))[0]
    assert (night.reason, night.length) == ("quiet_hours", timedelta(hours=hours))


def test_quiet_hours_that_vanish_in_a_skipped_hour_pause_nothing() -> None:
    own = calendar("Europe/Berlin", "02:10", "02:50")
    assert [
        part.reason for part in segments(Duty(complete_clock({"per_turn": 7200}), at("2026-03-29 00:00"), calendar=own))
    ] == ["turn"]


def test_a_leap_day_is_a_day_like_any_other() -> None:
    clock = complete_clock({"per_turn": 2 * 86400})
    assert deadline(Duty(clock, at("2028-02-28 12:00"))) == at("2028-03-01 12:00")
    own = calendar("UTC", "22:00", "10:00", (at("2028-02-29"), at("2028-03-01")))
    assert deadline(Duty(clock, at("2028-02-28 10:00"), calendar=own)) == at("2028-03-03 22:00")


def test_a_weekend_without_a_date_line_day() -> None:
    # Samoa left out Friday 30 December 2011: Thursday was followed by Saturday.
    clock = complete_clock({"weekend_pause": True, "time_zone": "Pacific/Apia"})
    assert deadline(Duty(clock, at("2011-12-29 12:00", "Pacific/Apia"))) == at("2012-01-02 12:00", "Pacific/Apia")


def test_an_outage_makes_a_deadline_later_by_its_length() -> None:
    began = at("2026-11-21 10:00")
    plain = Duty(complete_clock({}), began)
    outage = (began + 3 * HOUR, began + 5 * HOUR)
    assert deadline(Duty(plain.clock, began, outages=[outage])) == deadline(plain) + 2 * HOUR
    # Also one that the old deadline lies in: whoever had an hour left has it still.
    late = (began + 23 * HOUR, began + 40 * HOUR)
    assert deadline(Duty(plain.clock, began, outages=[late])) == began + 41 * HOUR
    # Two parts that were out at the same time are one outage, and what lies outside the turn counts for nothing.
    others = [
        outage,
        (began + 4 * HOUR, began + 6 * HOUR),
        (began - 5 * HOUR, began - HOUR),
        (began + 90 * HOUR, began + 99 * HOUR),
    ]
    assert deadline(Duty(plain.clock, began, outages=others)) == deadline(plain) + 3 * HOUR


def test_an_outage_during_a_pause_costs_nothing_and_gives_nothing() -> None:
    clock = complete_clock({"weekend_pause": True})
    friday = at("2026-11-20 12:00")
    outage = (at("2026-11-21 03:00"), at("2026-11-21 09:00"))
    assert deadline(Duty(clock, friday, outages=[outage])) == deadline(Duty(clock, friday))


def test_an_outage_that_a_turn_begins_in_counts_from_its_beginning() -> None:
    began = at("2026-11-21 10:00")
    assert deadline(Duty(complete_clock({}), began, outages=[(began - HOUR, began + HOUR)])) == began + 25 * HOUR


def test_the_explanation_names_the_players_own_pauses_to_nobody_else() -> None:
    began = at("2026-11-20 20:00")
    own = calendar("UTC", "22:00", "06:00", (at("2026-11-23"), at("2026-11-24")))
    outage = (at("2026-11-20 23:00"), at("2026-11-21 07:00"))
    duty = Duty(complete_clock({"weekend_pause": True, "bank": 7200}), began, 2 * HOUR, own, [outage])
    mine = explain(duty, began + HOUR, owner=True)
    theirs = explain(duty, began + HOUR, owner=False)
    assert [(part["kind"], part["reason"], part["seconds"]) for part in mine["segments"]] == [
        ("deduction", "turn", 2 * 3600),
        ("pause", "quiet_hours", 2 * 3600),
        ("pause", "weekend", 48 * 3600),
        ("pause", "vacation", 24 * 3600),
        ("pause", "quiet_hours", 6 * 3600),
        ("deduction", "turn", 16 * 3600),
        ("pause", "quiet_hours", 8 * 3600),
        ("deduction", "turn", 6 * 3600),
        ("deduction", "bank", 2 * 3600),
    ]
    assert mine["now"] == {
        "at": "2026-11-20T21:00:00Z",
        "reason": "turn",
        "runs": True,
        "until": "2026-11-20T22:00:00Z",
        "turn_left": 23 * 3600,
        "bank_left": 7200,
    }
    assert [(part["kind"], part["reason"], part["seconds"]) for part in theirs["segments"]] == [
        ("time", "time", 3 * 3600),
        ("refund", "outage", 1 * 3600),
        ("pause", "weekend", 48 * 3600),
        ("time", "time", 62 * 3600),
    ]
    assert theirs["totals"] == {
        "turn": 86400, "bank": 7200, "paused": 39 * 3600, "weekend": 48 * 3600, "outage": 3600
    }  # fmt: skip
    assert mine["deadline_at"] == theirs["deadline_at"] == "2026-11-25T14:00:00Z"
    assert "now" not in theirs
    assert not {"quiet_hours", "vacation"} & {part["reason"] for part in theirs["segments"]}


# --- against a count of single minutes ---------------------------------------------------------------------------

ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
    "America/Havana", "Africa/Casablanca", "Pacific/Apia", "America/St_Johns", "Asia/Beirut", "Pacific/Kiritimati",
    "America/Scoresbysund",
]  # fmt: skip
# Days around which clocks change somewhere, or a date is there once in four years or not at all.
DAYS = [
    date(2026, 3, 7), date(2026, 3, 28), date(2026, 4, 4), date(2026, 10, 3), date(2026, 10, 24), date(2026, 10, 31),
    date(2028, 2, 28), date(2011, 12, 29), date(2026, 2, 14), date(2026, 3, 21), date(2026, 7, 1), date(2024, 3, 30),
]  # fmt: skip


class Minutes:
    """The pauses minute by minute, read off the wall clock alone."""

    def __init__(self, zone: str, since: datetime, count: int) -> None:
        self.since = since
        margin = 2 * 1440
        where = ZoneInfo(zone)
        wall = [(since + n * MINUTE).astimezone(where).replace(tzinfo=None) for n in range(-margin, count + margin)]
        # The latest time that the wall clock has shown so far, and the earliest that it will still show.
        self.shown = list(accumulate(wall, max))[margin:-margin]
        self.to_come = list(accumulate(reversed(wall), min))[::-1][margin:-margin]

    def between(self, begin: timedelta, end: timedelta, days: range, weekday: int | None = None) -> list[bool]:
        """Whether each minute lies in a pause from `begin` to `end` after the midnight of some (such) day."""
        found, pauses = [], dict[date, list[tuple[datetime, datetime]]]()
        for shown, to_come in zip(self.shown, self.to_come, strict=True):
            today = shown.date()
            if today not in pauses:
                midnights = [datetime.combine(today, time()) + n * DAY for n in days]
                pauses[today] = [
                    (midnight + begin, midnight + end)
                    for midnight in midnights
                    if weekday is None or midnight.weekday() == weekday
                ]
            found.append(any(shown >= start and to_come < stop for start, stop in pauses[today]))
        return found


times = st.builds(time, st.integers(0, 23), st.sampled_from([0, 10, 30, 45]))


@st.composite
def duties(draw: st.DrawFn) -> Duty:
    per_turn = draw(st.integers(1, 60 * 24 * 2))
    clock = complete_clock(
        {
            "per_turn": 60 * per_turn,
            "weekend_pause": draw(st.booleans()),
            "time_zone": draw(st.sampled_from(ZONES)),
            "quiet_hours": draw(st.booleans()),
            "vacation": draw(st.booleans()),
        }
    )
    began = datetime.combine(draw(st.sampled_from(DAYS)), time(), UTC) + draw(st.integers(-1440, 1440)) * MINUTE
    begin, length = draw(times), draw(st.integers(1, 12 * 60))
    end = (datetime.combine(date(2026, 1, 1), begin) + length * MINUTE).time()
    hours = Hours(began - DAY, ZoneInfo(draw(st.sampled_from(ZONES))), (begin, end))
    spans = st.tuples(st.integers(-2000, 3000), st.integers(1, 2000)).map(
        lambda span: (began + span[0] * MINUTE, began + (span[0] + span[1]) * MINUTE)
    )
    vacations = tuple(draw(st.lists(spans, max_size=2)))
    return Duty(
        clock,
        began,
        draw(st.integers(0, 600)) * MINUTE,
        Calendar((hours,), vacations),
        draw(st.lists(spans, max_size=3)),
    )


def running_minutes(duty: Duty, count: int) -> list[bool]:
    """For each of the first minutes of a duty, whether its clock runs."""
    hours = duty.calendar.hours[0]
    assert hours.quiet is not None
    begin, end = (timedelta(hours=moment.hour, minutes=moment.minute) for moment in hours.quiet)
    paused = [[False] * count]
    if duty.clock["weekend_pause"]:
        paused.append(
            Minutes(duty.clock["time_zone"], duty.began, count).between(timedelta(), 2 * DAY, range(-2, 1), 5)
        )
    if duty.clock["quiet_hours"]:
        wraps = DAY if end <= begin else timedelta()
        paused.append(Minutes(hours.zone.key, duty.began, count).between(begin, end + wraps, range(-1, 1)))
    spans = [*duty.outages, *(duty.calendar.vacations if duty.clock["vacation"] else ())]
    instants = [duty.began + n * MINUTE for n in range(count)]
    paused.append([any(start <= instant < end for start, end in spans) for instant in instants])
    return [not any(minute) for minute in zip(*paused, strict=True)]


@settings(max_examples=60)
@given(duties())
def test_a_deadline_is_the_minute_at_which_counting_minutes_ends(duty: Duty) -> None:
    budget = int((timedelta(seconds=duty.clock["per_turn"]) + duty.bank) / MINUTE)
    days = next(days for days in (3, 7, 20) if sum(running_minutes(duty, days * 1440)) > budget)
    ran = list(accumulate(running_minutes(duty, days * 1440)))
    expected = duty.began + (bisect_left(ran, budget) + 1) * MINUTE
    assert deadline(duty) == expected


@settings(max_examples=150)
@given(duties())
def test_an_explanation_covers_every_second_once_and_sums_up(duty: Duty) -> None:
    mine, theirs = segments(duty), public_segments(duty)
    for found in (mine, theirs):
        assert found[0].start == duty.began
        assert found[-1].end == deadline(duty)
        assert all(part.end > part.start for part in found)
        assert all(a.end == b.start and a.reason != b.reason for a, b in pairwise(found))
    for reason, length in (("turn", timedelta(seconds=duty.clock["per_turn"])), ("bank", duty.bank)):
        assert sum((part.length for part in mine if part.reason == reason), timedelta()) == length
    assert {part.reason for part in theirs} <= {"time", "weekend", "outage"}
    for owner in (True, False):
        answer = explain(duty, duty.began, owner=owner)
        assert sum(answer["totals"].values()) == (deadline(duty) - duty.began).total_seconds()
        assert all(seconds >= 0 for seconds in answer["totals"].values())


@settings(max_examples=150)
@given(duties(), st.integers(0, 5000), st.integers(0, 5000))
def test_time_spent_grows_to_all_there_is_at_the_deadline_and_not_before(duty: Duty, first: int, second: int) -> None:
    earlier, later = (duty.began + minutes * MINUTE for minutes in sorted((first, second)))
    a, b = spent(duty, earlier), spent(duty, later)
    assert a.turn <= b.turn
    assert a.bank <= b.bank
    everything = timedelta(seconds=duty.clock["per_turn"]) + duty.bank
    assert (b.turn + b.bank == everything) == (later >= deadline(duty))
    assert spent(duty, duty.began).turn == timedelta()


@settings(max_examples=150)
@given(duties(), st.integers(0, 3000), st.integers(0, 600))
def test_who_begins_later_or_has_more_in_the_bank_never_has_to_move_earlier(duty: Duty, delay: int, more: int) -> None:
    later = Duty(duty.clock, duty.began + delay * MINUTE, duty.bank, duty.calendar, duty.outages)
    richer = Duty(duty.clock, duty.began, duty.bank + more * MINUTE, duty.calendar, duty.outages)
    assert deadline(duty) <= deadline(later)
    assert deadline(duty) <= deadline(richer)


@settings(max_examples=150)
@given(duties(), st.integers(-500, 4000), st.integers(1, 3000))
def test_an_outage_found_later_gives_back_exactly_the_running_time_it_took(duty: Duty, start: int, length: int) -> None:
    begin, end = duty.began + start * MINUTE, duty.began + (start + length) * MINUTE
    refunded = Duty(duty.clock, duty.began, duty.bank, duty.calendar, [*duty.outages, (begin, end)])
    took = counted(duty, end) - counted(duty, begin)
    # By the old deadline exactly what the outage took is still left, and the rest of it beyond that is paused as well.
    assert counted(duty, deadline(duty)) - counted(refunded, deadline(duty)) == took
    assert deadline(refunded) >= deadline(duty)
    assert (deadline(refunded) > deadline(duty)) == (took > timedelta())


def counted(duty: Duty, moment: datetime) -> timedelta:
    used = spent(duty, moment)
    return used.turn + used.bank


def test_thirty_days_with_long_pauses_are_counted_without_looking_at_seconds() -> None:
    began = at("2026-01-01 00:00")
    own = calendar("Europe/Berlin", "20:00", "08:00", (at("2026-02-01"), at("2026-03-03")))
    duty = Duty(
        complete_clock({"per_turn": 30 * 86400, "bank": 90 * 86400, "weekend_pause": True}), began, 90 * DAY, own
    )
    assert began + 336 * DAY < deadline(duty) < began + 400 * DAY
    assert len(segments(duty)) < 1000
