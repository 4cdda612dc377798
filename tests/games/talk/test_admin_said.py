"""What is said at a tournament's table, as its organisers read it in the dashboard (TK2, TK9)."""

from uuid import uuid4

import pytest
from django.test import Client

from core.accounts.models import Player
from core.refusals import Forbidden, NotFound
from games import services as games
from games.models import Game
from games.talk import moderation
from games.talk import services as talk
from games.talk.models import Mute, TalkMessage, TalkReader, TalkReport
from tests.tournaments.admin.conftest import browser
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club

pytestmark = pytest.mark.django_db


def text_of(client: Client, path: str) -> str:
    return client.get(path).content.decode()


@pytest.mark.sampled
def test_tk9_an_organiser_reads_hides_and_shows_again(club: Club, olga: Client) -> None:
    club.start(settings={"tables": {"size": 3}})
    game = Game.objects.filter(tournament=club.id).first()
    assert game is not None
    seated = list(Player.objects.filter(sitting__game=game).order_by("sitting__index"))
    path = f"/admin/reports/said/{game.pk}/"
    assert path in text_of(olga, f"/admin/games/game/{game.pk}/change/")
    assert "Nobody has written anything yet." in text_of(olga, path)
    talk.say(game.pk, seated[0], text="You <b>fool</b>")
    talk.say(game.pk, seated[1], sign="good_luck")
    read = text_of(olga, path)
    assert "You &lt;b&gt;fool&lt;/b&gt;" in read
    assert "<i>good luck</i>" in read
    # Reading is neither counted nor told (TK2).
    assert not TalkReader.objects.filter(player=club.olga).exists()

    refused = olga.post(path, {"number": "1", "reason": " "}, follow=True).content.decode()
    assert "The author has been told." not in refused
    assert not TalkMessage.objects.filter(gone="organiser").exists()
    hidden = olga.post(path, {"number": "1", "reason": "No insults."}, follow=True).content.decode()
    assert "Hidden. The author has been told." in hidden
    assert "fool" not in hidden
    assert talk.shown(talk.messages_of(talk.reading(game.pk, seated[1])))[0]["gone"] == "organiser"
    shown = olga.post(path, {"number": "1", "again": ""}, follow=True).content.decode()
    assert "It is shown again." in shown
    assert "fool" in shown


@pytest.mark.sampled
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


def a_table(club: Club) -> tuple[Game, list[Player]]:
    club.start(settings={"tables": {"size": 3}})
    game = Game.objects.filter(tournament=club.id).first()
    assert game is not None
    return game, list(Player.objects.filter(sitting__game=game).order_by("sitting__index"))


def test_tk8_an_organiser_does_not_show_their_own_message_again(club: Club) -> None:
    game, (anna, ben, *_) = a_table(club)
    club.organise(anna)
    talk.say(game.pk, anna, text="You fool")
    moderation.report(game.pk, ben, 1, "insult")
    moderation.decide(TalkReport.objects.get().pk, club.olga, "hide", "No insults.", is_staff=False)
    with pytest.raises(Forbidden):
        moderation.show_again(game.pk, anna, 1)
    assert TalkMessage.objects.get().gone == "organiser"
    moderation.show_again(game.pk, club.olga, 1)
    assert TalkMessage.objects.get().gone is None


def test_ac6_who_organises_no_more_takes_back_no_decision(club: Club) -> None:
    game, (anna, ben, *_) = a_table(club)
    cora = Player.objects.create_user("cora", password=None)
    club.organise(cora)
    talk.say(game.pk, anna, text="You fool")
    moderation.report(game.pk, ben, 1, "insult")
    key = TalkReport.objects.get().pk
    moderation.decide(key, cora, "both", "No insults.", is_staff=False)
    assert moderation.decided_reports(cora, is_staff=False).exists()
    services.remove_organiser(club.id, club.olga, "cora", now=club.now)
    assert not moderation.decided_reports(cora, is_staff=False).exists()
    with pytest.raises(NotFound):
        moderation.take_back(key, cora, is_staff=False)
    assert Mute.objects.get().ended_at is None


@pytest.mark.sampled
def test_tk9_the_form_for_muting_tells_an_organiser_of_something_else_nothing_about_a_table(
    club: Club, olga: Client
) -> None:
    anna, ben = (Player.objects.create_user(name) for name in ("anna-maria", "benjamin"))
    club.start(settings={"tables": {"size": 3}})
    room = games.open_room(anna, games.Terms(game="threes", seats=2, visibility="private")).id

    for player, table in ((anna, room), (ben, room), (anna, uuid4())):
        form = {"player": player.username, "table": str(table), "span": "week", "reason": "Spam."}
        said = olga.post("/admin/reports/mute/", form, follow=True).content.decode()
        assert "There is no such game." in said
        assert "Nobody of this name" not in said
        for typed in (f'name="player" value="{player.username}"', f'value="{table}"', 'name="reason" value="Spam."'):
            assert typed in said, "what was typed stays"
        assert '<option value="week" selected>' in said
    assert not Mute.objects.exists()
