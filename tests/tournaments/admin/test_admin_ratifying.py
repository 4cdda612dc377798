"""RT5 in the dashboard: an organiser sees how the vote stands, and decides or closes a proposal with a reason."""

import re

import pytest

from games import services as games
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club, end_game

pytestmark = pytest.mark.django_db
BASE = "/admin/tournaments/tournament/"
SHORTER = {"title": "Shorter games", "reason": "They last for weeks.", "options": {"stalemate_after": 10}}


def page(client, club) -> str:
    answer = client.get(f"{BASE}{club.id}/change/")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def season(club: Club, **plan) -> Club:
    club.start(kind="season", settings={}, **plan).run(days=8)
    services.propose(club.id, club.player("ada"), SHORTER, now=club.now)
    services.vote(club.id, club.player("bob"), 1, "yes", now=club.now)
    return club


def press(client, club, **fields) -> str:
    answer = client.post(f"{BASE}{club.id}/proposals/1/", fields, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_rt5_the_overview_shows_the_proposal_and_not_how_people_voted(olga, club):
    text = page(olga, season(club))
    assert "Shorter games" in text
    assert "1 of 6 electors has voted: bob." in text
    assert "1 yes" not in text
    assert "Close the proposal" in text
    assert "Ratify these rules" not in text


@pytest.mark.sampled
def test_rt1_an_organiser_closes_it_in_the_dashboard(olga, club):
    season(club)
    assert "Please give a reason that others can read." in press(olga, club, reason=" ")
    assert club.t.proposals[1].is_open
    text = press(olga, club, reason="Not in the middle.")
    assert "Closed by an organiser" in text and "You have ended proposal 1." in text
    text = press(olga, club, reason="Not in the middle, either.")
    assert "Proposal 1 has ended." in text and "You have ended" not in text, "another organiser was faster"
    assert club.t.proposals[1].ended_why == "Not in the middle."


@pytest.mark.sampled
def test_rt2_rt3_under_organiser_the_counts_are_shown_and_an_organiser_ratifies(olga, club):
    text = page(olga, season(club, ratify="organiser"))
    assert "1 yes, 0 no, 0 abstained, of 6 electors." in text
    assert "These rules apply from now on." in press(olga, club, reason="Fine.", ratify="1")
    assert club.t.rules.options == {"stalemate_after": 10}


def test_rt1_only_its_organisers_decide_in_the_dashboard(cast, club):
    season(club)
    for name in ("nobody", "player", "other"):
        cast[name].post(f"{BASE}{club.id}/proposals/1/", {"reason": "no"})
        assert club.t.proposals[1].is_open, name


@pytest.mark.sampled
def test_rt5_results_are_marked_by_their_rules_once_there_are_several(olga, club):
    season(club, ratify="organiser")
    room = services.open_game(club.id, club.player("ada"), seats=2, now=club.now)
    done_at(club.now, games.join, room.id, club.player("bob"))
    end_game(room.id, [0, 1], club.now)
    assert "first rules" not in page(olga, club.run(minutes=1))
    assert '<span class="badge">first rules</span>' in press(olga, club, reason="Fine.", ratify="1")


@pytest.mark.sampled
def test_rt5_tables_of_rounds_too(olga, club):
    club.start(kind="rounds", settings={"rounds": 2, "tables": {"size": 3}}, ratify="organiser")
    services.propose(club.id, club.olga, SHORTER, now=club.now)
    assert press(olga, club, reason="Fine.", ratify="1").count('<span class="badge">first rules</span>') == 2
