"""A player with a webhook, and receivers that behave as receivers do."""

import pytest

from games.platform.accounts.models import Player
from tests.platform.telling.receivers import Receiver


@pytest.fixture
def local(settings):
    settings.TREY_HOOKS_LOCAL = True


@pytest.fixture
def receiver(local):
    with Receiver() as one:
        yield one


@pytest.fixture
def ada(transactional_db) -> Player:
    return Player.objects.create_user("ada")
