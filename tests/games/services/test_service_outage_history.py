"""Outages and heartbeats in an export of the log, and where it is imported."""

from datetime import timedelta

import pytest

from games.models import Heartbeat, Outage
from games.selectors import known_outages
from games.services import OutageHistory
from games.services.outages import SWEEPER, WEB, beat

pytestmark = pytest.mark.django_db
HISTORY = OutageHistory()


@pytest.fixture
def exported(clock):
    """What a service dumps that was out for ten minutes an hour ago."""
    for part in (WEB, SWEEPER):
        beat(part)
    clock.advance(minutes=10)
    for part in (WEB, SWEEPER):
        beat(part)
    value = list(HISTORY.dump())
    assert len(value) == HISTORY.count()
    Heartbeat.objects.all().delete()
    Outage.objects.all().delete()
    return value


def test_the_time_between_export_and_start_is_an_outage(exported, clock):
    stopped = clock.at
    HISTORY.load(exported)
    clock.advance(days=2)
    assert known_outages(stopped, clock.at) == [(stopped, clock.at)]
    assert beat(WEB).began_at == stopped
    assert Outage.objects.count() == 4, "of both parts"


def test_a_service_that_was_started_before_the_import_was_out_until_then(exported, clock):
    stopped = clock.at
    started = clock.advance(days=2)
    beat(WEB)
    HISTORY.load(exported)
    assert (stopped, started) in Outage.objects.filter(part=WEB).values_list("began_at", "ended_at")
    assert Heartbeat.objects.get(part=WEB).at == started


def test_loading_it_twice_is_loading_it_once(exported, clock):
    HISTORY.load(exported)
    before = list(Outage.objects.order_by("pk").values())
    HISTORY.load(exported)
    assert list(Outage.objects.order_by("pk").values()) == before
    assert list(HISTORY.dump()) == exported


def test_a_moment_needs_a_time_zone(exported):
    exported[-1]["began_at"] = "2026-11-21T12:00:00"
    with pytest.raises(ValueError, match="has no time zone"):
        HISTORY.load(exported)


def test_a_short_gap_is_none(exported, clock):
    clock.advance(timedelta(seconds=30))
    beat(WEB)
    HISTORY.load(exported)
    assert Outage.objects.filter(part=WEB).count() == 1
