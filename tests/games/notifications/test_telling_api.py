"""The calls on notifications, as a client makes them."""

import pytest

from core.accounts import services as accounts
from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.kinds import NAMES
from core.notifications.models import Delivery
from games.notifications.following import tell_players
from tests.games.api.client import Person
from tests.games.api.conftest import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db) -> Person:
    return person("ada")


@pytest.fixture
def bob(db) -> Person:
    return person("bob")


def test_an_invitation_says_who_and_lets_one_in(ada, bob):
    room = ada.opens(seats=2, visibility="private")
    path = f"games/{room['id']}"
    assert ada.post(f"{path}/invite", {"username": "BOB"}).status == 204
    assert ada.post(f"{path}/invite", {"username": "bob"}).status == 204  # told once
    page = bob.get("me/notifications").body
    assert page["unread"] == 1
    [told] = page["results"]
    assert (told["number"], told["kind"], told["text"]) == (1, "invited", "ada invites you to play: Threes with ada.")
    assert told["cause"].startswith(f"game:{room['id']}:invited:")
    assert told["link"] == f"/join/{room['invitation']}"
    assert bob.client.get(told["link"]).status_code == 200
    assert bob.post(f"{path}/join", {"invitation": told["link"].removeprefix("/join/")}).status == 200
    assert ada.post(f"{path}/invite", {"username": "bob"}).code == "already_joined"
    assert ada.post(f"{path}/invite", {"username": "nobody"}).code == "no_such_player"
    assert ada.post(f"{path}/start").status == 200
    assert ada.post(f"{path}/invite", {"username": "bob"}).code == "already_started"


def test_who_was_sent_out_of_a_private_room_is_not_given_its_key(ada, bob):
    room = ada.opens(seats=3, visibility="private")
    assert bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}).status == 200
    assert ada.post(f"games/{room['id']}/kick", {"seat": 1}).status == 200
    tell_players.catch_up()
    [told] = bob.get("me/notifications").body["results"]
    assert (told["kind"], room["invitation"] in str(told)) == ("seat", False)


@pytest.mark.sampled
def test_reading_up_to_a_number_and_the_unread_ones(ada, bob):
    for _ in range(3):
        room = ada.opens(seats=2)
        assert ada.post(f"games/{room['id']}/invite", {"username": "bob"}).status == 204
    assert bob.post("me/notifications/read", {"up_to": 2}).body == {"unread": 1}
    for yes in ("true", "True", "1"):
        page = bob.get(f"me/notifications?unread={yes}").body
        assert [one["number"] for one in page["results"]] == [3]
    assert len(bob.get("me/notifications?unread=0").body["results"]) == 3
    assert [one["read"] for one in bob.get("me/notifications").body["results"]] == [False, True, True]
    assert bob.post("me/notifications/read", {"up_to": 1}).body == {"unread": 1}  # never backwards
    assert bob.post("me/notifications/read", {"up_to": 4}).code == "no_such_number"
    assert bob.post("me/notifications/read", {"up_to": -1}).code == "invalid"
    page = bob.get("me/notifications?limit=2").body
    assert [one["number"] for one in page["results"]] == [3, 2]
    assert [one["number"] for one in bob.get(page["next"].partition("/api/v1/")[2]).body["results"]] == [1]


def test_nt8_texts_follow_the_names_of_now(ada, bob):
    room = ada.opens(seats=2)
    ada.post(f"games/{room['id']}/invite", {"username": "bob"})
    assert ada.patch("me", {"username": "lovelace"}).status == 200
    [told] = bob.get("me/notifications").body["results"]
    assert told["text"] == "lovelace invites you to play: Threes with lovelace."
    from core.notifications.models import Notification

    assert Notification.objects.get().data == {"by": ada.get("me").body["id"]}


