"""Heartbeats and the outages that they tell of."""

from datetime import UTC, datetime, timedelta

from games.clocks import certain_until, complete_clock, deadline, gap, known_outages
from games.clocks.deadline import Duty

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def test_a_gap_within_a_minute_is_no_outage() -> None:
    assert gap(NOON, NOON + 5 * SECOND) is None
    assert gap(NOON, NOON + MINUTE) is None


def test_a_longer_gap_is_one_from_beat_to_beat() -> None:
    assert gap(NOON, NOON + MINUTE + SECOND) == (NOON, NOON + MINUTE + SECOND)


def test_a_part_that_is_still_silent_is_out_until_now() -> None:
    beats = {"web": NOON, "sweeper": NOON + 10 * MINUTE}
    assert known_outages([], beats, NOON + 10 * MINUTE) == [(NOON, NOON + 10 * MINUTE)]
    assert known_outages([], beats, NOON + MINUTE) == []


def test_what_goes_on_is_counted_by_the_minute() -> None:
    beats = {"web": NOON}
    assert known_outages([], beats, NOON + 90 * SECOND) == [(NOON, NOON + MINUTE)]
    assert known_outages([], beats, NOON + 119 * SECOND) == [(NOON, NOON + MINUTE)]


def test_outages_of_several_parts_are_joined_where_they_overlap() -> None:
    recorded = [
        (NOON + 8 * MINUTE, NOON + 9 * MINUTE),
        (NOON, NOON + 2 * MINUTE),
        (NOON + MINUTE, NOON + 5 * MINUTE),
        (NOON + MINUTE, NOON + 2 * MINUTE),
    ]
    assert known_outages(recorded, {}, NOON) == [(NOON, NOON + 5 * MINUTE), (NOON + 8 * MINUTE, NOON + 9 * MINUTE)]


def test_nobody_is_judged_later_than_every_part_is_known_to_have_lived() -> None:
    beats = {"web": NOON - 20 * SECOND, "sweeper": NOON}
    assert certain_until(beats, NOON) == NOON - 20 * SECOND
    assert certain_until({}, NOON) == NOON


def test_a_turn_that_runs_out_as_the_web_dies_is_not_missed() -> None:
    """The web dies at noon; a turn is up 20 s later. No sweep at any moment of the outage may judge it as missed."""
    clock = complete_clock({"per_turn": 3600})
    began = NOON + 20 * SECOND - timedelta(hours=1)
    for seconds in range(0, 600, 5):
        now = NOON + seconds * SECOND
        beats = {"web": NOON, "sweeper": now}
        due = deadline(Duty(clock, began, outages=known_outages([], beats, now)))
        assert due > certain_until(beats, now)
    back = NOON + 600 * SECOND
    assert deadline(Duty(clock, began, outages=[(NOON, back)])) == back + 20 * SECOND
