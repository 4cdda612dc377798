"""The page of a game, before its script has come or without it."""

import pytest
from django.test import Client

from games import services
from games.platform.accounts.models import Player

pytestmark = pytest.mark.django_db


def test_s2_while_cards_are_chosen_the_page_says_so_and_nobody_is_to_play() -> None:
    ada, bob = Player.objects.create_user("ada"), Player.objects.create_user("bob")
    room = services.open_room(ada, game="threes", seats=2)
    services.join(room.id, bob)
    services.start(room.id, ada)
    text = Client().get(f"/games/{room.id}").content.decode()
    assert "ada and bob to choose what lies face up." in text
    assert "<li>ada: choosing</li>" in text
    assert "to play" not in text
