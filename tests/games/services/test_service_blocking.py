"""AC5: a player can block another: no invitations, no seat at their private tables."""

import pytest

from games.notifications.following import tell_players
from tests.games.api.client import Person
from tests.games.api.conftest import alice, bob, charlie, nobody

__all__ = ["alice", "bob", "charlie", "nobody"]

pytestmark = pytest.mark.django_db


def test_ac5_who_is_blocked_invites_nobody_and_gets_no_seat_at_private_tables(
    alice: Person, bob: Person, charlie: Person
) -> None:
    assert alice.call("PUT", "me/blocked/BOB").status == 204
    assert alice.call("PUT", "me/blocked/bob").status == 204
    [entry] = alice.get("me/blocked").body["results"]
    assert (entry["username"], entry["id"]) == ("bob", bob.get("me").body["id"])

    theirs = bob.opens()
    refused = bob.post(f"games/{theirs['id']}/invite", {"username": "alice"})
    assert (refused.status, refused.code) == (403, "blocked")
    assert bob.post(f"games/{theirs['id']}/invite", {"username": "charlie"}).status == 204

    private, public = alice.opens(visibility="private", seats=4), alice.opens(seats=4)
    code = {"invitation": private["invitation"]}
    assert bob.post(f"games/{private['id']}/join", code).code == "blocked"
    assert charlie.post(f"games/{private['id']}/join", code).status == 200
    assert bob.post(f"games/{public['id']}/join").status == 200
    # It does not hold the other way round.
    assert alice.post(f"games/{public['id']}/invite", {"username": "bob"}).code == "already_joined"
    assert bob.get("me/blocked").body["results"] == []

    assert alice.call("DELETE", "me/blocked/bob").status == 204
    assert bob.post(f"games/{private['id']}/join", code).status == 200


def test_ac5_a_rematch_invites_nobody_who_blocked_its_opener_and_seats_nobody_whom_the_opener_blocked(
    alice: Person, bob: Person
) -> None:
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    alice.post(f"games/{room['id']}/start")
    assert bob.post(f"games/{room['id']}/moves", {"move": "resign"}).status == 201
    assert alice.call("PUT", "me/blocked/bob").status == 204

    again = alice.post(f"games/{room['id']}/rematch")
    assert again.status == 201
    refused = bob.post(f"games/{room['id']}/rematch")
    assert (refused.status, refused.code) == (403, "blocked")
    assert alice.get(f"games/{again.body['id']}").body["version"] == again.body["version"]

    tell_players.catch_up()
    assert "invited" not in [one["kind"] for one in bob.get("me/notifications").body["results"]]
    assert alice.post(f"games/{again.body['id']}/bots").status == 200, "no seat is kept for who may not sit there"

    alice.post(f"games/{again.body['id']}/cancel")
    theirs = bob.post(f"games/{room['id']}/rematch")
    assert theirs.status == 201
    tell_players.catch_up()
    told = [one["text"] for one in alice.get("me/notifications").body["results"] if one["kind"] == "invited"]
    assert told == []


def test_a_player_who_is_not_there_or_oneself_cannot_be_blocked(alice: Person) -> None:
    assert alice.call("PUT", "me/blocked/nobody").code == "no_such_player"
    assert alice.call("PUT", "me/blocked/alice").code == "bad_username"
    assert alice.get("me/blocked").body["results"] == []


def test_ac5_export_has_whom_one_blocked_and_a_closed_account_is_on_nobodys_list(alice: Person, bob: Person) -> None:
    alice.call("PUT", "me/blocked/bob")
    [entry] = alice.get("me/export").body["blocked"]
    assert entry["id"] == bob.get("me").body["id"]
    assert bob.get("me/export").body["blocked"] == []
    from tests.games.api.client import PASSWORD

    assert bob.post("me/close", {"password": PASSWORD}).status == 204
    assert alice.get("me/blocked").body["results"] == []


def names_at(who: Person, room: dict) -> list[str]:
    return [seat["player"]["username"] for seat in who.get(f"games/{room['id']}").body["players"]]


@pytest.mark.sampled
def test_ac6_who_was_sent_out_stays_out_until_the_opener_invites_them_by_name(
    alice: Person, bob: Person, charlie: Person
) -> None:
    for visibility in ("private", "public"):
        room = alice.opens(visibility=visibility, seats=4)
        code = {"invitation": room["invitation"]} if room["invitation"] else None
        for person in (bob, charlie):
            assert person.post(f"games/{room['id']}/join", code).status == 200
        assert alice.post(f"games/{room['id']}/kick", {"seat": 1}).status == 200
        now = alice.get(f"games/{room['id']}").body
        assert names_at(alice, room) == ["alice", "charlie"]
        again = {"invitation": now["invitation"]} if now["invitation"] else None
        if visibility == "private":
            assert now["invitation"] != room["invitation"]
            assert bob.post(f"games/{room['id']}/join", code).status == 404
            assert bob.get(f"games/{room['id']}?invitation={room['invitation']}").status == 404
            kicked = alice.get(f"games/{room['id']}/events").body["results"][-1]
            assert (kicked["type"], kicked["data"]["invitation"]) == ("kicked", None)
        assert bob.post(f"games/{room['id']}/join", again).code == "sent_out"
        assert charlie.post(f"games/{room['id']}/invite", {"username": "bob"}).code == "not_the_opener"
        assert alice.post(f"games/{room['id']}/invite", {"username": "bob"}).status == 204
        assert bob.post(f"games/{room['id']}/join", again).status == 200


def test_ac5_who_is_blocked_does_not_stay_when_the_table_becomes_private_or_its_opener_another(
    alice: Person, bob: Person, charlie: Person
) -> None:
    assert alice.call("PUT", "me/blocked/bob").status == 204
    room = alice.opens(seats=4)
    for person in (bob, charlie):
        assert person.post(f"games/{room['id']}/join").status == 200
    assert alice.call("PATCH", f"games/{room['id']}", {"visibility": "private"}).status == 200
    assert names_at(alice, room) == ["alice", "charlie"] and bob.get(f"games/{room['id']}").status == 404
    tell_players.catch_up()
    assert [one["kind"] for one in bob.get("me/notifications").body["results"]] == ["seat"]

    theirs = charlie.opens(visibility="private", seats=4)
    for person in (alice, bob):
        assert person.post(f"games/{theirs['id']}/join", {"invitation": theirs["invitation"]}).status == 200
    charlie.post(f"games/{theirs['id']}/leave")
    assert names_at(alice, theirs) == ["alice"]


def test_ac5_blocking_sends_out_of_ones_open_private_tables(alice: Person, bob: Person, charlie: Person) -> None:
    private, public, others = alice.opens(visibility="private"), alice.opens(), charlie.opens(visibility="private")
    for room in (private, public, others):
        assert bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}).status == 200
    assert alice.call("PUT", "me/blocked/bob").status == 204
    assert [len(bob.get(f"games/{room['id']}").body.get("players", [])) for room in (private, public, others)] == [
        0,
        2,
        2,
    ]
