"""Olga's club of six, at a Saturday noon."""

import pytest

from core import clock as service_clock
from tests.tournaments.services.tournament_scene import Club
from tournaments.pages import kept


@pytest.fixture
def club(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())


def seconds_later() -> None:
    """The seconds for which pages are kept have passed."""
    kept.draw.cache_clear()
