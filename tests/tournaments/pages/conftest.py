"""Olga's club of six, at a Saturday noon."""

import pytest

from core import clock as service_clock
from tests.tournaments.services.tournament_scene import Club
from tournaments.pages import kept


@pytest.fixture
def club(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> None:
    """A scene that is restored has the ids, the log and the time of the test before it, whose pages may be kept."""
    kept.draw.cache_clear()


def seconds_later() -> None:
    """The seconds for which pages are kept have passed."""
    kept.draw.cache_clear()
