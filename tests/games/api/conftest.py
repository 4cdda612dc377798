"""The cast: Alice opens the rooms, Bob sits down in them, Charlie is somebody else."""

from typing import Any

import pytest

from core.accounts.login import tokens
from core.accounts.models import Player
from tests.games.api.client import PASSWORD, Person, concrete


def person(username: str) -> Person:
    player = Player.objects.create_user(username, password=PASSWORD)
    return Person(username, tokens.issue(player)[0])


@pytest.fixture
def alice(db: None) -> Person:
    return person("alice")


@pytest.fixture
def bob(db: None) -> Person:
    return person("bob")


@pytest.fixture
def charlie(db: None) -> Person:
    return person("charlie")


@pytest.fixture
def nobody(db: None) -> Person:
    """Somebody without a token."""
    return Person()


@pytest.fixture
def room(alice: Person, bob: Person) -> dict[str, Any]:
    """Alice's open room of Threes, in which Bob sits too."""
    return room_of(alice, bob)


@pytest.fixture
def game(alice: Person, room: dict[str, Any]) -> dict[str, Any]:
    """Alice's and Bob's game of Threes, just dealt; Alice has seat 0, Bob seat 1."""
    return game_in(room, alice)


@pytest.fixture
def running(alice: Person, bob: Person, game: dict[str, Any]) -> dict[str, Any]:
    """The same game behind its setup."""
    return behind_setup(game, alice, bob)


def room_of(alice: Person, bob: Person) -> dict[str, Any]:
    game = alice.opens()
    return dict(bob.post(f"games/{game['id']}/join").body)


def game_in(room: dict[str, Any], alice: Person) -> dict[str, Any]:
    answer = alice.post(f"games/{room['id']}/start")
    assert answer.status == 200, answer.body
    return dict(answer.body)


def behind_setup(game: dict[str, Any], alice: Person, bob: Person) -> dict[str, Any]:
    for player in (alice, bob):
        legal = player.get(f"games/{game['id']}/moves").body["moves"]
        answer = player.post(f"games/{game['id']}/moves", concrete(legal[0]))
        assert answer.status == 201, answer.body
    return alice.sees(game)
