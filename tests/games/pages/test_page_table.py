"""The page of a game, before its script has come or without it."""

import pytest
from django.test import Client

from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from games import services
from games.notifications.kinds import STARTED
from games.projections import Snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    return [Player.objects.create_user(name) for name in ("ada", "bob")]


@pytest.fixture
def game(people: list[Player]) -> Snapshot:
    ada, bob = people
    room = services.open_room(ada, services.Terms("threes", 2))
    services.join(room.id, bob)
    return services.start(room.id, ada)


def test_s2_while_cards_are_chosen_the_page_says_so_and_nobody_is_to_play(game: Snapshot) -> None:
    text = Client().get(f"/games/{game.id}").content.decode()
    assert "ada and bob to choose what lies face up." in text
    assert "<li>ada: choosing</li>" in text
    assert "to play" not in text


def test_of_a_game_that_was_called_off_the_page_says_so_and_nobody_is_awaited(
    game: Snapshot, people: list[Player]
) -> None:
    for player in people:
        services.cancel(game.id, player)
    text = Client().get(f"/games/{game.id}").content.decode()
    assert "<p>The game was called off.</p>" in text
    assert "choosing" not in text


def test_nt8_the_table_says_how_much_is_unread_about_anything_else(game: Snapshot, people: list[Player]) -> None:
    ada = people[0]
    telling.tell([ada.pk], STARTED, f"game:{game.id}:started", subject_id=game.id)
    browser = Client()
    browser.force_login(ada)
    assert '<span class="badge act" hidden></span>' in browser.get(f"/games/{game.id}").content.decode()
    telling.tell([ada.pk], the_kind(SECURITY, ACCOUNT), "security:test", data={"what": "test"})
    assert '<span class="badge act">1</span>' in browser.get(f"/games/{game.id}").content.decode()