def test_nt10_who_invited_is_named_after_leaving_the_room_until_the_account_is_closed(ada, bob):
    room, cho = ada.opens(seats=3), person("cho")
    cho.post(f"games/{room['id']}/join")
    ada.post(f"games/{room['id']}/invite", {"username": "bob"})
    assert ada.post(f"games/{room['id']}/leave").status == 200
    [told] = bob.get("me/notifications").body["results"]
    assert told["text"] == "ada invites you to play: Threes with cho."
    accounts.close(Player.objects.get(username="ada"))
    [told] = bob.get("me/notifications").body["results"]
    assert told["text"] == "Somebody invites you to play: Threes with cho."


def test_nt3_the_settings_are_a_matrix_with_defaults(ada):
    settings = ada.get("me/notifications/settings").body
    assert list(settings["matrix"]) == list(NAMES)
    assert settings["matrix"]["turn"] == {"live": True, "push": True, "mail": "fallback", "chat": True}
    assert settings["matrix"]["full"] == settings["matrix"]["reminder"] == settings["matrix"]["turn"]
    assert settings["matrix"]["round"] == {"live": True, "push": True, "mail": True, "chat": True}
    assert (settings["always"], settings["reminders"]) == (False, ["20%"])
    wanted = {"matrix": {"turn": {"mail": True}, "started": {"live": False}}, "reminders": ["24h", "4h", "24h"]}
    changed = ada.patch("me/notifications/settings", wanted).body
    assert changed["matrix"]["turn"]["mail"] is True and changed["matrix"]["started"]["live"] is False
    assert changed["reminders"] == ["24h", "4h"]
    assert ada.get("me/notifications/settings").body == changed


def test_nt3_bad_settings_name_every_field_and_change_nothing(ada):
    before = ada.get("me/notifications/settings").body
    wanted = {
        "matrix": {"turn": {"mail": "often", "webhook": True}, "gossip": {}, "security": {"mail": False}, "seat": 7},
        "reminders": ["24h", "soon", 4],
        "always": True,
    }
    answer = ada.patch("me/notifications/settings", wanted)
    assert answer.code == "bad_settings"
    assert [error["field"] for error in answer.body["errors"]] == [
        "matrix.turn.mail", "matrix.turn.webhook", "matrix.gossip", "matrix.security.mail", "matrix.seat",
        "reminders.1", "reminders.2",
    ]  # fmt: skip
    assert ada.get("me/notifications/settings").body == before


def test_nt3_a_kind_that_is_switched_off_says_so(ada, bob):
    bob.patch("me/notifications/settings", {"matrix": {"invited": {"live": False, "mail": False}}})
    room = ada.opens(seats=2)
    ada.post(f"games/{room['id']}/invite", {"username": "bob"})
    [told] = bob.get("me/notifications").body["results"]
    assert {name: fate["reason"] for name, fate in told["channels"].items()} == {
        "live": "switched off", "push": "no address", "mail": "switched off", "webhook": "no address",
        "chat": "no address",
    }  # fmt: skip
    assert not Delivery.objects.exists(), "what reaches nobody costs no row"


def test_seen_over_the_api(ada, bob):
    room = ada.opens(seats=2)
    path = f"games/{room['id']}"
    assert ada.post(f"{path}/seen", {"version": 2}).status == 204
    assert ada.post(f"{path}/seen", {"version": 1}).status == 204
    assert ada.post(f"{path}/seen", {"version": 3}).code == "unknown_version"
    assert ada.post(f"{path}/seen", {"version": "1"}).code == "invalid"
    assert bob.post(f"{path}/seen", {"version": 1}).code == "not_a_player"


def test_nt8_notifications_are_kept_90_days(ada, bob, clock):

    room = ada.opens(seats=2)
    ada.post(f"games/{room['id']}/invite", {"username": "bob"})
    clock.advance(days=90)
    assert telling.purge() == 0
    clock.advance(seconds=1)
    assert telling.purge() == 1


def test_ac5_the_export_has_them_and_closing_takes_them(ada, bob):
    room = ada.opens(seats=2)
    ada.post(f"games/{room['id']}/invite", {"username": "bob"})
    exported = bob.get("me/export").body
    assert [one["kind"] for one in exported["notifications"]] == ["invited"] and exported["webhooks"] == []
    player = Player.objects.get(username="bob")
    player.delete()
    from core.notifications.models import Notification

    assert not Notification.objects.exists()
