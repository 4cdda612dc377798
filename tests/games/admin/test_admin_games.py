import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.accounts.models import Player
from games import tasks
from tests.games.services.service_scene import game_now, open_threes, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(db) -> Client:
    client = Client()
    client.force_login(Player.objects.create_superuser("olga"))
    return client


def test_the_dashboard_shows_games_without_their_secrets(alice, bob, organiser):
    game = started(alice, bob, visibility="private")
    listed = organiser.get("/admin/games/game/")
    shown = organiser.get(f"/admin/games/game/{game.id}/change/")
    assert (listed.status_code, shown.status_code) == (200, 200)
    text = listed.content.decode() + shown.content.decode()
    assert "alice" in text
    assert game.commitment in text
    hidden = [game.secret, game.invitation, *game.salts]
    assert not [secret for secret in hidden if secret in text]
    assert not [card for card in game.state.stock if f'"{card}"' in text or f"&quot;{card}&quot;" in text]


def test_the_list_of_games_leaves_states_and_secrets_where_they_are(alice, bob, organiser):
    started(alice, bob)
    with CaptureQueriesContext(connection) as one:
        organiser.get("/admin/games/game/")
    for _ in range(3):
        started(alice, bob)
    with CaptureQueriesContext(connection) as four:
        organiser.get("/admin/games/game/")
    statements = [query["sql"] for query in four]
    assert len(statements) == len(one)
    hidden = [f'"games_game"."{column}"' for column in ("state", "secret", "salts", "invitation")]
    assert not [(column, sql) for column in hidden for sql in statements if column in sql]


@pytest.mark.parametrize("column", ["secret", "salts", "state", "invitation", "asked_options", "id"])
def test_a_hidden_column_cannot_be_guessed_by_filtering(alice, bob, organiser, column):
    started(alice, bob, visibility="private")
    assert organiser.get("/admin/games/game/?visibility__exact=private").status_code == 200
    for lookup in (column, f"{column}__startswith", f"{column}__isnull"):
        assert organiser.get(f"/admin/games/game/?{lookup}=1").status_code == 400, lookup


def test_the_dashboard_writes_nothing_to_a_game(alice, bob, organiser):
    game = started(alice, bob)
    for page in ("change", "delete"):
        answer = organiser.post(f"/admin/games/game/{game.id}/{page}/", {"status": "finished", "post": "yes"})
        assert answer.status_code == 403
    assert organiser.get("/admin/games/game/add/").status_code == 403


def test_nobody_makes_a_token_for_somebody_else(organiser):
    assert organiser.get("/admin/accounts/token/add/").status_code == 404
    assert "token/" not in organiser.get("/admin/").content.decode().lower()


def test_accounts_are_found_and_opened(alice, organiser):
    assert organiser.get("/admin/accounts/player/?q=ali").status_code == 200
    assert organiser.get(f"/admin/accounts/player/{alice.pk}/change/").status_code == 200
    assert organiser.get("/admin/accounts/player/add/").status_code == 200


def test_a_task_calls_off_idle_rooms(alice, clock):
    room = open_threes(alice)
    assert tasks.expire_rooms.apply().get() == 0
    clock.advance(days=31)
    assert tasks.expire_rooms.apply().get() == 1
    assert game_now(room.id).cancel_reason == "idle"
