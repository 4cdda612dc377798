"""AC2, SN1: three guests come by the link and play a small season on its pages to its end."""

import re
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client

from core.accounts.models import Player
from games.models import Game
from tests.tournaments.moment import services
from tests.tournaments.services.season_scene import play
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def text_of(client: Client, path: str) -> str:
    answer = client.get(path, follow=True)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.mark.sampled
def test_three_guests_play_and_finish_a_small_season(club: Club) -> None:
    closes = club.now + timedelta(days=3)
    asked = {"kind": "season", "guests": True, "closes_at": closes.isoformat(), "settings": {"tables": {"size": 3}}}
    club.set_up(**asked)
    services.open_registration(club.id, club.olga, now=club.now)
    row = Tournament.objects.get(pk=club.id)
    page, door = f"/t/{row.slug}", f"/join/{row.invitation}"

    # By the link: a name, a button, and they are in.
    guests = {}
    for name in ("gast-anna", "gast-ben", "gast-cleo"):
        client = Client()
        assert row.title in text_of(client, door)
        assert client.post(door, {"name": name}, follow=True).status_code == 200
        assert Player.objects.get(username=name).is_guest
        guests[name] = client
    first, *others = guests.values()
    assert "3 places taken" in text_of(first, page)
    assert "Rated, except games with guests; guests may enter." in text_of(first, page)
    services.start(club.id, club.olga, now=club.now)
    club.run()

    # Two games: one opens it on the page, the others sit down at its door; moves are made until it is over.
    for number in (1, 2):
        opened = first.post(f"{page}/open-game", {"seats": "3"})
        room = UUID(opened.headers["Location"].rsplit("/", 1)[1])
        assert "Waiting for players" in text_of(others[0], page)
        for client in others:
            assert client.post(f"/api/v1/games/{room}/join", {}, "application/json", headers=OURS).status_code == 200
        club.run()
        assert "Your turn" in "".join(text_of(client, page) for client in guests.values())
        assert play(club, room, 2000) < 2000
        assert Game.objects.get(pk=room).status == "finished"
        club.run()
        shown = text_of(others[1], page)
        assert "Finished games" in shown and "Replay" in shown
        assert f"{number} game" in text_of(first, f"{page}/entrants/e1")

    # They have no vote (RT2), and are told why.
    asked = {"title": "More cards", "reason": "There are few.", "options": {"decks": 3}}
    services.propose(club.id, club.olga, asked, now=club.now)
    assert "Guests can't vote. Keep your account first." in text_of(first, page)

    # It closes by itself, and says who won; its neighbours open, too.
    club.run(days=4)
    over = text_of(Client(), page)
    assert "Season, finished" in over and "The season is over." in over
    assert re.search(r"gast-\w+ (won|share)|share first place", over)
    for part in ("/games", "/crosstable", "/rulings", "/entrants/e2"):
        text_of(Client(), page + part)


OURS = {"origin": "http://testserver"}
