import pytest

from core import clock as service_clock
from tests.tournaments.services.tournament_scene import Club


@pytest.fixture
def club(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())
