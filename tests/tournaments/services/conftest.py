"""Olga's club of six, at a Saturday noon."""

import pytest
from tournament_scene import Club

from core import clock as service_clock


@pytest.fixture
def club(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())
