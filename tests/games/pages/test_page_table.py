"""The page of a game, before its script has come or without it."""

import pytest
from django.test import Client

from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from core.pictures import Words
from games import services
from games.notifications.kinds import STARTED
from games.projections import Snapshot
from games.rules.notation import Moment

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
    assert "ada and bob to choose face-up cards." in text
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


def test_the_picture_of_a_private_game_is_for_those_who_see_it_and_has_names_only_if_they_are_asked_for(
    people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Words] = []
    monkeypatch.setattr("core.pictures._picture", lambda words: drawn.append(words) or b"")
    ada, bob = people
    room = services.open_room(ada, services.Terms("threes", 2, visibility="private"))
    services.join(room.id, bob, invitation=room.invitation)
    services.start(room.id, ada)
    address, browser = f"/games/{room.id}/picture.png", Client()
    browser.force_login(ada)
    assert browser.get(address).status_code == 404, "the game runs"
    services.play(room.id, bob, {"move": "resign"})
    for part in ("picture.png", "moments"):
        assert Client().get(f"/games/{room.id}/{part}").status_code == 404
        assert "private" in browser.get(f"/games/{room.id}/{part}").headers["Cache-Control"]
    monkeypatch.setattr("games.pages.views.moments", lambda _, names, own: [Moment(1, f"{names} for seat {own}")])
    for reader, seat in ((ada, 0), (bob, 1)):
        browser.force_login(reader)
        [told] = browser.get(f"/games/{room.id}/moments").json()["results"]
        assert told["said"] == f"['ada', 'bob'] for seat {seat}"
    drawn.clear()
    browser.get(address)
    browser.get(f"{address}?names=1")
    unnamed, named = drawn
    assert (unnamed.title, named.title) == ("2 players", "ada and bob")
    assert [row.text for row in unnamed.rows] == ["player 1 (9 cards left)", "player 2"] and "ada" not in repr(unnamed)
    assert [row.text for row in named.rows] == ["ada (9 cards left)", "bob"]
