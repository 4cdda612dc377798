"""A player's people: whom one tap invites."""

from typing import Any

import pytest
from django.test import Client

from core.accounts import blocking, exporting
from core.accounts.models import Player
from core.clock import FrozenClock
from core.notifications.selectors import notifications_of
from games import services
from games.notifications.kinds import INVITED
from games.selectors.people import MOST_PEOPLE, people_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    return [Player.objects.create_user(name) for name in ("ada", "bob", "cleo", "dan")]


def played(*people: Player, visibility: str = "private", ends: bool = True) -> None:
    room = services.open_room(people[0], services.Terms("threes", len(people), visibility=visibility))
    for other in people[1:]:
        services.join(room.id, other, invitation=room.invitation)
    services.start(room.id, people[0])
    for one in people[1:] if ends else ():
        services.play(room.id, one, {"move": "resign"})


def names(player: Player) -> list[str]:
    return [one.username for one in people_of(player)]


def test_they_are_those_of_a_finished_private_game_or_of_two_others_the_last_first(
    people: list[Player], clock: FrozenClock
) -> None:
    ada, bob, cleo, dan = people
    played(ada, dan, ends=False)
    played(ada, bob)
    clock.advance(hours=1)
    played(ada, cleo, visibility="public")
    assert names(ada) == ["bob"] and names(bob) == ["ada"] and names(cleo) == []
    clock.advance(hours=1)
    played(cleo, ada, visibility="public")
    assert names(ada) == ["cleo", "bob"] and names(cleo) == ["ada"]
    assert (people_of(ada)[0].games, people_of(ada)[0].last_at) == (2, clock.at)
    assert names(dan) == []


@pytest.mark.parametrize("who", ["ada", "bob"])
def test_who_blocked_the_other_is_in_neither_list(people: list[Player], who: str) -> None:
    ada, bob, *_ = people
    played(ada, bob)
    blocking.block(*((ada, "bob") if who == "ada" else (bob, "ada")))
    assert names(ada) == names(bob) == []


@pytest.mark.parametrize(
    "gone",
    [{"is_active": False}, {"guest_seen_at": "2026-01-02T00:00:00Z"}, {"preferences": {"not_in_people": True}}],
)
def test_closed_accounts_guests_and_who_does_not_want_to_be_are_in_no_list(
    people: list[Player], gone: dict[str, Any]
) -> None:
    ada, bob, *_ = people
    played(ada, bob)
    Player.objects.filter(pk=bob.pk).update(**gone)
    assert names(ada) == []
    assert names(Player.objects.get(pk=bob.pk)) == ["ada"]


def test_at_most_so_many(people: list[Player], monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_PEOPLE == 200
    monkeypatch.setattr("games.selectors.people.MOST_PEOPLE", 2)
    played(*people)
    assert len(names(people[0])) == 2


def test_a_room_invites_them_in_one_tap_and_the_export_has_them(people: list[Player]) -> None:
    ada, bob, cleo, _ = people
    played(ada, bob, cleo)
    room = services.open_room(ada, services.Terms("threes", 3, visibility="private"))
    browser = Client()
    browser.force_login(ada)
    page = browser.get(f"/rooms/{room.id}").content.decode()
    assert "Invite bob</button>" in page and "Invite cleo</button>" in page
    said = browser.post(f"/rooms/{room.id}/invite", {"username": "bob"}, follow=True).content.decode()
    assert "bob has been sent a link" in said and "Invite bob</button>" not in said and "Invite cleo</button>" in said
    services.join(room.id, bob, invitation=room.invitation)
    browser.force_login(cleo)
    assert "My people" not in browser.get(f"/join/{room.invitation}").content.decode()
    [part] = [value for name, value in exporting.parts_of(ada, room.opened_at) if name == "people"]
    assert {one["username"] for one in part} == {"bob", "cleo"}


def test_a_new_table_invites_those_who_are_ticked(people: list[Player]) -> None:
    ada, bob, cleo, dan = people
    played(ada, bob, cleo)
    browser = Client()
    browser.force_login(ada)
    form = browser.get("/rooms/new/threes").content.decode()
    assert [name in form for name in ('value="bob"', 'value="cleo"', 'value="dan"')] == [True, True, False]
    asked = {"seats": 3, "bots": 0, "visibility": "private", "starts_full": "on", "people": ["bob", "cleo"]}
    said = browser.post("/rooms/new/threes", asked, follow=True).content.decode()
    assert "have been sent a link to join." in said and "Invite bob</button>" not in said
    assert [notifications_of(one).filter(kind=INVITED.name).count() for one in (bob, cleo)] == [1, 1]
    refused = browser.post("/rooms/new/threes", {**asked, "people": ["dan"]})
    assert refused.status_code == 400, "nobody else's"
    browser.force_login(dan)
    assert "my people" not in browser.get("/rooms/new/threes").content.decode()
