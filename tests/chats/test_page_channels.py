"""The page of what a room posts to (NT7), of use without script."""

import pytest
from django.test import Client

from chats.models import GroupChannel
from core.accounts.models import Player
from core.jobs.models import Work
from games import services
from games.projections import Snapshot

pytestmark = pytest.mark.django_db
SECRET = "a-s3cret"
DISCORD = {"what": "add", "service": "discord", "url": f"https://discord.com/api/webhooks/1234567890/{SECRET}"}


def browser_of(name: str) -> Client:
    client = Client()
    client.force_login(Player.objects.get(username=name))
    return client


@pytest.fixture
def room() -> Snapshot:
    """Ada's room, with Bob in it."""
    ada, bob = Player.objects.create_user("ada"), Player.objects.create_user("bob")
    room = services.open_room(ada, services.Terms("castle", 3, visibility="private"))
    return services.join(room.id, bob, invitation=room.invitation)


def page(who: Client, room: Snapshot, **sent: str) -> str:
    where = f"/rooms/{room.id}/channels"
    return (who.post(where, sent, follow=True) if sent else who.get(where)).content.decode()


@pytest.mark.sampled
def test_nt7_the_opener_adds_tests_and_removes_a_channel_and_its_secret_is_shown_nowhere(room: Snapshot) -> None:
    ada, bob = browser_of("ada"), browser_of("bob")
    assert "This table doesn't post to any channel." in page(ada, room)
    text = page(ada, room, **DISCORD)
    assert "Everyone at the table" in text and "discord.com" in text and SECRET not in text
    channel = str(GroupChannel.objects.get().pk)
    # Who sits there sees the service and nothing more of it; who is invited sees it before they sit down.
    seen = page(bob, room)
    assert "Discord" in seen and "discord.com" not in seen and "Test" not in seen and "Add a channel" not in seen
    assert "posts turns and results to Discord" in Client().get(f"/join/{room.invitation}").content.decode()
    assert "posts turns and results to Discord" in bob.get(f"/rooms/{room.id}").content.decode()

    assert "A test is on its way" in page(ada, room, what="test", channel=channel)
    assert Work.objects.filter(kind="notifications.test").count() == 1
    assert "have no such channel" in page(bob, room, what="test", channel=channel)
    assert "opened" in page(bob, room, what="remove", channel=channel)
    assert "This table doesn't post to any channel." in page(ada, room, what="remove", channel=channel)


def test_nt7_a_webhooks_secret_is_shown_once(room: Snapshot) -> None:
    ada = browser_of("ada")
    text = page(ada, room, what="add", service="webhook", url="https://hooks.example.org/x")
    assert "whsec_" in text
    assert "https://hooks.example.org/x" not in text, "nor is the address, which is one, too"
    assert "whsec_" not in page(ada, room)


def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_added(room: Snapshot) -> None:
    ada = browser_of("ada")
    wrong = {
        "https://example.org/": "This is the address of a server",
        "x y": "is incomplete",
        "": "requi",
    }
    for url, said in wrong.items():
        answer = ada.post(f"/rooms/{room.id}/channels", {**DISCORD, "url": url})
        assert answer.status_code == 400 and said in answer.content.decode()
    assert "opened" in page(browser_of("bob"), room, **DISCORD)
    assert not GroupChannel.objects.exists()
    for sent in ({"what": "nonsense"}, {"what": "test", "channel": "nonsense"}):
        assert ada.post(f"/rooms/{room.id}/channels", sent).status_code == 404


def test_a_private_rooms_channels_are_shown_to_nobody_else(room: Snapshot) -> None:
    Player.objects.create_user("eve")
    assert browser_of("eve").get(f"/rooms/{room.id}/channels").status_code == 404
    assert Client().get(f"/rooms/{room.id}/channels").headers["Location"].startswith("/accounts/login/")


def test_ac5_players_are_blocked_and_unblocked_on_a_page(room: Snapshot) -> None:
    ada, where = browser_of("ada"), "/accounts/blocked/"
    assert "You haven't blocked anybody." in ada.get(where).content.decode()
    assert "bob" in ada.post(where, {"username": "Bob"}, follow=True).content.decode()
    for name, said in (("nobody-there", "There is no player with this name."), ("ada", "You cannot block yourself.")):
        assert said in ada.post(where, {"username": name}).content.decode()
    assert "You haven't blocked anybody." in ada.post(where, {"unblock": "bob"}, follow=True).content.decode()
    assert where in ada.get("/accounts/").content.decode()


def test_ac3_a_taken_name_is_said_with_a_free_one_wherever_one_is_given(room: Snapshot) -> None:
    form = {"seats": "3", "bots": "0", "visibility": "private", "per_turn": "86400", "name": "Bob"}
    for path, sent in (
        ("/rooms/new/castle", form),
        ("/accounts/signup/", {"username": "Bob", "password1": "a quiet evening"}),
    ):
        assert "Bob is taken; Bob-2 is free. Choose another name." in Client().post(path, sent).content.decode()
