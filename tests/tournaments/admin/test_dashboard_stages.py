"""What the dashboard says of a tournament's stages: who is in before the start, and how a season ends."""

import pytest

from games import services as games
from games.platform import clock as service_clock
from tests.tournaments.pages.test_page_acts import logged_in
from tests.tournaments.pages.test_page_before_the_start import later
from tests.tournaments.pages.test_tournament_page import text_of
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club
from tournaments import services

pytestmark = pytest.mark.django_db


def test_the_overview_of_the_dashboard_names_them_alike(club: Club, clock: service_clock.FrozenClock) -> None:
    club.open(*club.people[:4], limit=3, check_in=86_400)
    services.check_in(club.id, club.people[1], "e2", now=club.now)
    services.invite(club.id, club.olga, "eve", now=club.now)
    at = f"/admin/tournaments/tournament/{club.id}"
    olga = logged_in(club.olga)
    overview = text_of(olga.get(f"{at}/change/"))
    assert "In so far: bob; not checked in yet: ada, cleo; on the waiting list: dan; 1 invited." in overview
    entrants = text_of(olga.get(f"{at}/entrants/"))
    assert "Withdraw ada" in entrants and "e1" not in entrants


def test_the_dashboard_says_whether_a_season_ends_by_itself(club: Club, clock: service_clock.FrozenClock) -> None:
    def comes() -> str:
        return text_of(logged_in(club.olga).get(f"/admin/tournaments/tournament/{club.id}/change/"))

    season(club, closes_at=None)
    assert "Finish the season when it is over." in comes()
    season(club)
    assert "The season ends by itself after its last day." in comes()
    games.start(room_of(club, *club.people[:3]), club.people[0], now=club.now)
    later(club, clock, days=11)
    assert "The season ends by itself with its last game." in comes()


def test_a_draft_begins_an_exchange_with_two_tables_and_says_what_the_cost_is(club: Club) -> None:
    club.open(settings={"rounds": 2, "tables": {"size": 3}}, pace="manual")
    services.start(club.id, club.olga, now=club.now)
    club.run()
    services.next_round(club.id, club.olga, now=club.now)
    page = logged_in(club.olga).get(f"/admin/tournaments/tournament/{club.id}/draft/")
    second = club.t.draft.tables[1][0]  # type: ignore[union-attr]
    assert f'<option value="{second}" selected>' in page.content.decode()
    text = text_of(page)
    assert "how far apart those at a table stand, and how often they have met: less is better." in text
    assert "Repeats over all rounds so far: 0, of which 0 cannot be avoided." in text
