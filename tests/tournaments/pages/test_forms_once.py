"""A form that is sent twice, as by a double click, acts once; both times the answer is the same."""

import re
from typing import Any

import pytest
from django.test import Client

from core import log
from core.accounts.models import Player
from games.models import Game
from tests.tournaments.admin.test_admin_tournament import SET_UP
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments import models

ROOM = {"seats": "3", "bots": "0", "visibility": "private", "per_turn": "86400"}
ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}


def hidden(page: Any, action: str = "") -> dict[str, str]:
    """The hidden fields of the form that posts to an address with this in it."""
    forms = re.findall(r'<form method="post"([^>]*)>(.*?)</form>', page.content.decode(), re.DOTALL)
    [inside] = [inside for head, inside in forms if action in head and ('action="' in head) == bool(action)][:1]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', inside))


def twice(browser: Client, page: str, fields: dict[str, str], action: str = "") -> tuple[Any, Any]:
    """The form of a page, filled in and sent two times."""
    sent = {**hidden(browser.get(page), action), **fields}
    first, again = (browser.post(action or page, sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (302, 302), first.content.decode()
    assert first.headers["Location"] == again.headers["Location"]
    return first, again


@pytest.fixture
def ada(club: Club) -> Client:
    return logged_in(club.people[0])


@pytest.fixture
def olga(club: Club) -> Client:
    return logged_in(club.olga)


def logged_in(player: Player) -> Client:
    browser = Client()
    browser.force_login(player)
    return browser


def test_a_table_is_opened_once(ada: Client) -> None:
    twice(ada, "/rooms/new/threes", ROOM)
    assert Game.objects.count() == 1
    twice(ada, "/rooms/new/threes", ROOM)
    assert Game.objects.count() == 2, "by the form of another page"


def test_a_form_that_was_changed_is_another(ada: Client) -> None:
    sent = {**hidden(ada.get("/rooms/new/threes")), **ROOM}
    for seats in ("99", "3", "4"):
        answer = ada.post("/rooms/new/threes", {**sent, "seats": seats})
        assert answer.status_code == (400 if seats == "99" else 302)
    assert Game.objects.count() == 2


def test_somebody_without_an_account_becomes_one_guest_at_one_table(db: None) -> None:
    browser, other = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    page = browser.get("/rooms/new/threes")
    sent = {**hidden(page), **ROOM, "name": "Nora"}
    sent["csrfmiddlewaretoken"] = str(page.context["csrf_token"])
    # The browser sends the second click before it has the session of the first.
    before = dict(browser.cookies.items())
    first = browser.post("/rooms/new/threes", sent)
    browser.cookies.clear()
    browser.cookies.update(before)
    again = browser.post("/rooms/new/threes", sent)
    assert first.headers["Location"] == again.headers["Location"]
    assert (Game.objects.count(), Player.objects.count()) == (1, 1)
    assert browser.get(again.headers["Location"]).status_code == 200, "logged in"
    sent["csrfmiddlewaretoken"] = str(other.get("/rooms/new/threes").context["csrf_token"])
    assert other.post("/rooms/new/threes", sent).status_code == 400, "another browser is not Nora"


def test_a_message_is_sent_once_and_said_to_be_sent(club: Club, olga: Client) -> None:
    club.start(**ROUNDS)
    page = f"/admin/tournaments/tournament/{club.id}/messages/"
    _, again = twice(olga, page, {"text": "Tea at five.", "send": "1"}, page)
    assert club.types().count("message_sent") == 1
    assert "Sent to " in olga.get(again.headers["Location"]).content.decode()


def test_a_tournament_is_set_up_once(olga: Client) -> None:
    twice(olga, "/admin/tournaments/tournament/add/?kind=rounds", SET_UP)
    assert models.Tournament.objects.count() == 1


def test_a_ruling_is_made_once(club: Club, olga: Client) -> None:
    club.start(**ROUNDS)
    page = f"/admin/tournaments/tournament/{club.id}/rulings/void/"
    fields = {"game": str(club.game_id(1)), "reason": "wrong deck"}
    shown = olga.post(page, {**fields, "preview": "1"})
    sent = {**hidden(shown), **fields, "confirm": "1"}
    first, again = (olga.post(page, sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (302, 302), again.content.decode()
    assert len([event for event in log.read(models.stream_of(club.id)) if event.type == "tournament.voided"]) == 1


@pytest.mark.sampled
def test_one_enters_once_and_opens_one_game_of_a_season(club: Club, ada: Client) -> None:
    club.open(*club.people[1:4], kind="season")
    slug = models.Tournament.objects.get(pk=club.id).slug
    _, again = twice(ada, f"/t/{slug}", {}, f"/t/{slug}/enter")
    assert "You have entered." in ada.get(again.headers["Location"]).content.decode()
    services.start(club.id, club.olga, now=club.now)
    club.run()
    twice(ada, f"/t/{slug}", {"seats": "2"}, f"/t/{slug}/open-game")
    assert Game.objects.count() == 1


def test_a_refusal_is_not_kept(club: Club, ada: Client) -> None:
    room = twice(ada, "/rooms/new/threes", ROOM)[0].headers["Location"]
    sent = {**hidden(ada.get(room), f"{room}/invite"), "username": "zoe"}
    ada.post(f"{room}/invite", sent)
    assert "There is no player" in ada.get(room).content.decode()
    Player.objects.create_user("zoe")
    ada.post(f"{room}/invite", sent)
    assert "zoe has been sent a link to join" in ada.get(room).content.decode()
