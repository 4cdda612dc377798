"""Deliveries by outcome and live streams, as Prometheus sees them: there before their first event."""

import asyncio
import re
from contextlib import suppress

import pytest

from config.ops import metrics
from core.accounts.models import Player
from core.live import streams
from core.notifications import services as telling
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind

pytestmark = pytest.mark.django_db


def shown() -> dict[str, float]:
    body = metrics.exposition()[0].decode()
    return {
        name: float(value) for name, value in re.findall(r"^(trey_(?:deliveries|live)\S*) (\S+)$", body, re.MULTILINE)
    }


def test_deliveries_by_outcome_are_there_before_the_first_and_are_of_the_last_hour(clock):
    assert len(shown()) == 5 * 5 + 2 and set(shown().values()) == {0.0}
    ada = Player.objects.create_user("ada")
    telling.tell([ada.pk], the_kind(SECURITY, ACCOUNT), "test:1", data={"what": "test"})
    after = shown()
    assert after['trey_deliveries{channel="live",outcome="sent"}'] == 1.0
    assert after['trey_deliveries{channel="mail",outcome="skipped"}'] == 1.0
    clock.advance(hours=1, seconds=1)
    assert set(shown().values()) == {0.0}


def test_open_live_streams_are_counted_over_all_processes(clock):
    async def reports() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(streams.report(range(7)), 1)

    asyncio.run(reports())
    assert (shown()["trey_live_processes"], shown()["trey_live_streams"]) == (1.0, 7.0)
