"""The cast: Alice opens, Bob sits with her, Charlie has no access."""

import pytest

from core.accounts.models import Player


@pytest.fixture
def alice(db: None) -> Player:
    return Player.objects.create_user("alice")


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create_user("Bob")


@pytest.fixture
def charlie(db: None) -> Player:
    return Player.objects.create_user("charlie")


@pytest.fixture
def dora(db: None) -> Player:
    return Player.objects.create_user("dora")
