"""The page of a player."""

import pytest
from django.test import Client

from core.accounts import services as accounts
from core.accounts.models import Player
from games import services

pytestmark = pytest.mark.django_db


def test_unrated_games_with_people_are_counted_apart_and_private_ones_for_oneself_alone() -> None:
    ada, bob = (Player.objects.create_user(name) for name in ("ada", "bob"))
    for visibility in ("public", "private"):
        room = services.open_room(ada, services.Terms("castle", 2, visibility=visibility, rated=False))
        services.join(room.id, bob, invitation=room.invitation)
        services.start(room.id, ada)
        services.play(room.id, bob, {"move": "resign"})
    practice = services.open_room(ada, services.Terms("castle", 2), bots=["steady"])
    services.start(practice.id, ada)
    services.play(practice.id, ada, {"move": "resign"})
    own, other = Client(), Client()
    own.force_login(ada)
    assert "<li>Castle <strong>2</strong></li>" in own.get("/players/ada").content.decode()
    assert "<li>Castle <strong>1</strong></li>" in other.get("/players/ada").content.decode()


def test_who_asked_to_be_left_out_is_not_named_on_the_page_of_an_opponent() -> None:
    ada, bob = (Player.objects.create_user(name) for name in ("ada", "bob"))
    room = services.open_room(ada, services.Terms("castle", 2))
    services.join(room.id, bob)
    services.start(room.id, ada)
    services.play(room.id, bob, {"move": "resign"})
    assert "Castle</a> with bob: place 1" in Client().get("/players/ada").content.decode()
    accounts.change_profile(bob, preferences={"unlisted": True})
    page = Client().get("/players/ada").content.decode()
    assert "Castle</a> with somebody: place 1" in page and "bob" not in page


def test_who_asked_to_be_left_out_sees_their_own_page_as_in_the_api() -> None:
    ada, bob = (Player.objects.create_user(name) for name in ("ada", "bob"))
    accounts.change_profile(ada, preferences={"unlisted": True})
    own, other = Client(), Client()
    own.force_login(ada)
    other.force_login(bob)
    assert "You have no rated games yet." in own.get("/players/ada").content.decode()
    assert [client.get("/players/ada").status_code for client in (other, Client())] == [404, 404]
