"""GET and PATCH me."""

import pytest

from tests.games.api.client import Person

PROFILE = {"id", "username", "guest", "joined_at", "preferences", "calendar", "handles", "live_url"}


def test_the_profile_is_ones_own(alice: Person, bob: Person) -> None:
    assert alice.get("me").body["username"] == "alice"
    assert bob.get("me").body["username"] == "bob"
    assert set(bob.get("me").body) == PROFILE


def test_a_new_name_is_seen_by_others_and_changes_the_etag_of_their_games(
    alice: Person, bob: Person, room: dict[str, object]
) -> None:
    before = bob.get(f"games/{room['id']}")
    assert alice.patch("me", {"username": "alicia"}).body["username"] == "alicia"
    after = bob.get(f"games/{room['id']}")
    assert after.body["players"][0]["player"]["username"] == "alicia"
    assert after.body["version"] == before.body["version"]
    assert after.headers["etag"] != before.headers["etag"]


def test_the_case_of_ones_own_name_can_be_changed(alice: Person) -> None:
    assert alice.patch("me", {"username": "Alice"}).body["username"] == "Alice"


def test_nobody_takes_the_name_of_another(alice: Person, bob: Person) -> None:
    answer = bob.patch("me", {"username": "ALICE"})
    assert (answer.status, answer.code) == (409, "username_taken")
    assert bob.get("me").body["username"] == "bob"


@pytest.mark.parametrize("body", [{"id": 1}, {"is_staff": True}, {"username": ""}, {"username": None}])
def test_what_cannot_be_changed_is_refused_by_name(alice: Person, body: dict[str, object]) -> None:
    answer = alice.patch("me", body)
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == next(iter(body))


def test_an_empty_change_changes_nothing(alice: Person) -> None:
    assert alice.patch("me", {}).body == alice.get("me").body


def test_forced_moves_are_off_until_one_wants_them(alice: Person, bob: Person) -> None:
    assert alice.get("me").body["preferences"]["forced_moves"] is False
    assert alice.patch("me", {"preferences": {"forced_moves": True}}).body["preferences"]["forced_moves"] is True
    assert alice.patch("me", {"preferences": {}}).body["preferences"]["forced_moves"] is True
    assert bob.get("me").body["preferences"]["forced_moves"] is False
    for wrong in ({"forced_moves": 1}, {"forced": True}, [], None):
        answer = alice.patch("me", {"preferences": wrong})
        assert answer.status == 400
        assert answer.body["errors"][0]["field"].startswith("preferences")
