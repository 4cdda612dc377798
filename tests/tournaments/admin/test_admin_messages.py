"""Messages to all entrants, channels and the next tournament, as an organiser does it in the dashboard."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from chats.models import GroupChannel
from core.notifications.models import Notification
from tests.core.notifications.receivers import Receiver
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament
from tournaments.notifications.following import tell_entrants

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(club: Club) -> Client:
    client = Client()
    client.force_login(club.olga)
    return client


def address(club: Club, page: str, *more: str) -> str:
    return reverse(f"admin:tournament_{page}", args=[club.id, *more])


def text_of(client: Client, path: str, data: dict[str, str] | None = None) -> str:
    answer = client.get(path) if data is None else client.post(path, data, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.mark.sampled
def test_a_message_is_shown_as_it_reads_and_sent_by_a_second_button(club: Club, olga: Client) -> None:
    club.open()
    path = address(club, "messages")
    seen = text_of(olga, path, {"text": "Bring cake,\nplease."})
    assert "The organisers of Threes 2026 write: Bring cake, please." in seen
    assert "6 players will get this message." in seen
    tell_entrants.catch_up()
    assert not Notification.objects.filter(kind="tournament").exists()
    assert "Sent to 6 players." in text_of(olga, path, {"text": "Bring cake,\nplease.", "send": "1"})
    tell_entrants.catch_up()
    assert Notification.objects.filter(kind="tournament", data__text="Bring cake, please.").count() == 6
    for _ in range(4):
        text_of(olga, path, {"text": "again", "send": "1"})
    assert "which is the limit" in text_of(olga, path, {"text": "too much", "send": "1"})
    assert "This field is required." in text_of(olga, path, {"text": " "})


@pytest.mark.sampled
def test_nt7_a_channel_is_given_tested_and_taken_away(club: Club, olga: Client, settings: object) -> None:
    settings.TREY_HOOKS_LOCAL = True  # type: ignore[attr-defined]
    club.open()
    page = address(club, "messages")
    answer = olga.post(address(club, "channel", "add"), {"service": "irc", "url": "x y"})
    refused = answer.content.decode()
    assert "irc is not one of the available choices." in refused
    assert 'value="x y"' in refused and "It must begin with https://" in refused, "what was typed stays"
    with Receiver() as receiver:
        given = {"service": "discord", "url": receiver.url}
        assert "Channel added" in text_of(olga, address(club, "channel", "add"), given)
    [row] = GroupChannel.objects.all()
    shown = text_of(olga, page)
    assert "Discord 127.0.0.1" in shown and "s3cret" not in shown
    assert "posts to discord" in text_of(Client(), f"/t/{Tournament.objects.get(pk=club.id).slug}")
    assert "A test is on its way." in text_of(olga, address(club, "channel", "test"), {"channel": str(row.pk)})
    assert "Channel removed" in text_of(olga, address(club, "channel", "remove"), {"channel": str(row.pk)})
    assert olga.post(address(club, "channel", "remove"), {"channel": "no id"}).status_code == 404
    secret = text_of(olga, address(club, "channel", "add"), {"service": "webhook", "url": "http://127.0.0.1:1/"})
    assert "whsec_" in secret and "whsec_" not in text_of(olga, page)


@pytest.mark.sampled
def test_rt7_the_next_tournament_is_set_up_like_the_one_that_is_over(club: Club, olga: Client) -> None:
    club.start(settings={"rounds": 2, "tables": {"size": 3}})
    assert "can have a successor" in text_of(olga, address(club, "successor"), {})
    services.finish(club.id, club.olga, now=club.now)
    assert "Set up a successor like this one" in text_of(
        olga, reverse("admin:tournaments_tournament_change", args=[club.id])
    )
    assert "The new tournament is set up like the last one" in text_of(olga, address(club, "successor"), {})
    after = Tournament.objects.get(after=club.id)
    assert after.state.plan.as_json()["settings"]["rounds"] == 2 and after.status == "draft"
    club.id = after.pk
    asked = {"title": "The next one", "game": "threes", "kind": "rounds", "visibility": "public", "rounds": "2"}
    changed = text_of(olga, address(club, "settings"), asked)
    assert "Open for entries" in changed, "that is what comes next"
    assert "At the same time, 6 people are sent an invitation." in changed


def test_who_may_propose_and_how_it_is_ratified_is_set_up_in_the_form(club: Club, olga: Client) -> None:
    asked = {"title": "Voted", "game": "threes", "kind": "rounds", "visibility": "public"}
    rules = {"proposals": "entrants", "ratify": "unanimous"}
    text_of(olga, reverse("admin:tournaments_tournament_add"), {**asked, **rules})
    plan = Tournament.objects.get(title="Voted").state.plan.as_json()
    assert {name: plan[name] for name in rules} == rules
