"""What is said at a tournament's table, as its organisers read it in the dashboard (TK2, TK9)."""

import pytest
from django.test import Client

from core.accounts.models import Player
from games.models import Game, TalkMessage, TalkReader
from games.services import talk
from tests.tournaments.admin.conftest import browser
from tests.tournaments.services.tournament_scene import Club

pytestmark = pytest.mark.django_db


def text_of(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def test_tk9_an_organiser_reads_hides_and_shows_again(club: Club, olga: Client) -> None:
    club.start(settings={"tables": {"size": 3}})
    game = Game.objects.filter(tournament=club.id).first()
    assert game is not None
    seated = list(Player.objects.filter(sitting__game=game).order_by("sitting__index"))
    path = f"/admin/reports/said/{game.pk}/"
    assert path in text_of(olga, f"/admin/games/game/{game.pk}/change/")
    assert "Nobody has said anything yet." in text_of(olga, path)
    talk.say(game.pk, seated[0], text="You <b>fool</b>")
    talk.say(game.pk, seated[1], sign="good_luck")
    read = text_of(olga, path)
    assert "You &lt;b&gt;fool&lt;/b&gt;" in read
    assert "<i>good luck</i>" in read
    # Reading is neither counted nor told (TK2).
    assert not TalkReader.objects.filter(player=club.olga).exists()

    refused = olga.post(path, {"number": "1", "reason": " "}, follow=True).content.decode()
    assert "Its author is told." not in refused
    assert not TalkMessage.objects.filter(gone="organiser").exists()
    hidden = olga.post(path, {"number": "1", "reason": "No insults."}, follow=True).content.decode()
    assert "Hidden. Its author is told." in hidden
    assert "fool" not in hidden
    assert talk.shown(talk.messages_of(talk.reading(game.pk, seated[1])))[0]["gone"] == "organiser"
    shown = olga.post(path, {"number": "1", "again": ""}, follow=True).content.decode()
    assert "It is shown again." in shown
    assert "fool" in shown


def test_tk2_neither_players_nor_staff_read_it(club: Club) -> None:
    club.start(settings={"tables": {"size": 3}})
    game = Game.objects.filter(tournament=club.id).first()
    assert game is not None
    path = f"/admin/reports/said/{game.pk}/"
    anna, stan = club.people[0], Player.objects.create_user("stan", is_staff=True)
    assert browser(stan).get(path).status_code == 404
    assert path not in text_of(browser(stan), f"/admin/games/game/{game.pk}/change/")
    assert browser(anna).get(path).status_code == 302
    club.organise(anna)
    assert browser(anna).get(path).status_code == 200
