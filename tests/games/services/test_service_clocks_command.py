from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from service_scene import started

from games import services
from games.models import Heartbeat
from games.selectors import clock_status


def told(**options):
    out = StringIO()
    call_command("clocks", stdout=out, **options)
    return out.getvalue()


def test_nothing_has_happened_yet(db, clock):
    assert told().splitlines() == [
        "due now         0",
        "oldest overdue  0:00:00",
        "last sweep      never",
        "web last seen   never",
        "outages         0",
    ]


def test_what_is_due_and_for_how_long(alice, bob, clock):
    started(alice, bob)
    clock.advance(days=1, minutes=2)
    assert "due now         2\noldest overdue  0:02:00\n" in told()
    assert clock_status().due == 2
    services.beat("web")
    with pytest.raises(CommandError, match="a turn, the sweeper"):
        told(alarm=60)
    services.sweep()
    assert "due now         0" in told(alarm=60)


def test_a_turn_that_an_outage_moved_is_not_due(alice, bob, clock):
    started(alice, bob)
    services.beat("web")
    clock.advance(days=1, minutes=2)
    services.beat("web")
    assert clock_status().due == 0
    assert (
        "outages         1\n  web      2026-11-21T12:00:00+00:00 to 2026-11-22T12:02:00+00:00, 1 day, 0:02:00" in told()
    )


def test_prometheus_reads_the_same(alice, bob, clock, client):
    started(alice, bob)
    clock.advance(days=1, minutes=2)
    Heartbeat.objects.create(part="sweeper", at=clock.at - timedelta(seconds=7))
    text = client.get("/metrics").content.decode()
    for line in (
        "trey_turns_due 2.0",
        "trey_turns_oldest_overdue_seconds 120.0",
        'trey_heartbeat_age_seconds{part="sweeper"} 7.0',
    ):
        assert line in text.splitlines()


def test_a_health_check_asks_for_the_heartbeat_of_a_part(db, clock):
    with pytest.raises(CommandError, match="no heartbeat yet"):
        call_command("heartbeat", "sweeper")
    services.sweep()
    clock.advance(seconds=60)
    out = StringIO()
    call_command("heartbeat", "sweeper", stdout=out)
    assert out.getvalue() == "The last heartbeat of the sweeper was 60 seconds ago.\n"
    clock.advance(seconds=1)
    with pytest.raises(CommandError, match="61 seconds ago"):
        call_command("heartbeat", "sweeper")
    call_command("heartbeat", "sweeper", within=61, stdout=out)
