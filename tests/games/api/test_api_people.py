"""GET me/people: with whom one played."""

import pytest

from core.accounts.models import Player
from tests.games.api.client import Person
from tests.games.test_people import played

pytestmark = pytest.mark.django_db


def test_me_people(alice: Person, bob: Person) -> None:
    assert alice.get("me/people").body == {"results": []}
    ada, other = (Player.objects.get(username=one.get("me").body["username"]) for one in (alice, bob))
    played(ada, other)
    [one] = alice.get("me/people").body["results"]
    assert (one["id"], one["username"], one["games"]) == (str(other.pk), other.username, 1)
    assert bob.patch("me", {"preferences": {"not_in_people": True}}).status == 200
    assert alice.get("me/people").body == {"results": []}
