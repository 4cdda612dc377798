"""Staff declare a finished game void for ratings, and let it count again (RA6)."""

import pytest

from core import log
from core.accounts.models import Audit, Player
from games import services
from games.models import Game
from tests.games.services.service_scene import started

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice, bob) -> Game:
    game = started(alice, bob)
    services.play(game.id, alice, {"move": "resign"})
    return Game.objects.get(pk=game.id)


def voided(game: Game) -> str | None:
    return Game.objects.get(pk=game.id).state["voided"]


def test_ra6_staff_void_a_game_with_a_reason_and_let_it_count_again(cast, game):
    stan = Player.objects.get(username="stan")
    page = f"/admin/games/game/{game.id}/"
    assert "Declare the game void" in cast["staff"].get(f"{page}change/").content.decode()
    cast["staff"].post(f"{page}rating/", {"reason": "two accounts, one person"})
    assert voided(game) == "two accounts, one person"
    shown = cast["staff"].get(f"{page}change/").content.decode()
    assert "two accounts, one person" in shown
    assert "Let the game count again" in shown
    cast["staff"].post(f"{page}rating/", {"restore": "1", "reason": "they were sisters"})
    assert voided(game) is None
    assert list(Audit.objects.order_by("id").values_list("action", "reason", "by")) == [
        ("declared a game void", "two accounts, one person", stan.pk),
        ("let a game count again", "they were sisters", stan.pk),
    ]


def test_ra6_staff_void_a_game_that_was_adjudicated_too(cast, alice, bob):
    """It is called off, and counts in ratings by its places (RA1)."""
    game = started(alice, bob)
    runner = log.Actor("tournament", "x")
    services.call_off(game.id, actor=runner, reason="time is up", placements="as_it_stands", rated=True)
    page = f"/admin/games/game/{game.id}/"
    assert "Declare the game void" in cast["staff"].get(f"{page}change/").content.decode()
    cast["staff"].post(f"{page}rating/", {"reason": "two accounts"})
    assert voided(game) == "two accounts"


def test_a_room_that_was_called_off_has_nothing_to_void(cast, alice):
    room = services.open_room(alice, services.Terms("threes", 2))
    services.leave(room.id, alice)
    assert cast["staff"].post(f"/admin/games/game/{room.id}/rating/", {"reason": "x"}).status_code == 403


def test_not_without_a_reason(cast, game):
    page = f"/admin/games/game/{game.id}/rating/"
    shown = cast["staff"].post(page, {"reason": " "}, follow=True).content.decode()
    assert voided(game) is None
    assert "reason" in shown
    assert not Audit.objects.exists()


def test_nobody_judges_a_game_in_which_they_played(bob, cast):
    susan = Player.objects.get(username="susan")
    game = started(susan, bob)
    services.play(game.id, susan, {"move": "resign"})
    page = f"/admin/games/game/{game.id}/"
    assert "Declare the game void" not in cast["superuser"].get(f"{page}change/").content.decode()
    assert cast["superuser"].post(f"{page}rating/", {"reason": "I lost"}).status_code == 403
    assert voided(game) is None


def test_organisers_void_results_of_their_tournaments_but_not_ratings(cast, game):
    assert cast["organiser"].post(f"/admin/games/game/{game.id}/rating/", {"reason": "x"}).status_code == 404
    assert voided(game) is None


@pytest.mark.parametrize("before", [{"reason": "two accounts"}, {"restore": "1", "reason": "they were sisters"}])
def test_without_its_entry_in_the_audit_log_nothing_is_done(cast, game, monkeypatch, before):
    """A game's void and its entry are one transaction."""
    page = f"/admin/games/game/{game.id}/rating/"
    if "restore" in before:
        cast["staff"].post(page, {"reason": "two accounts"})
    was, entries = voided(game), Audit.objects.count()

    def broken(*_, **__):
        raise RuntimeError("the audit log cannot be written")

    monkeypatch.setattr("games.admin.games.auditing.write", broken)
    with pytest.raises(RuntimeError):
        cast["staff"].post(page, before)
    assert (voided(game), Audit.objects.count()) == (was, entries)
