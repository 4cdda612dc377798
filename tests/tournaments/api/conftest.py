"""The cast: Olga organises, Ada, Bob, Cleo and Dan play, Zoe is somebody else, Sue is staff."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from core import clock as service_clock
from core.accounts.login import tokens
from core.accounts.models import Player
from tests.games.api.client import Person
from tests.scenes import remembered
from tests.tournaments.moment import services

PAIRS = {"rounds": 2, "tables": {"size": 2}}


def person(username: str, **flags: Any) -> Person:
    return Person(username, token_of(username, **flags))


def token_of(username: str, **flags: Any) -> str:
    return tokens.issue(Player.objects.create_user(username, **flags))[0]


@pytest.fixture
def cast(db: None, clock: service_clock.FrozenClock) -> dict[str, Person]:
    return everybody()


def everybody() -> dict[str, Person]:
    names = ("olga", "ada", "bob", "cleo", "dan", "zoe", "sue")
    found = remembered("the cast", lambda: {name: token_of(name, is_staff=name == "sue") for name in names})
    return {**{name: Person(name, token) for name, token in found.items()}, "nobody": Person()}


@pytest.fixture
def olga(cast: dict[str, Person]) -> Person:
    return cast["olga"]


@pytest.fixture
def ada(cast: dict[str, Person]) -> Person:
    return cast["ada"]


@pytest.fixture
def zoe(cast: dict[str, Person]) -> Person:
    return cast["zoe"]


@pytest.fixture
def nobody(cast: dict[str, Person]) -> Person:
    return cast["nobody"]


def set_up(organiser: Person, **asked: Any) -> dict[str, Any]:
    answer = organiser.post("tournaments", {"title": "Threes 2026", "game": "threes", "kind": "rounds", **asked})
    assert answer.status == 201, answer.body
    return dict(answer.body)


def run() -> None:
    """The runner does all that is due."""
    while services.follow_games.catch_up() + services.run().done:
        pass


@pytest.fixture
def opened(cast: dict[str, Person]) -> Callable[..., dict[str, Any]]:
    """Sets up a tournament that four people have entered."""
    return partial(opened_by, cast)


@pytest.fixture
def running(cast: dict[str, Person]) -> Callable[..., dict[str, Any]]:
    """Sets up a tournament of four whose first round is seated."""
    return partial(running_by, cast)


def opened_by(cast: dict[str, Person], **asked: Any) -> dict[str, Any]:
    """A tournament of Olga's that four people have entered."""
    return remembered(f"opened {asked}", lambda: _opened_by(cast, asked))


def _opened_by(cast: dict[str, Person], asked: dict[str, Any]) -> dict[str, Any]:
    made = set_up(cast["olga"], **{"settings": PAIRS, **asked})
    assert cast["olga"].post(f"tournaments/{made['id']}/open").status == 200
    for name in ("ada", "bob", "cleo", "dan"):
        answer = cast[name].post(f"tournaments/{made['id']}/entries", {"invitation": made["invitation"]})
        assert answer.status == 201, answer.body
    return dict(cast["olga"].get(f"tournaments/{made['id']}").body)


def running_by(cast: dict[str, Person], **asked: Any) -> dict[str, Any]:
    """The same one, whose first round is seated."""

    def make() -> dict[str, Any]:
        made = _opened_by(cast, asked)
        assert cast["olga"].post(f"tournaments/{made['id']}/start").status == 200
        run()
        return dict(cast["olga"].get(f"tournaments/{made['id']}").body)

    return remembered(f"running {asked}", make)
