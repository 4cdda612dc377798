"""What the dashboard says before an organiser acts: who is in before the start, and how a season ends."""

import re

import pytest

from core import clock as service_clock
from core.accounts.models import Player
from tests.tournaments.moment import services
from tests.tournaments.pages.test_page_acts import logged_in
from tests.tournaments.pages.test_page_before_the_start import later
from tests.tournaments.pages.test_tournament_page import text_of
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club

pytestmark = pytest.mark.django_db


def test_the_overview_of_the_dashboard_names_them_alike(club: Club, clock: service_clock.FrozenClock) -> None:
    club.open(*club.people[:4], limit=3, check_in=86_400)
    services.check_in(club.id, club.people[1], "e2", now=club.now)
    services.invite(club.id, club.olga, "eve", now=club.now)
    at = f"/admin/tournaments/tournament/{club.id}"
    olga = logged_in(club.olga)
    overview = text_of(olga.get(f"{at}/change/"))
    assert "Entered so far: bob; not checked in yet: ada, cleo; on the waiting list: dan; 1 invited." in overview
    entrants = text_of(olga.get(f"{at}/entrants/"))
    assert "Withdraw ada" in entrants and "e1" not in entrants


@pytest.mark.sampled
def test_the_dashboard_says_whether_a_season_ends_by_itself(club: Club, clock: service_clock.FrozenClock) -> None:
    def comes() -> str:
        return text_of(logged_in(club.olga).get(f"/admin/tournaments/tournament/{club.id}/change/"))

    season(club, closes_at=None)
    assert "Finish the season when it is over." in comes()
    season(club)
    assert "The season ends automatically after its last day." in comes()
    room_of(club, *club.people[:3])
    later(club, clock, days=11)
    assert "The season ends with its last game." in comes()


def test_a_draft_begins_an_exchange_with_two_tables_and_says_what_the_cost_is(club: Club) -> None:
    club.open(settings={"rounds": 2, "tables": {"size": 3}}, pace="manual")
    services.start(club.id, club.olga, now=club.now)
    club.run()
    services.next_round(club.id, club.olga, now=club.now)
    page = logged_in(club.olga).get(f"/admin/tournaments/tournament/{club.id}/draft/")
    second = club.t.draft.tables[1][0]  # type: ignore[union-attr]
    assert f'<option value="{second}" selected>' in page.content.decode()
    text = text_of(page)
    assert (
        "how far apart the players at a table are in the standings, and how often they have met. Lower is better."
        in text
    )
    assert "Repeated meetings in all rounds so far: 0, of which 0 could not be avoided." in text


def test_starting_asks_once_where_somebody_has_not_checked_in(club: Club) -> None:
    club.open(settings={"rounds": 2, "tables": {"size": 3}}, check_in=3600)
    for number in (1, 2, 3, 4):
        services.check_in(club.id, club.olga, f"e{number}", now=club.now)
    client, start = logged_in(club.olga), f"/admin/tournaments/tournament/{club.id}/action/start/"
    asked = text_of(client.post(start))
    assert "Not checked in yet: eve, fay." in asked
    assert "go to the end of the waiting list" in asked
    assert club.t.status == "registration"
    client.post(start, {"sure": "1"})
    assert club.t.status == "running" and club.t.places == 4


@pytest.mark.sampled
def test_nobody_is_asked_to_add_somebody_where_nobody_can_enter(club: Club) -> None:
    def entrants() -> str:
        return text_of(logged_in(club.olga).get(f"/admin/tournaments/tournament/{club.id}/entrants/"))

    club.set_up()
    assert "The tournament is not open for entries yet." in entrants() and "Invite" not in entrants()
    club.open()
    assert "Invite" in entrants() and "Or send a link" in entrants()
    services.cancel(club.id, club.olga, "it rains", now=club.now)
    assert "Invite" not in entrants() and "Or send a link" not in entrants()


@pytest.mark.sampled
def test_players_are_found_by_a_part_of_their_names_and_invited_at_once(club: Club) -> None:
    club.open(*club.people[:2])
    Player.objects.create_user("Anton")
    Player.objects.create_user("andrea", preferences={"unlisted": True})
    client, at = logged_in(club.olga), f"/admin/tournaments/tournament/{club.id}"
    assert re.findall(r"Invite (an\w+)", text_of(client.get(f"{at}/entrants/", {"q": "AN"})), re.IGNORECASE) == [
        "Anton"
    ]
    assert "No player whom you can invite" in text_of(client.get(f"{at}/entrants/", {"q": "ada"})), "she is in"
    assert "No player whom you can invite" in text_of(client.get(f"{at}/entrants/", {"q": "%"}))
    assert "Invited: Anton." in text_of(client.post(f"{at}/people/invite/", {"who": "Anton"}, follow=True))
    assert "No player whom you can invite" in text_of(client.get(f"{at}/entrants/", {"q": "nto"}))
