from datetime import UTC, datetime, timedelta, timezone

import pytest

from core import clock as service_clock


def test_the_clock_is_aware_and_in_utc():
    assert service_clock.now().tzinfo is UTC
    assert abs(service_clock.now() - datetime.now(UTC)) < timedelta(seconds=5)


def test_a_held_clock_stands_still_until_it_is_moved():
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    with service_clock.frozen(noon) as held:
        assert service_clock.now() == noon == service_clock.now()
        held.advance(hours=1, seconds=5)
        assert service_clock.now() == noon + timedelta(seconds=3605)
        with service_clock.frozen(noon):
            assert service_clock.now() == noon
        assert service_clock.now() == noon + timedelta(seconds=3605)
    assert service_clock.now() != noon


def test_a_held_clock_answers_in_utc_whatever_zone_it_was_given():
    with service_clock.frozen(datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2)))):
        assert service_clock.now().isoformat() == "2026-03-01T10:00:00+00:00"


def test_a_time_without_its_zone_is_no_time():
    with pytest.raises(ValueError, match="aware datetime"), service_clock.frozen(datetime(2026, 3, 1, 12)):  # noqa: DTZ001
        pass


def test_the_clock_can_be_set_ahead_for_a_trial_run(settings):
    settings.TREY_CLOCK_AHEAD = 3600
    ahead = service_clock.now() - datetime.now(UTC)
    assert timedelta(minutes=59, seconds=55) < ahead <= timedelta(hours=1)
